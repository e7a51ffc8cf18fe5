import FlowInterpreter
import Testing

/// What holds of all that a session has told, for whoever has not heard it.
@Suite(.timeLimit(.minutes(20))) struct CurrentTests {
  @Test func theStateTheScreenAndTheAskHoldUntilTheNext() async throws {
    let session = try FlowSession(
      Journey.checked(), device: FlowDevice(isLive: true), clock: ManualClock(), store: Self.signedIn)
    #expect(await session.current == [])
    let ready = FlowOutput.entered(state: "ready", subflow: nil, title: nil, isGoal: true)
    _ = try await withRunning(session) { listener in
      try await listener.listen { $0 == .waiting }
      #expect(await session.current == [ready])
      try await session.person(.event("user.signs"))
      try await listener.listen { $0 == .waiting }
      let signing = FlowOutput.entered(state: "signing", subflow: nil, title: nil, isGoal: false)
      let current = await session.current
      guard current.count == 2, current[0] == signing, case .asked(let ask, "sign", ["text": "hello"]) = current[1]
      else {
        Issue.record("\(current)")
        return
      }
      try await session.performed(["signature": "signed"], for: ask)
      try await listener.listen { $0 == .waiting }
      let shown = FlowOutput.shown(screen: "signed", ["with": "signed"])
      #expect(await session.current == [ready, shown])
      // What a kill takes is not there any more.
      await session.kill()
      try await listener.listen { $0 == .waiting }
      #expect(await session.current == [])
      await session.launch()
      try await listener.listen { $0 == .waiting }
      #expect(await session.current == [ready])
    }
    // It is over: nothing holds any more.
    #expect(await session.current == [])
  }

  @Test func nothingHoldsOnceTheSessionIsOver() async throws {
    let ends: [@Sendable (FlowSession) async throws -> Void] = [
      { try await $0.person(.event("user.leaves")) }, { await $0.stop() },
    ]
    for end in ends {
      let session = try FlowSession(Journey.checked(), clock: ManualClock(), store: Self.signedIn)
      _ = try await withRunning(session) { listener in
        try await session.person(.event("user.signs"))
        try await listener.listen { if case .shown = $0 { true } else { false } }
        #expect(await session.current.count == 2)
        try await end(session)
        #expect(await session.current == [])
        _ = await listener.rest()
        #expect(await session.current == [])
      }
    }
  }

  @Test func aPageHoldsUntilItIsClosedOrTheFlowEnds() async throws {
    let session = try FlowSession(
      Journey.checked(), live: LiveServices(["auth"], through: ScriptedAdapter()), clock: ManualClock())
    _ = try await withRunning(session) { listener in
      var pages: [FlowOutput] = []
      for _ in 0..<2 {
        try await session.person(.event("user.signsIn"))
        try await listener.listen { if case .opened = $0 { true } else { false } }
        pages.append(try #require(listener.heard.last))
        try await listener.listen { $0 == .waiting }
        #expect(await session.current.dropFirst() == [pages[pages.count - 1]])
        guard pages.count == 1 else { break }
        try await session.person(.closesBrowser)
        try await listener.listen { $0 == .waiting }
        #expect(await session.current == [.entered(state: "out", subflow: nil, title: nil, isGoal: false)])
      }
      #expect(pages[0] != pages[1])
      try await session.person(.event("user.leaves"))
      try await listener.listen { $0 == .closedBrowser }
    }
    #expect(await session.current == [])
  }

  private static let signedIn = FlowStore(
    bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"kept","expiresAt":"2126-01-01T00:00:00Z"}}"#.utf8))
}
