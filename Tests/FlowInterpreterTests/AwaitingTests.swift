import FlowInterpreter
import Testing

extension [FlowOutput] {
  /// Whether an answer was awaited, each time that it was told.
  fileprivate var awaited: [Bool] {
    compactMap { if case .awaitsAnswer(let awaits) = $0 { awaits } else { nil } }
  }
}

/// A flow that asks twice in a row, and tries again where nothing was sent.
private enum Asking {
  static func session(through adapter: ScriptedAdapter?, on clock: ManualClock) throws -> FlowSession {
    let text = #"""
      {"flow": "asking", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
          "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}},
        "events": {"user.asks": {}, "user.stops": {}, "user.leaves": {}, "user.notes": {}, "user.breaks": {}},
        "store": {"notes": {"type": "int", "initial": 0}},
        "start": "open", "on": {"user.notes": {"do": [{"set": {"notes": "${store.notes + 1}"}}]},
          "user.breaks": {"do": [{"set": {"notes": "${[1][store.notes + 7]}"}}]}}, "states": {
          "open": {"goal": true, "on": {"user.asks": {"goto": "first"}}},
          "first": {"request": {"to": "api", "get": "/first", "timeout": "10s",
              "retry": {"most": 1, "wait": "2s", "when": "response.failure == 'unreachable'"}},
            "on": {"user.stops": {"goto": "open"}, "user.leaves": {"end": "left"}},
            "next": [{"when": "response.status == 200", "goto": "second"}, {"goto": "open"}]},
          "second": {"request": {"to": "api", "get": "/second"}, "next": [{"goto": "open"}]}}}
      """#
    let api = #"{"service": "api", "routes": [{"on": "GET /{any}", "next": [{"reply": {"status": 200}}]}]}"#
    let flow = try CheckedFlow(at: "asking.json") { Array(($0 == "asking.json" ? text : api).utf8) }
    let live = adapter.map { LiveServices(["api"], through: $0) } ?? .none
    return try FlowSession(flow, live: live, clock: clock)
  }
}

/// Whether the app waits for an answer, as a spinner shows it.
@Suite(.timeLimit(.minutes(20))) struct AwaitingTests {
  private let adapter = ScriptedAdapter()
  private let clock = ManualClock()

  @Test func anAnswerIsAwaitedFromTheRequestToTheLastAnswer() async throws {
    let session = try Asking.session(through: adapter, on: clock)
    _ = try await withRunning(session) { listener in
      try await listener.listen { $0 == .waiting }
      #expect(listener.heard.awaited == [])
      #expect(await session.current.count == 1)
      try await session.person(.event("user.asks"))
      let first = try await adapter.next()
      try await listener.listen { $0 == .waiting }
      #expect(listener.heard.suffix(2) == [.awaitsAnswer(true), .waiting])
      #expect(await session.current.last == .awaitsAnswer(true))
      // What does not leave the state changes nothing.
      try await session.person(.event("user.notes"))
      // The next request goes out at once.
      first.answer(200)
      try await adapter.next().answer(200)
      try await listener.state("open")
      try await listener.listen { $0 == .waiting }
      #expect(listener.heard.suffix(2) == [.awaitsAnswer(false), .waiting])
      #expect(listener.heard.awaited == [true, false], "\(listener.heard)")
      #expect(await session.current.count == 1)
    }
    #expect(FlowOutput.awaitsAnswer(true).description == "awaits an answer")
    #expect(FlowOutput.awaitsAnswer(false).description == "awaits no answer")
  }

  @Test func itIsAwaitedBetweenTwoTriesToo() async throws {
    let session = try Asking.session(through: adapter, on: clock)
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.asks"))
      try await adapter.next().fail(.unreachable, "refused")
      while await session.standing.due != clock.now + .seconds(2) { await Task.yield() }
      #expect(await session.current.last == .awaitsAnswer(true))
      while clock.sleepers == 0 { await Task.yield() }
      clock.move(by: .seconds(2))
      try await adapter.next().fail(.lost, "broken")
      try await listener.listen { $0 == .awaitsAnswer(false) }
      try await listener.listen { $0 == .waiting }
      #expect(listener.heard.awaited == [true, false], "\(listener.heard)")
    }
  }

  @Test func whoLeavesTheStateAwaitsNothingAnyMore() async throws {
    let session = try Asking.session(through: adapter, on: clock)
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.asks"))
      try await listener.listen { $0 == .awaitsAnswer(true) }
      try await session.person(.event("user.stops"))
      try await listener.listen { $0 == .awaitsAnswer(false) }
      try await session.person(.event("user.asks"))
      try await listener.listen { $0 == .awaitsAnswer(true) }
      await session.kill()
      try await listener.listen { $0 == .awaitsAnswer(false) }
    }
  }

  @Test func nothingIsAwaitedOnceTheSessionIsOver() async throws {
    let ends: [@Sendable (FlowSession, Task<String, any Error>) async throws -> Void] = [
      { session, _ in try await session.person(.event("user.leaves")) },
      { session, _ in try await session.person(.event("user.breaks")) },
      { session, _ in await session.stop() }, { _, run in run.cancel() },
    ]
    for end in ends {
      let session = try Asking.session(through: adapter, on: clock)
      var listener = Listener(session)
      let run = Task { try await session.run() }
      try await listener.state("open")
      try await session.person(.event("user.asks"))
      try await listener.listen { $0 == .awaitsAnswer(true) }
      try await end(session, run)
      let heard = await listener.rest()
      #expect(heard.awaited == [true, false], "\(heard)")
      _ = try? await run.value
    }
  }

  @Test func aSimulatedServiceAnswersAtOnce() async throws {
    let session = try Asking.session(through: nil, on: clock)
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.asks"))
      try await listener.state("second")
      try await listener.state("open")
      try await listener.listen { $0 == .waiting }
      #expect(listener.heard.awaited == [], "\(listener.heard)")
    }
  }
}
