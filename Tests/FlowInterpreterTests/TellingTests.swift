import FlowInterpreter
import Synchronization
import Testing

/// Something that a session is told.
private typealias Telling<Result> = @Sendable (isolated FlowSession) async throws -> Result

extension FlowSession {
  /// Tells each of these things in a task of its own, in this order: tasks that an actor makes for itself begin so.
  fileprivate func tell<Result: Sendable>(_ tellings: [Telling<Result>]) -> [Task<Result, any Error>] {
    tellings.map { telling in Task { try await telling(self) } }
  }
}

/// A flow that emits what is typed, with a timer that goes off each second.
private enum Typing {
  static func session(on clock: ManualClock) throws -> FlowSession {
    let text = #"""
      {"flow": "typing", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "events": {"user.types": {"fields": {"n": {"type": "int"}}}}, "emits": {"typed": {"n": {"type": "int"}}},
        "on": {"user.types": {"do": [{"emit": {"typed": {"n": "${event.n}"}}}]}},
        "start": "open", "states": {"open": {"goal": true, "after": [{"wait": "1s", "goto": "open"}]}}}
      """#
    return try FlowSession(CheckedFlow(at: "typing.json") { _ in Array(text.utf8) }, clock: clock)
  }
}

/// What several tell a session that waits, or has not caught up with the clock yet.
@Suite(.timeLimit(.minutes(20))) struct TellingTests {
  private static func redeemAsleep(
    _ journey: LiveJourney, _ listener: inout Listener, waking: Bool = false
  ) async throws -> ScriptedAdapter.Sent {
    let sent = try await journey.redeem(&listener)
    while journey.clock.sleepers == 0 { await Task.yield() }
    journey.clock.move(by: .seconds(40), waking: waking)
    return sent
  }

  @Test(arguments: [true, false]) func whoIsCancelledDoesNotShortenTheWaitForAnswers(wakes: Bool) async throws {
    let journey = try LiveJourney(grace: .seconds(600))
    _ = try await withRunning(journey.session) { listener in
      let sent = try await Self.redeemAsleep(journey, &listener, waking: wakes)
      let telling = Task { try await journey.session.person(.event("user.leaves")) }
      telling.cancel()
      try await Task.sleep(for: .milliseconds(100))
      sent.answer(200, #"{"access_token": "t-1"}"#)
      // What it told is taken all the same.
      #expect(try await telling.value == .taken)
      let heard = await listener.rest()
      #expect(heard.tell(#""at":10000,"kind":"answer""#, #""event":"user.leaves""#), "\(heard)")
      #expect(await String(decoding: journey.session.store.bytes, as: UTF8.self).contains(#""token":"t-1""#))
    }
  }

  @Test(arguments: [true, false]) func ofTheNetworkTheLastThatWasToldHolds(isOnline: Bool) async throws {
    let journey = try LiveJourney(grace: .milliseconds(100))
    _ = try await withRunning(journey.session) { listener in
      _ = try await Self.redeemAsleep(journey, &listener)
      let states = [!isOnline, isOnline, !isOnline, isOnline]
      let told: [Telling<Void>] = states.map { state in { try await $0.network(isOnline: state) } }
      let tellings = await journey.session.tell(told)
      for telling in tellings { try await telling.value }
      #expect(await journey.session.standing.isOnline == isOnline)
    }
  }

  @Test func whatIsToldWhileAnswersAreWaitedForIsTakenInItsOrder() async throws {
    let journey = try LiveJourney(grace: .milliseconds(100))
    _ = try await withRunning(journey.session) { listener in
      _ = try await Self.redeemAsleep(journey, &listener)
      // There is no tab to be closed before what was told first is taken.
      let told: [Telling<Reception>] = [
        { try await $0.person(.event("user.signsIn")) }, { try await $0.person(.closesBrowser) },
        { try await $0.person(.event("user.signsIn")) }, { try await $0.arrive(at: "com.example:/back") },
        { try await $0.person(.closesBrowser) }, { try await $0.person(.event("user.writes")) },
      ]
      var receptions: [Reception?] = []
      for telling in await journey.session.tell(told) { receptions.append(try? await telling.value) }
      // It has come back when the second tab is closed.
      #expect(receptions == [.taken, .taken, .taken, .taken, nil, .ignored])
      try await listener.listen { $0.line?.contains(#""event":"user.writes""#) == true }
      let (signsIn, out) = (#""event":"user.signsIn""#, #""state":"out""#)
      #expect(
        listener.heard.tell(signsIn, #""event":"browser.closed""#, signsIn, #""event":"browser.redirected""#, out),
        "\(listener.heard)")
    }
  }

  @Test(arguments: [1, 2]) func whatIsToldBehindALongSleepIsTakenInItsOrder(hours: Int) async throws {
    let clock = ManualClock()
    let session = try Typing.session(on: clock)
    _ = try await withRunning(session) { listener in
      try await listener.listen { $0 == .waiting }
      clock.move(by: .seconds(3600 * hours), waking: false)
      let values = (0..<20).map { FlowValue.int($0) }
      let told: [Telling<Void>] = values.map { value in
        { try await $0.person(.event("user.types"), with: ["n": value]) }
      }
      let tellings = await session.tell(told)
      for telling in tellings { try await telling.value }
      var typed: [FlowOutput] = []
      try await listener.listen { output in
        if case .emitted = output { typed.append(output) }
        return typed.count == values.count
      }
      #expect(typed == values.map { .emitted("typed", ["n": $0]) })
    }
  }

  @Test func whoeverWaitsHearsThatTheSessionIsOver() async throws {
    let ends: [@Sendable (FlowSession, Task<String, any Error>) async -> Void] = [
      { session, _ in await session.stop() }, { _, run in run.cancel() },
    ]
    for end in ends {
      let journey = try LiveJourney(grace: .seconds(600))
      var listener = Listener(journey.session)
      let run = Task { try await journey.session.run() }
      try await listener.state("out")
      _ = try await Self.redeemAsleep(journey, &listener, waking: true)
      let told: [Telling<Void>] = [
        { try await $0.person(.event("user.stops")) }, { try await $0.network(isOnline: false) },
        { try await $0.arrive(at: "com.example:/back") }, { try await $0.person(.event("user.signsIn")) },
      ]
      let tellings = await journey.session.tell(told)
      await end(journey.session, run)
      for telling in tellings { await #expect(throws: InputError.notRunning) { try await telling.value } }
      await #expect(throws: CancellationError.self) { try await run.value }
    }
  }

  /// It should not, since far behind the clock each would wait for the other; otherwise nothing is held up.
  @Test func keepCanTellTheSessionSomething() async throws {
    let running = Mutex<FlowSession?>(nil)
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"t-1"}}"#.utf8))
    let journey = try LiveJourney(["auth"], store: store) { _ in
      guard
        let session = running.withLock({ session in
          defer { session = nil }
          return session
        })
      else { return }
      try await session.network(isOnline: false)
      try await session.person(.event("user.signs"))
    }
    running.withLock { $0 = journey.session }
    _ = try await withRunning(journey.session) { listener in
      try await listener.state("ready")
      try await journey.session.person(.event("user.writes"), with: ["id": "x"])
      try await listener.listen { $0.line?.contains(#""event":"user.signs""#) == true }
    }
  }
}
