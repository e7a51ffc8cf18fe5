import FlowSpec
import Testing

/// What is said of a flow that renews its token behind an answer, with this as what comes of that: in which line, and
/// whether it is behind the end of the sub-flow.
private func told(retry: String = "response.status == 401", next: String) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example"}},
      "store": {"refresh": {"type": "string", "secret": true}, "access": {"type": "string", "secret": true}},
      "let": {"challenged": "response.status == 401 && present(response.challenge.?bearer)"},
      "flows": {"renew": {"ends": ["renewed", "refused", "not now"], "start": "renewing", "states": {
        "renewing": {"request": {"to": "api", "post": "/token", "json": {"refresh": "${store.?refresh}"}}, "next": [
          {"when": "response.status == 200", "do": [{"set": {"refresh": "${response.json.refresh}"}}], "end": "renewed"},
          {"when": "response.status == 401", "end": "refused"}, {"end": "not now"}]}}}},
      "start": "asking", "states": {"asking": {
        "request": {"to": "api", "get": "/me", "bearer": "${store.?access}",
          "retry": {"when": "\#(retry)", "most": 1, "call": "renew"}},
        "next": [{"when": "response.status == 200", "goto": "home"}, \#(next)]},
        "later": {"rest": true, "after": [{"wait": "1h", "goto": "asking"}]}, "home": {"goal": true}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == "cleared-on-failure" || $0.severity == .error }
    .map {
      $0.summary.split(separator: ":").prefix(2).joined(separator: ":")
        + ($0.message.contains(" behind ") ? " end" : "")
    }
}

/// A sub-flow that a `retry` calls ends for want of a network, and what had to be renewed is the last answer still.
@Suite struct LostInRetryTests {
  private static let clears = #""do": [{"clear": "refresh"}], "goto": "later"}"#
  private static let lost = ["cleared-on-failure x.json:12 end"]

  @Test(arguments: [
    "response.status == 401", "response.status in [401, 403]", "result.ended != null && result.ended != 'renewed'",
    "response.status == 401 && result.ended != 'refused'",
  ])
  func whatIsClearedBehindAnEndIsTold(when: String) {
    let next = #"{"when": "\#(when)", \#(Self.clears), {"goto": "later"}"#
    #expect(told(next: next) == Self.lost)
    #expect(told(retry: "challenged", next: next) == Self.lost)
  }

  @Test(arguments: [
    "response.challenge.?bearer.hasValue()", "present(response.challenge.?bearer)",
    "response.status >= 400 && response.status < 404", "response.status > 401 && response.status < 404",
    "response.status / 100 == 4", "response.json.?error.orValue('') == 'token_expired'",
    "!(response.status == 200 || response.failure != null)",
  ])
  func howTheRetryAsksDoesNotMatter(retry: String) {
    let troubled = "result.ended != null && result.ended != 'renewed'"
    #expect(told(retry: retry, next: #"{"when": "\#(troubled)", \#(Self.clears), {"goto": "later"}"#) == Self.lost)
    let refused = "result.ended == 'refused'"
    #expect(told(retry: retry, next: #"{"when": "\#(refused)", \#(Self.clears), {"goto": "later"}"#) == [])
  }

  /// Behind a challenge 403 is nobody's doing but the service's.
  @Test func whatAChallengeDoesNotComeWithIsNoneOfIt() {
    let next = #"{"when": "response.status == 403", \#(Self.clears), {"goto": "later"}"#
    #expect(told(retry: "response.challenge.?bearer.hasValue()", next: next) == [])
  }

  /// It is the condition of the `retry` or a part of it, whatever it looks at.
  @Test func whatHoldsForWhatIsTriedAgainIsTaken() {
    let next = #"{"when": "challenged", \#(Self.clears), {"goto": "later"}"#
    #expect(told(retry: "challenged", next: next) == Self.lost)
    #expect(told(next: next) == [])
  }

  @Test(arguments: [
    "result.ended == 'refused'", "response.status == 401 && result.ended == 'refused'", "result.ended == 'renewed'",
    "response.status == 403", "response.status == 401 && !present(response.json.?again)",
  ])
  func whoClearsWhereItWasRefusedAloneIsNot(when: String) {
    #expect(told(next: #"{"when": "\#(when)", \#(Self.clears), {"goto": "later"}"#) == [])
  }

  private static let expired = "response.status == 401 && response.json.?error.orValue('') == 'token_expired'"

  /// The answer that is tried again behind the sub-flow may be one that they leave.
  @Test(arguments: [
    "response.status == 401 && response.json.?error.orValue('') == 'session_revoked'", "response.status == 404",
    "response.status == 401 && response.json.?error.orValue('') == 'session_revoked' || result.ended == 'refused'",
    "response.status == 401 && present(response.json.?blocked)",
  ])
  func whatMayTakeTheAnswerBeforeSilencesNothing(first: String) {
    let next = #"{"when": "\#(first)", "goto": "later"}, {"when": "result.ended == 'not now'", \#(Self.clears), "#
    #expect(told(retry: Self.expired, next: next + #"{"goto": "later"}"#) == Self.lost)
    let byHeader = "response.status == 401 && response.challenge.?bearer.?error.orValue('') == 'invalid_token'"
    #expect(told(retry: byHeader, next: next + #"{"goto": "later"}"#) == Self.lost)
  }

  @Test(arguments: [
    "response.status == 401 && response.json.?error.orValue('') in ['token_expired', 'session_revoked']",
    "response.status == 401 && response.json.?error.orValue('') == 'token_expired'", "present(store.access)",
    "response.status == 401", "result.ended == 'not now'",
  ])
  func whatMayCoverItSilencesIt(first: String) {
    let next = #"{"when": "\#(first)", "goto": "later"}, {"when": "result.ended == 'not now'", \#(Self.clears), "#
    #expect(told(retry: Self.expired, next: next + #"{"goto": "later"}"#) == [])
  }

  /// No sub-flow has ended where the first try had no answer.
  @Test func itsOwnFailureIsToldPastWhatItSaysOfEnds() {
    let next =
      #"{"when": "result.ended == 'not now'", "goto": "later"}, "#
      + #"{"do": [{"clear": ["access", "refresh"]}], "goto": "later"}"#
    #expect(told(next: next) == ["cleared-on-failure x.json:12"])
    #expect(
      told(retry: "response.failure != null || response.status in [429, 503]", next: next) == [])
  }
}
