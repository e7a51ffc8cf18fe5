import FlowInterpreter
import Testing

/// The clock that apps test with.
@Suite(.timeLimit(.minutes(20))) struct ManualClockTests {
  @Test func itStandsStillUntilItIsMoved() async throws {
    let clock = ManualClock()
    #expect(clock.now == .seconds(1_767_258_000) && ManualClock(at: .seconds(9)).now == .seconds(9))
    clock.move(by: .seconds(90))
    clock.move(by: .seconds(-30))
    #expect(clock.now == ManualClock.start + .seconds(60))
    // What has come already is not waited for.
    try await clock.sleep(until: clock.now)
  }

  @Test func whoSleepsWakesWhenItIsTime() async throws {
    let clock = ManualClock()
    async let early: Void = clock.sleep(until: ManualClock.start + .seconds(10))
    async let late: Void = clock.sleep(until: ManualClock.start + .seconds(20))
    while clock.sleepers < 2 { await Task.yield() }
    clock.move(by: .seconds(9))
    #expect(clock.sleepers == 2)
    clock.move(by: .seconds(1))
    try await early
    #expect(clock.sleepers == 1)
    clock.move(by: .seconds(10))
    try await late
  }

  @Test func whoIsCancelledSleepsNoLonger() async throws {
    let clock = ManualClock()
    let sleeper = Task { try await clock.sleep(until: ManualClock.start + .seconds(10)) }
    while clock.sleepers < 1 { await Task.yield() }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleepers == 0)
    let late = Task { () throws in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: ManualClock.start + .seconds(10))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }
}
