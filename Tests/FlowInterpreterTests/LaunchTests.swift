import FlowInterpreter
import Testing

/// A flow that is opened by links, and redeems each with a request.
private enum Opened {
  static func checked() throws -> CheckedFlow {
    let text = #"""
      {"flow": "opened", "participants": {
          "app": {"kind": "app", "links": {"in": "https://app.example/in/{code}", "at": "https://app.example/at/{place}"}},
          "server": {"kind": "service", "url": "https://server.example"}},
        "store": {"code": {"type": "string"}},
        "events": {"link.in": {"fields": {"code": {"type": "string"}}}, "link.at": {"fields": {"place": {"type": "string"}}}},
        "emits": {"at": {"place": {"type": "string"}}},
        "start": "starting", "states": {
          "starting": {"request": {"to": "server", "get": "/start"}, "next": [{"goto": "open"}]},
          "open": {"goal": true, "on": {
            "link.in": {"do": [{"set": {"code": "${event.code}"}}], "goto": "redeeming"},
            "link.at": {"do": [{"emit": {"at": {"place": "${event.place}"}}}]}}},
          "redeeming": {"request": {"to": "server", "get": "/in/${store.code}"}, "next": [{"goto": "open"}]}}}
      """#
    return try CheckedFlow(at: "opened.json") { _ in Array(text.utf8) }
  }
}

/// What the system opens the app with before it runs.
@Suite(.timeLimit(.minutes(20))) struct LaunchTests {
  @Test func linksThatCameBeforeTheLaunchAreOfferedInOrder() async throws {
    let adapter = ScriptedAdapter()
    let session = try FlowSession(
      Opened.checked(), live: LiveServices(["server"], through: adapter), clock: ManualClock())
    for link in ["in/a", "in/b", "at/c", "at/d"] {
      #expect(try await session.arrive(at: "https://app.example/\(link)") == .taken)
    }
    _ = try await withRunning(session) { listener in
      // Each waits for a state that waits for no answer.
      for path in ["start", "in/a", "in/b"] {
        let sent = try await adapter.next()
        #expect(sent.request.url == "https://server.example/\(path)")
        sent.answer(200)
      }
      try await listener.listen { $0 == .emitted("at", ["place": "c"]) }
      try await listener.listen { $0 == .emitted("at", ["place": "d"]) }
    }
  }

  @Test func aLinkThatComesWhileTheLaunchWaitsIsOfferedBehindIt() async throws {
    let adapter = ScriptedAdapter()
    let session = try FlowSession(
      Opened.checked(), live: LiveServices(["server"], through: adapter), clock: ManualClock())
    try await session.arrive(at: "https://app.example/in/a")
    _ = try await withRunning(session) { listener in
      let start = try await adapter.next()
      #expect(try await session.arrive(at: "https://app.example/at/b") == .taken)
      start.answer(200)
      let sent = try await adapter.next()
      #expect(sent.request.url == "https://server.example/in/a")
      #expect(try await session.arrive(at: "https://app.example/at/c") == .taken)
      sent.answer(200)
      try await listener.listen { $0 == .emitted("at", ["place": "b"]) }
      try await listener.listen { $0 == .emitted("at", ["place": "c"]) }
      try await listener.listen { $0 == .waiting }
      // From then on a link is for the state that the app is in.
      try await session.arrive(at: "https://app.example/in/d")
      try await listener.state("redeeming")
      #expect(try await session.arrive(at: "https://app.example/at/e") == .ignored)
    }
  }

  @Test func whatComesBackFromAPageOfTheLaunchIsTakenAtOnce() async throws {
    let text = #"""
      {"flow": "paged", "participants": {"app": {"kind": "app", "redirectUris": ["com.example:/back"]},
          "browser": {"kind": "browser"}, "server": {"kind": "service", "url": "https://server.example"}},
        "start": "starting", "states": {
          "starting": {"do": [{"open": {"to": "server", "get": "/page"}}], "request": {"to": "server", "get": "/start"},
            "next": [{"goto": "started"}], "on": {"browser.redirected": {"goto": "back"}}},
          "started": {"goal": true}, "back": {"goal": true}}}
      """#
    let flow = try CheckedFlow(at: "paged.json") { _ in Array(text.utf8) }
    let session = try FlowSession(
      flow, live: LiveServices(["server"], through: ScriptedAdapter()), clock: ManualClock())
    _ = try await withRunning(session) { listener in
      try await session.arrive(at: "com.example:/back")
      try await listener.state("back")
    }
  }
}
