import FlowSpec
import Testing

/// What is said of a request that is sent again where its answer was lost, and of what it sends, cleared where it could not
/// be sent.
private func told(
  _ path: String, _ form: String, made: String = "fresh('s')", again: String = "",
  done: String = "", code: String = "unsafe-retry"
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "config": {"x": {"type": "string", "value": "x"}}, "store": {"secret": {"type": "string", "secret": true}}, "events": {"user.in": {}},
     "start": "out", "states": {
       "out": {"rest": true, "on": {"user.in": {"do": [{"set": {"secret": "${\#(made)}"}}], "goto": "asking"}}},
       "asking": {"request": {"to": "id", "post": "\#(path)", "form": {\#(form)},
           "retry": {"when": "response.failure == 'lost'", "most": 1, "wait": "1s"\#(again)}},
         "next": [{"when": "response.status == 200", \#(done)"goto": "home"}, {"when": "response.status == 400", "goto": "out"},
           {"do": [{"clear": ["secret"]}], "goto": "out"}]},
       "home": {"goal": true, "on": {"user.in": {"when": "present(store.secret)"}}}}}
    """#
  ])
  return documents.told(code, beside: ["secret-in-url"]).map { $0.labels[0].text }
}

/// Requests that may be sent twice, and what is of one try alone.
@Suite struct RepeatableRequestTests {
  private static let found = ["holds for response.failure == 'lost'"]

  @Test func aRevocationIsKnownByItsAddress() {
    #expect(told("/oauth/revoke", #""token": "${store.secret}""#) == [])
    #expect(told("/revocations", #""token": "${store.secret}""#) == [])
    #expect(told("/welcome", #""token": "${store.secret}""#) == Self.found)
  }

  /// Of two that were pushed one is used (RFC 9126).
  @Test func anAuthorizationRequestMayBePushedTwice() {
    #expect(
      told(
        "/par", #""response_type": "code", "code_challenge": "${s256(store.secret)}", "code_challenge_method": "S256""#)
        == [])
    #expect(told("/par", #""code_challenge": "${s256(store.secret)}""#) == Self.found)
  }

  @Test func aVerifierOfThisTryMayGoWithIt() {
    #expect(
      told(
        "/par", #""response_type": "code", "code_challenge": "${s256(store.secret)}", "code_challenge_method": "S256""#,
        code: "cleared-on-failure") == [])
    #expect(!told("/par", #""ticket": "${store.secret}""#, code: "cleared-on-failure").isEmpty)
  }

  @Test func whoeverIsSignedOutStaysSo() {
    for path in ["/logout", "/v1/sign-out", "/connect/EndSession", "/devices/unregister"] {
      #expect(told(path, #""refresh": "${store.secret}""#) == [])
    }
    for path in ["/sessions", "/send-session-code", "/blog-outlines", "/design-outputs"] {
      #expect(told(path, #""refresh": "${store.secret}""#) == Self.found)
    }
  }

  private static let sent = #""order": "${store.secret}""#
  private static let done = #""do": [{"clear": ["secret"]}], "#

  /// By an id that is made for what is asked for, whatever its name is.
  @Test func anIdOfTheAppsOwnTellsAFurtherTry() {
    let made = "newId('order')"
    #expect(told("/orders", Self.sent, made: made, done: Self.done) == [])
    #expect(told("/orders/${store.secret}", #""a": "b""#, made: made, done: Self.done) == [])
    #expect(told("/orders", Self.sent, made: "present(store.secret) ? store.secret : \(made)", done: Self.done) == [])
    let anew = #""do": [{"set": {"secret": "${newId('next')}"}}], "#
    #expect(told("/orders", Self.sent, made: made, done: anew) == [])
    #expect(told("/orders", #""order": "no ${store.secret}""#, made: made, done: Self.done) == Self.found)
  }

  /// One that lasts, as the device's, is of all that is asked for, and one that each try has anew of none.
  @Test func anIdOfMoreOrLessTellsNothing() {
    let made = "newId('order')"
    #expect(told("/orders", Self.sent, made: made) == Self.found)
    let again = #", "do": [{"set": {"secret": "${newId('order')}"}}]"#
    #expect(told("/orders", Self.sent, made: made, again: again, done: Self.done) == Self.found)
    let other = again.replacing(made, with: "config.x")
    #expect(told("/orders", Self.sent, made: made, again: other, done: Self.done) == Self.found)
  }
}
