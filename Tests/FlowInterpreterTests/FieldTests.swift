import FlowInterpreter
import Testing

/// What comes with screens and emits says which of it is secret.
@Suite(.timeLimit(.minutes(20))) struct FieldTests {
  private static let flow = #"""
    {"flow": "flow", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
      "store": {"pin": {"type": "string", "secret": true}, "name": {"type": "string"}},
      "events": {"user.enters": {"fields": {"pin": {"type": "string", "secret": true}, "name": {"type": "string"}}}},
      "emits": {"entered": {"pin": {"type": "string", "secret": true}, "digits": {"type": "list", "secret": true}}},
      "start": "a",
      "states": {
        "a": {"rest": true, "on": {"user.enters": {
          "do": [{"set": {"pin": "${event.pin}", "name": "${event.name}"}}], "goto": "b"}}},
        "b": {"goal": true, "do": [{"emit": {"entered": {"pin": "${store.pin}", "digits": [7]}}}, {"show": {"all": {
          "name": "${store.name}", "pin": "${store.pin}", "words": "it is ${store.pin}", "pins": ["${store.pin}"]}}}]}}}
    """#

  /// A number has no mark, and is hidden where the name of a secret still stands over it.
  @Test func aNumberUnderASecretNameIsHidden() async throws {
    let text = #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
          "api": {"kind": "service", "url": "https://api.example", "secrets": ["json.pin", "query.n"]}},
        "emits": {"came": {"all": {"type": "json"}, "n": {"type": "json"}}}, "start": "ask",
        "states": {"ask": {"request": {"to": "api", "get": "/x"}, "next": [{"when": "response.status == 200", "do": [
            {"emit": {"came": {"all": "${response.json}", "n": "${response.json.more}"}}},
            {"show": {"s": {"pin": "${response.json.pin}", "list": ["${response.json}"], "n": "${response.json.more}", "none": "${response.json.out}"}}}],
          "goto": "done"}, {"goto": "done"}]}, "done": {"goal": true}}}
      """#
    let adapter = ScriptedAdapter()
    let session = try FlowSession(
      CheckedFlow(at: "x.json") { _ in Array(text.utf8) }, live: LiveServices(["api"], through: adapter),
      clock: ManualClock())
    _ = try await withRunning(session) { listener in
      try await adapter.next().answer(200, #"{"pin": 73165409, "more": {"n": 5}, "out": {"pin": null}}"#)
      try await listener.listen { if case .emitted("came", _) = $0 { true } else { false } }
      guard case .emitted(_, let emitted) = listener.heard.last else { throw CancellationError() }
      #expect(emitted.secrets == ["all"] && "\(emitted)".hasPrefix("[all: ••••••••, n: "))
      #expect(emitted["all"]?.map?["pin"] == 73_165_409)
      try await listener.listen { if case .shown("s", _) = $0 { true } else { false } }
      guard case .shown(_, let shown) = listener.heard.last else { throw CancellationError() }
      #expect(shown.secrets == ["list", "pin"] && !"\(shown)".contains("73165409"))
    }
  }

  @Test func aScreenSaysWhichOfItsValuesAreSecret() async throws {
    let flow = try CheckedFlow(at: "flow.json") { _ in Array(Self.flow.utf8) }
    let session = try FlowSession(flow, clock: ManualClock())
    _ = try await withRunning(session) { listener in
      try await listener.state("a")
      try await session.person(.event("user.enters"), with: ["pin": "c4nary", "name": "Ada"])
      try await listener.state("b")
      try await listener.listen { $0 == .emitted("entered", ["pin": "c4nary", "digits": [7]]) }
      guard case .emitted(_, let emitted) = listener.heard.last else { throw CancellationError() }
      #expect(emitted.secrets == ["pin", "digits"] && "\(emitted)" == "[digits: ••••••••, pin: ••••••••]")
      try await listener.listen { if case .shown("all", _) = $0 { true } else { false } }
      guard case .shown(_, let shown) = listener.heard.last else { throw CancellationError() }
      #expect(shown.secrets == ["pin", "words", "pins"])
      #expect(shown["pin"] == "c4nary" && shown["name"] == "Ada" && shown["other"] == nil)
      var dumped = ""
      dump(shown, to: &dumped)
      for logged in ["\(shown)", String(reflecting: shown), dumped] {
        #expect(!logged.contains("c4nary") && logged.contains("Ada"), "\(logged)")
      }
    }
  }
}
