import FlowInterpreter
import Synchronization
import Testing

/// A flow that asks its server a second after it has begun, and counts the hours.
private enum Watch {
  private static let flow = #"""
    {
      "flow": "watch", "title": "A watch",
      "participants": { "user": { "kind": "person" }, "app": { "kind": "app" },
        "server": { "kind": "service", "url": "https://server.example" } },
      "store": { "asked": { "type": "bool", "initial": false }, "n": { "type": "int", "initial": 0 } },
      "events": { "user.looks": {}, "user.counts": {} },
      "emits": { "counted": { "n": { "type": "int" } } },
      "on": { "user.looks": {} },
      "start": "waiting",
      "states": {
        "waiting": { "rest": true, "on": { "user.counts": { "goto": "counting" } }, "after": [{ "wait": "1s", "goto": "asking" }] },
        "asking": { "do": [{ "set": { "asked": true } }], "request": { "to": "server", "get": "/" },
          "next": [{ "when": "response.failure == 'lost'", "goto": "unsure" }, { "goto": "answered" }] },
        "unsure": { "goal": true }, "answered": { "goal": true },
        "counting": { "goal": true, "after": [{ "wait": "1h", "do": [
          { "set": { "n": "${store.n + 1}" } }, { "emit": { "counted": { "n": "${store.n}" } } }], "goto": "counting" }] }
      }
    }
    """#

  static func session(
    _ adapter: any Adapter = Prompt(), on clock: ManualClock,
    keep: @escaping @Sendable (FlowStore) async throws -> Void = { _ in }
  ) throws -> FlowSession {
    let checked = try CheckedFlow(at: "watch.json") { $0 == "watch.json" ? Array(flow.utf8) : nil }
    return try FlowSession(
      checked, live: LiveServices(["server"], through: adapter), clock: clock, traces: true, keep: keep)
  }

  /// A server that answers at once.
  struct Prompt: Adapter {
    func answer(to request: AdapterRequest) async throws(AdapterFailure) -> AdapterResponse {
      AdapterResponse(status: 200)
    }
  }
}

/// The machine slept, the app was suspended, or something else took its time.
@Suite(.timeLimit(.minutes(20))) struct SleepTests {
  @Test func whatATimerAskedForAsleepGoesOutOnWaking() async throws {
    let clock = ManualClock()
    _ = try await withRunning(try Watch.session(on: clock)) { listener in
      try await listener.listen { $0 == .waiting }
      clock.move(by: .seconds(3600))
      try await listener.listen { $0.line?.contains(#""kind":"answer""#) == true }
      #expect(
        listener.heard.tell(#""at":1000,"kind":"request""#, #""at":3600000,"kind":"clock""#, #""status":200"#),
        "\(listener.heard)")
    }
  }

  @Test func theTimeOfARequestBeginsWhenItGoesOut() async throws {
    let (clock, adapter) = (ManualClock(), ScriptedAdapter())
    _ = try await withRunning(try Watch.session(adapter, on: clock)) { listener in
      try await listener.listen { $0 == .waiting }
      clock.move(by: .seconds(20))
      #expect(try await adapter.next().request.timeout == .seconds(30))
      clock.move(by: .seconds(60))
      try await listener.state("unsure")
      #expect(listener.heard.tell(#""at":1000,"kind":"request""#, #""at":50000,"kind":"answer""#), "\(listener.heard)")
    }
  }

  @Test func whatTheStoreHadToBeKeptForGoesOutBehindIt() async throws {
    let clock = ManualClock()
    let (isKept, kept) = AsyncStream.makeStream(of: Void.self)
    let (isKeeping, keeping) = AsyncStream.makeStream(of: Void.self)
    let session = try Watch.session(on: clock) { _ in
      keeping.finish()
      for await _ in isKept {}
    }
    _ = try await withRunning(session) { listener in
      try await listener.listen { $0 == .waiting }
      clock.move(by: .seconds(1))
      for await _ in isKeeping {}
      clock.move(by: .seconds(35))
      // Whatever happens meanwhile makes the session look at the clock.
      try await session.person(.event("user.looks"))
      kept.finish()
      try await listener.listen { $0.line?.contains(#""kind":"answer""#) == true }
      #expect(listener.heard.tell(#""at":1000,"kind":"request""#, #""status":200"#), "\(listener.heard)")
    }
  }

  @Test func anAnswerThatIsThereOnWakingIsBelieved() async throws {
    // Nobody has looked at the clock since: the answer is what makes the session look.
    let journey = try LiveJourney()
    let heard = try await journey.afterRedeeming("ready") { sent in
      while journey.clock.sleepers == 0 { await Task.yield() }
      journey.clock.move(by: .seconds(40), waking: false)
      sent.answer(200, #"{"access_token": "t-1"}"#)
    }
    #expect(heard.tell(#""at":10000,"kind":"answer""#), "\(heard)")
  }

  /// What is told to the session meanwhile waits, too: the link that has brought the app back.
  @Test(arguments: [true, false]) func anAnswerThatIsHandedOverAfterWakingIsBelieved(isTold: Bool) async throws {
    let journey = try LiveJourney(grace: .seconds(600))
    let heard = try await journey.afterRedeeming("ready") { sent in
      while journey.clock.sleepers == 0 { await Task.yield() }
      journey.clock.move(by: .seconds(40), waking: !isTold)
      let telling = isTold ? Task { try await journey.session.person(.event("user.writes")) } : nil
      try await Task.sleep(for: .milliseconds(100))
      sent.answer(200, #"{"access_token": "t-1"}"#)
      _ = try await telling?.value
    }
    #expect(heard.tell(#""at":10000,"kind":"answer""#), "\(heard)")
  }

  @Test func whatDoesNotComeIsWaitedForNoLongerThanTheClockSays() async throws {
    let journey = try LiveJourney(grace: .milliseconds(50))
    _ = try await journey.afterRedeeming("unsure") { _ in
      while journey.clock.sleepers == 0 { await Task.yield() }
      journey.clock.move(by: .seconds(40))
    }
  }

  /// An adapter that gives up meanwhile knows no more than the session.
  @Test func thatThereIsNoAnswerIsSaidByTheTimeOut() async throws {
    let journey = try LiveJourney()
    let heard = try await journey.afterRedeeming("unsure") { sent in
      while journey.clock.sleepers == 0 { await Task.yield() }
      journey.clock.move(by: .seconds(40), waking: false)
      sent.fail(.lost, "the line was cut")
      for _ in 0..<100 { await Task.yield() }
      journey.clock.move(by: .seconds(1))
    }
    #expect(heard.tell(#""reason":"no answer in time""#) && !heard.tell("the line was cut"), "\(heard)")
  }

  @Test func ofTwoAnswersThatAreThereOnWakingEachIsBelieved() async throws {
    let (clock, adapter) = (ManualClock(), ScriptedAdapter())
    let session = try FlowSession(
      Two.checked(), live: LiveServices(["back"], through: adapter), clock: clock, traces: true)
    _ = try await withRunning(session) { listener in
      let sent = [try await adapter.next(), try await adapter.next()]
      while clock.sleepers == 0 { await Task.yield() }
      clock.move(by: .seconds(3600), waking: false)
      for request in sent { request.answer(200, #"{"title": "Both"}"#) }
      var awaited = [#""state":"done""#, #""page":"Both""#]
      try await listener.listen { output in
        awaited.removeAll { output.line?.contains($0) == true }
        return awaited.isEmpty
      }
    }
  }

  @Test func whatFellDueIsToldAndKeptPieceByPiece() async throws {
    let clock = ManualClock()
    let running = Mutex<FlowSession?>(nil)
    let seen = Mutex<[FlowStore]>([])
    let session = try Watch.session(on: clock) { _ in
      let session = running.withLock { $0 }
      if let store = await session?.store { seen.withLock { $0.append(store) } }
    }
    running.withLock { $0 = session }
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.counts"))
      try await listener.state("counting")
      try await listener.listen { $0 == .waiting }
      clock.move(by: .seconds(3600 * 5000))
      // It does not wait before it has caught up.
      try await listener.listen { $0 == .waiting }
      #expect(listener.heard.contains(.emitted("counted", ["n": 5000])))
    }
    running.withLock { $0 = nil }
    // What the session had come to by the time that the first count was kept.
    let first = seen.withLock { $0.first.map { String(decoding: $0.bytes, as: UTF8.self) } }
    #expect(first == #"{"format":1,"flow":"watch","store":{"asked":false,"n":1000}}"#)
  }

  @Test func whatIsToldBehindALongSleepWaitsForWhatFellDue() async throws {
    let tellings: [@Sendable (FlowSession) async throws -> Void] = [
      { try await $0.person(.event("user.looks")) },
      { try await $0.network(isOnline: false) },
    ]
    for tell in tellings {
      let clock = ManualClock()
      let first = Mutex<FlowStore?>(nil)
      let session = try Watch.session(on: clock) { store in first.withLock { $0 = $0 ?? store } }
      _ = try await withRunning(session) { listener in
        try await session.person(.event("user.counts"))
        try await listener.state("counting")
        try await listener.listen { $0 == .waiting }
        // Nobody looks at the clock meanwhile: what is told is what makes the session look.
        clock.move(by: .seconds(3600 * 5000), waking: false)
        try await tell(session)
        // The first count was told and kept before the last had happened.
        #expect(first.withLock { $0 } != nil)
        try await listener.listen { $0 == .waiting }
        let last = try #require(listener.heard.lastIndex(of: .emitted("counted", ["n": 5000])))
        #expect(Array(listener.heard[last...]).tell(#""at":18000000000,"kind":"#))
      }
    }
  }

  @Test func whoWaitsBehindALongSleepHearsThatTheSessionIsOver() async throws {
    let clock = ManualClock()
    let running = Mutex<FlowSession?>(nil)
    let session = try Watch.session(on: clock) { _ in await running.withLock { $0 }?.stop() }
    running.withLock { $0 = session }
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.counts"))
      try await listener.state("counting")
      try await listener.listen { $0 == .waiting }
      clock.move(by: .seconds(3600 * 5000), waking: false)
      await #expect(throws: InputError.notRunning) { try await session.person(.event("user.looks")) }
    }
    running.withLock { $0 = nil }
  }

  @Test func whatIsFarBehindTheClockIsKilledWhereItStands() async throws {
    let clock = ManualClock()
    let session = try Watch.session(on: clock)
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.counts"))
      try await listener.state("counting")
      let revision = await session.standing.revision
      await session.at(revision) { session in
        clock.move(by: .seconds(3600 * 5000), waking: false)
        session.timePasses()
        session.interrupt()
      }
      _ = await listener.rest()
      let counted = listener.heard.count { if case .emitted("counted", _) = $0 { true } else { false } }
      #expect(counted == 2000)
    }
  }
}
