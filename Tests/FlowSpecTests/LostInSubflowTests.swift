import FlowSpec
import Testing

/// What is said of a flow that renews its token in a sub-flow, with this behind its answer and behind its end.
private func told(end: String = #"{"end": "not renewed"}"#, next: String) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example"}},
      "store": {"refresh": {"type": "string", "secret": true}},
      "flows": {"renew": {"ends": ["renewed", "refused", "not renewed"], "start": "asking", "states": {
        "asking": {"request": {"to": "api", "post": "/token", "json": {"refresh": "${store.?refresh}"}}, "next": [
          {"when": "response.status == 200", "do": [{"set": {"refresh": "${response.json.refresh}"}}], "end": "renewed"},
          {"when": "response.status == 401", "end": "refused"}, \#(end)]},
        "over": {"end": "not renewed"}}}},
      "start": "renewing", "states": {"renewing": {"call": "renew", "next": [
          {"when": "result.ended == 'renewed'", "goto": "home"}, \#(next)]},
        "later": {"rest": true}, "home": {"goal": true}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == "cleared-on-failure" || $0.code.hasPrefix("unknown") }
    .map { "\($0.code): \($0.message)" }
}

/// A sub-flow ends for want of a network, and who called it signs the person out.
@Suite struct LostInSubflowTests {
  private static let cleared =
    "cleared-on-failure: where the service cannot be reached this clears the secret \"refresh\" behind the end of the "
    + "sub-flow, though nobody has refused it"
  private static let clears = #"{"do": [{"clear": "refresh"}], "goto": "later"}"#

  @Test func whatACallerClearsBehindAnEndIsTold() {
    #expect(told(next: Self.clears) == [Self.cleared])
    #expect(
      told(
        next: #"{"when": "result.ended in ['refused', 'not renewed']", "#
          + Self.clears.dropFirst() + #", {"goto": "later"}"#) == [Self.cleared])
    let state = #"{"goto": "over"}"#
    #expect(told(end: state, next: Self.clears) == [Self.cleared])
  }

  @Test func whoClearsWhereItWasRefusedAloneIsNot() {
    let refused = #"{"when": "result.ended == 'refused'", "#
    #expect(told(next: refused + Self.clears.dropFirst() + #", {"goto": "later"}"#) == [])
    // What else a condition looks at may come to anything.
    let unsure = #"{"when": "result.ended == 'not renewed' && device.native", "#
    #expect(told(next: unsure + Self.clears.dropFirst() + #", {"goto": "later"}"#) == [])
  }

  @Test func itsOwnClearIsToldAsItsOwn() {
    let own = #"{"do": [{"clear": "refresh"}], "end": "not renewed"}"#
    #expect(
      told(end: own, next: #"{"goto": "later"}"#) == [
        Self.cleared.replacing(" behind the end of the sub-flow", with: "")
      ])
  }
}
