import FlowInterpreter
import Testing

/// An app that shows all that a real service answers to a request with a secret.
private let flow = #"""
  {
    "flow": "back", "title": "Back",
    "participants": { "user": { "kind": "person" }, "app": { "kind": "app" },
      "api": { "kind": "service", "url": "https://api.example" } },
    "store": { "key": { "type": "string", "secret": true, "initial": "canary-0123456789" }, "kept": { "type": "json" } },
    "start": "asking",
    "states": {
      "asking": {
        "request": { "to": "api", "post": "/x", "json": { "deep": ["${store.key}"] } },
        "next": [
          { "when": "response.failure == null",
            "do": [{ "set": { "kept": "${response.json}" } },
              { "show": { "home": { "said": "${store.kept}", "headers": "${response.headers}",
                "text": "${response.text}", "leads": "${response.redirect}" } } }],
            "goto": "done" },
          { "goto": "done" }] },
      "done": { "goal": true }
    }
  }
  """#

/// The trace of what a service answers.
private func trace(_ body: String, _ headers: [AdapterHeader] = []) async throws -> String {
  let adapter = ScriptedAdapter()
  let session = try FlowSession(
    CheckedFlow(at: "back.json") { _ in Array(flow.utf8) }, live: LiveServices(["api"], through: adapter),
    clock: ScriptedClock(), traces: true)
  var heard: [FlowOutput] = []
  _ = try await withRunning(session) { listener in
    try await adapter.next().answer(200, body, headers: headers)
    try await listener.state("done")
    heard = listener.heard
  }
  return heard.compactMap(\.line).joined()
}

/// Section 4: what a real peer says back has lost its marks on the way, and is secret all the same.
@Suite(.timeLimit(.minutes(20))) struct SaidBackTests {
  @Test func inAMessage() async throws {
    let trace = try await trace(#"{"message": "no canary-0123456789!", "more": "plain"}"#)
    #expect(trace.contains(#"{"message":"no <key#1>!","more":"plain"}"#) && !trace.contains("canary"), "\(trace)")
  }

  @Test func inHeadersTextsAndAddresses() async throws {
    for (body, header) in [
      ("", AdapterHeader("www-authenticate", "Bearer error=\"x\", about=\"canary-0123456789\"")),
      ("", AdapterHeader("Location", "https://other.example/canary-0123456789?a=1-canary-0123456789")),
      ("<p>canary-0123456789</p>", AdapterHeader("x-a", "1")),
    ] {
      let trace = try await trace(body, [header])
      #expect(trace.contains("\"show\":\"home\"") && !trace.contains("canary"), "\(trace)")
    }
  }
}
