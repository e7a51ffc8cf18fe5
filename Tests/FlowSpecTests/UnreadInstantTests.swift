import FlowSpec
import Testing

/// What is said of an app that stores an instant so and decides so, and of a service that keeps one in its rows and asks
/// for this.
private func told(
  store: String = #""until": {"type": "timestamp", "group": "session"}"#, when: String = "present(store.token)",
  ask: String = "request.bearer in store.tokens", reply: String = "{}",
  instant: String = "${now + duration('1h')}", made: String = "${now + duration('1h')}"
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example", "model": "id.json"}},
     "store": {"token": {"type": "string", "secret": true, "group": "session"}, \#(store)},
     "events": {"user.in": {}, "user.out": {}},
     "start": "launch", "states": {
       "launch": {"next": [{"when": "\#(when)", "goto": "loading"}, {"goto": "out"}]},
       "out": {"rest": true, "on": {"user.in": {"goto": "asking"}}},
       "asking": {"request": {"to": "id", "post": "/token", "json": {}}, "next": [
         {"when": "response.status == 200", "do": [{"set": {"token": "${response.json.token}", "until": "\#(instant)"}}], "goto": "loading"},
         {"goto": "out"}]},
       "loading": {"request": {"to": "id", "get": "/me", "bearer": "${store.token}"}, "next": [{"goto": "home"}]},
       "home": {"goal": true, "on": {"user.out": {"do": [{"clear": ["session"]}], "goto": "out"}}}}}
    """#,
    "id.json": #"""
    {"service": "id", "secrets": ["token"], "memory": {"made": {"type": "string", "secret": true}},
     "store": {"tokens": {"rows": {"until": {"type": "timestamp"}, "name": {"type": "string"}}}},
     "routes": [
       {"on": "POST /token", "next": [{"do": [{"set": {"made": "${fresh('token')}"}}, {"set": {"tokens[memory.made]": {"until": "\#(made)", "name": "Ada"}}}],
         "reply": {"status": 200, "json": {"token": "${memory.made}"}}}]},
       {"on": "GET /me", "next": [{"when": "\#(ask)", "reply": {"status": 200, "json": \#(reply)}}, {"reply": {"status": 401}}]}]}
    """#,
  ])
  return documents.told("unread-key").map { "\($0.labels[0].site.document.path): \($0.message)" }
}

/// Instants that nothing looks at.
@Suite struct UnreadInstantTests {
  private static let good = "present(store.token) && !expired(store.until)"
  private static let alive = "request.bearer in store.tokens && !expired(store.tokens[request.bearer].until)"

  @Test func whatAnAppStoresAndNeverAsksForIsTold() {
    #expect(
      told(ask: Self.alive) == [#"x.json: nothing looks at the instant "until": what ends then is taken for good"#])
    #expect(told(when: Self.good, ask: Self.alive) == [])
  }

  /// Without a group it belongs to nothing that ends.
  @Test func whatBelongsToNothingIsNot() {
    #expect(told(store: #""until": {"type": "timestamp"}"#, ask: Self.alive) == [])
  }

  @Test func whatAServiceKeepsAndNeverAsksForIsTold() {
    #expect(
      told(when: Self.good) == [
        #"id.json: nothing looks at the instant "tokens[…].until": what ends then is taken for good"#
      ])
  }

  @Test func aRowThatIsReadAsAWholeIsNot() {
    #expect(told(when: Self.good, reply: #"{"row": "${store.tokens[request.bearer]}"}"#) == [])
  }

  /// When somebody signed in is for people.
  @Test func whatIsTheTimeItselfIsNot() { #expect(told(ask: Self.alive, instant: "${now}") == []) }

  @Test func whatARowKeepsOfTheTimeItselfIsNot() {
    #expect(told(when: Self.good, made: "${now}") == [])
  }
}
