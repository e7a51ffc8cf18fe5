import FlowInterpreter
import Synchronization
import Testing

private struct Stubborn: Adapter {
  let gate: AsyncStream<Void>

  func answer(to request: AdapterRequest) async throws(AdapterFailure) -> AdapterResponse {
    // A task of its own does not end when this one is cancelled.
    await Task { for await _ in gate { return } }.value
    return AdapterResponse(status: 200, body: Array(#"{"access_token": "late"}"#.utf8))
  }
}

/// What comes too late, at once, out of turn, or not at all.
@Suite(.timeLimit(.minutes(20))) struct TimingTests {
  @Test func theTimeOutIsHeldWhateverTheAdapterDoes() async throws {
    let journey = try LiveJourney()
    let heard = try await journey.afterRedeeming("unsure") { sent in
      journey.clock.move(by: .seconds(10))
      let givenUp = try await journey.adapter.nextGivenUp()
      #expect(givenUp == "https://auth.example/v1/token")
      sent.answer(200, #"{"access_token": "late"}"#)
    }
    #expect(heard.tell(#""at":10000,"kind":"answer""#))
    #expect(heard.tell(#""failure":"lost","reason":"no answer in time""#))
  }

  @Test func aRequestThatNobodyWaitsForIsCutOff() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      let sent = try await journey.redeem(&listener)
      #expect(try await journey.session.person(.event("user.stops")) == .taken)
      let givenUp = try await journey.adapter.nextGivenUp()
      #expect(givenUp == sent.request.url)
      sent.answer(200, #"{"access_token": "late"}"#)
      try await listener.state("out")
      let second = try await journey.redeem(&listener)
      second.answer(200, #"{"access_token": "t-2"}"#)
      try await listener.state("ready")
      #expect(listener.heard.tell(#""event":"user.stops""#, #""reason":"cut off","dropped":true"#))
      #expect(await String(decoding: journey.session.store.bytes, as: UTF8.self).contains(#""token":"t-2""#))
    }
  }

  @Test func anAdapterThatCannotBeStoppedIsNotHeard() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"t"}}"#.utf8))
    let session = try FlowSession(
      Journey.checked(), live: LiveServices(["api"], through: Stubborn(gate: gate)), clock: ManualClock(),
      store: store, traces: true)
    _ = try await withRunning(session) { listener in
      try await listener.state("ready")
      try await session.person(.event("user.writes"), with: ["id": "x"])
      try await listener.state("saving")
      try await session.person(.event("user.stops"))
      try await listener.state("ready")
      open.finish()
      #expect(try await session.person(.event("user.stops")) == .ignored)
      try await listener.listen { $0.line?.contains(#""outcome":"ignored""#) == true }
      #expect(listener.heard.filter { $0.line?.contains(#""kind":"answer""#) == true }.count == 1)
    }
  }

  @Test func twoAnswersAtOnceAreTakenOneByOne() async throws {
    let adapter = ScriptedAdapter()
    let session = try FlowSession(
      Two.checked(), live: LiveServices(["back"], through: adapter), clock: ManualClock(), traces: true)
    _ = try await withRunning(session) { listener in
      let sent = [try await adapter.next(), try await adapter.next()]
      #expect(Set(sent.map(\.request.url)) == ["https://back.example/app", "https://back.example/page"])
      for request in sent { request.answer(200, #"{"title": "Both"}"#) }
      var awaited = [#""state":"done""#, #""page":"Both""#]
      try await listener.listen { output in
        awaited.removeAll { output.line?.contains($0) == true }
        return awaited.isEmpty
      }
    }
  }

  @Test func anEventThatNothingTakesIsTold() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      try await listener.state("out")
      #expect(try await journey.session.person(.event("user.writes")) == .ignored)
      let reception = try await journey.session.arrive(at: "com.example:/back?code=x&state=y")
      #expect(reception == .ignored)
      try await listener.listen { $0.line?.contains(#""event":"browser.redirected""#) == true }
      #expect(listener.heard.tell(#""event":"user.writes","outcome":"ignored""#))
    }
  }

  @Test func whatFellDueWhileTimeJumpedHappensInOrder() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      try await journey.redeem(&listener).answer(200, #"{"access_token": "t"}"#)
      try await listener.state("ready")
      journey.clock.move(by: .seconds(5 * 3600))
      try await listener.state("out")
      #expect(try await journey.session.person(.event("user.writes")) == .ignored)
      try await listener.listen { $0.line?.contains(#""event":"user.writes""#) == true }
      #expect(
        listener.heard.tell(
          #""at":3600000,"kind":"clock","by":"3600s""#, #""at":3600000,"kind":"state","who":"app","state":"out""#,
          #""at":18000000,"kind":"clock","by":"14400s""#, #""at":18000000,"kind":"event""#))
    }
  }

  @Test func timeThatGoesBackStandsStill() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      try await listener.state("out")
      journey.clock.move(by: .seconds(60))
      try await journey.session.person(.event("user.writes"))
      journey.clock.move(by: .seconds(-3600))
      try await journey.session.person(.event("user.signs"))
      try await listener.listen { $0.line?.contains(#""event":"user.signs""#) == true }
      #expect(listener.heard.tell(#""at":60000,"kind":"event""#, #""at":60000,"kind":"event""#))
    }
  }

  @Test func theNetworkGoesAndWhatIsUnderWayIsLost() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      _ = try await journey.redeem(&listener)
      try await journey.session.network(isOnline: false)
      let givenUp = try await journey.adapter.nextGivenUp()
      #expect(givenUp == "https://auth.example/v1/token")
      try await listener.state("unsure")
      #expect(listener.heard.tell(#""failure":"lost","reason":"the device went offline""#))
    }
  }

  @Test func cancellingEndsEverything() async throws {
    let journey = try LiveJourney()
    let ended = try await withRunning(journey.session) { listener in _ = try await journey.redeem(&listener) }
    #expect(throws: CancellationError.self) { try ended.get() }
    let givenUp = try await journey.adapter.nextGivenUp()
    #expect(givenUp == "https://auth.example/v1/token")
    #expect(journey.clock.sleepers == 0)
    await #expect(throws: InputError.notRunning) { try await journey.session.network(isOnline: false) }
    await #expect(throws: InputError.notRunning) { try await journey.session.arrive(at: "com.example:/back") }
  }

  @Test func nothingCanBeToldToASessionThatWaitsForItsAdapter() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"t"}}"#.utf8))
    let session = try FlowSession(
      Journey.checked(), live: LiveServices(["api"], through: Stubborn(gate: gate)), clock: ManualClock(),
      store: store)
    var listener = Listener(session)
    let run = Task { try await session.run() }
    try await listener.state("ready")
    try await session.person(.event("user.writes"), with: ["id": "x"])
    try await listener.state("saving")
    try await session.person(.event("user.stops"))
    try await listener.state("ready")
    try await session.person(.event("user.leaves"))
    while true {
      do { try await session.person(.event("user.signs")) } catch { break }
      await Task.yield()
    }
    let kept = await session.store
    await #expect(throws: InputError.notRunning) { try await session.arrive(at: "https://app.example/welcome/u") }
    #expect(await session.store == kept)
    #expect(await session.offers.isEmpty)
    open.finish()
    #expect(try await run.value == "left")
  }

  @Test func nothingIsSentOnceTheSessionIsCancelled() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let adapter = ScriptedAdapter()
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"t"}}"#.utf8))
    let session = try FlowSession(
      Journey.checked(), live: LiveServices(["api"], through: adapter), clock: ManualClock(), store: store
    ) { _ in
      begin.yield()
      // It does not end with the task that keeps.
      await Task { for await _ in gate { return } }.value
    }
    var listener = Listener(session)
    let run = Task { try await session.run() }
    try await listener.state("ready")
    try await session.person(.event("user.writes"), with: ["id": "x"])
    for await _ in begun { break }
    run.cancel()
    open.finish()
    await #expect(throws: CancellationError.self) { try await run.value }
    adapter.finish()
    for await sent in adapter.sent { Issue.record("\(sent.request) was sent") }
  }

  @Test func aClockThatShowsNoTimeIsNotAskedAllTheTime() async throws {
    final class Clock: SessionClock {
      let asked = Mutex(0)
      let isFar = Mutex(false)
      var now: Duration { isFar.withLock { $0 ? .seconds(300_000_000_000) : ManualClock.start } }
      func sleep(until time: Duration) async throws {
        asked.withLock { $0 += 1 }
        while now < time { try await Task.sleep(for: .milliseconds(1)) }
      }
    }
    let clock = Clock()
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"t"}}"#.utf8))
    _ = try await withRunning(try FlowSession(Journey.checked(), clock: clock, store: store)) { listener in
      try await listener.listen { $0 == .waiting }
      let began = ContinuousClock.now
      clock.isFar.withLock { $0 = true }
      try await Task.sleep(for: .milliseconds(100))
      let asked = clock.asked.withLock(\.self)
      #expect(Double(asked) < 3 + began.duration(to: .now) / .milliseconds(10))
    }
  }

  @Test func aClockThatThrowsEndsEverything() async throws {
    struct Broken: Error {}
    final class Clock: SessionClock {
      let isBroken = Mutex(false)
      var now: Duration { ManualClock.start }
      func sleep(until time: Duration) async throws {
        while !isBroken.withLock(\.self) { try await Task.sleep(for: .milliseconds(1)) }
        throw Broken()
      }
    }
    let (clock, adapter) = (Clock(), ScriptedAdapter())
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"t"}}"#.utf8))
    let session = try FlowSession(
      Journey.checked(), live: LiveServices(["api"], through: adapter), clock: clock, store: store)
    let ended = try await withRunning(session) { listener in
      try await listener.state("ready")
      try await session.person(.event("user.writes"), with: ["id": "x"])
      let sent = try await adapter.next()
      clock.isBroken.withLock { $0 = true }
      #expect(try await adapter.nextGivenUp() == sent.request.url)
      _ = await listener.rest()
      await #expect(throws: InputError.notRunning) { try await session.person(.event("user.stops")) }
    }
    #expect(throws: Broken.self) { try ended.get() }
  }

  @Test func whatACancelledListenerDoesNotHearIsKeptForTheNext() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      try await listener.state("out")
      let first = Task { [session = journey.session] in for await _ in session.outputs {} }
      first.cancel()
      await first.value
      try await journey.session.person(.event("user.writes"))
      try await listener.listen { $0.line?.contains(#""event":"user.writes""#) == true }
    }
  }

  @Test func theSystemClockGoesOnAndSleeps() async throws {
    let clock = SystemClock()
    let before = clock.now
    try await clock.sleep(until: before + .milliseconds(20))
    #expect(clock.now >= before + .milliseconds(20) && clock.now > .seconds(1_767_258_000))
  }
}
