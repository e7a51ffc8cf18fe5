import FlowInterpreter
import Synchronization
import Testing

/// How an app begins and ends a session, and what it may write down of it.
@Suite(.timeLimit(.minutes(20))) struct StoppingTests {
  @Test func whoStopsKeepsAllThatWasTold() async throws {
    let kept = Mutex<[String]>([])
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"t-1"}}"#.utf8))
    let journey = try LiveJourney(store: store) { store in
      // It takes its time, and is not cut short.
      try await Task.sleep(for: .milliseconds(20))
      kept.withLock { $0.append(String(decoding: store.bytes, as: UTF8.self)) }
    }
    let ended = try await withRunning(journey.session) { listener in
      try await listener.state("ready")
      for id in 1...5 {
        try await journey.session.person(.event("user.writes"), with: ["id": .string("draft-\(id)")])
      }
      await journey.session.stop()
      await #expect(throws: InputError.notRunning) { try await journey.session.person(.event("user.writes")) }
      let lines = await listener.rest().compactMap(\.line)
      #expect(lines.last?.contains(#""kind":"ended""#) == true, "\(lines)")
    }
    #expect(throws: CancellationError.self) { try ended.get() }
    let all = kept.withLock(\.self)
    let last = try #require(all.last)
    #expect((1...5).allSatisfy { last.contains("draft-\($0)") }, "\(last)")
    #expect(await last == String(decoding: journey.session.store.bytes, as: UTF8.self))
    // It is over, and nothing comes of it.
    await journey.session.stop()
  }

  @Test func whoStopsBeforeItRunsIsToldAtOnce() async throws {
    let journey = try LiveJourney()
    let listening = Task { await journey.session.outputs.next() }
    await journey.session.stop()
    // Who listens need not wait for a run that never comes.
    #expect(await listening.value == nil)
    await #expect(throws: InputError.notRunning) { try await journey.session.network(isOnline: false) }
    await #expect(throws: InputError.notRunning) { try await journey.session.arrive(at: "com.example.app:/in") }
    await #expect(throws: CancellationError.self) { try await journey.session.run() }
    #expect(await journey.session.outputs.next() == nil)
  }

  @Test func nothingIsOpenedForWhoHasStopped() async throws {
    let journey = try LiveJourney(keep: { _ in try await Task.sleep(for: .milliseconds(20)) })
    _ = try await withRunning(journey.session) { listener in
      try await journey.session.person(.event("user.signsIn"))
      await journey.session.stop()
      let told = await listener.rest()
      #expect(!told.contains { if case .opened = $0 { true } else { false } }, "\(told)")
    }
  }

  @Test func aSessionRunsOnce() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      await #expect(throws: StartError.hasRun) { try await journey.session.run() }
      // The first goes on.
      try await journey.session.person(.event("user.signsIn"))
      try await listener.state("signingIn")
    }
    await #expect(throws: StartError.hasRun) { try await journey.session.run() }
    #expect(StartError.hasRun.description == "a session runs once: make another with the store that was kept last")
  }

  @Test func theNetworkIsToldBeforeTheLaunchAndOnce() async throws {
    let journey = try LiveJourney()
    try await journey.session.network(isOnline: true)
    try await journey.session.network(isOnline: false)
    _ = try await withRunning(journey.session) { listener in
      #expect(await !journey.session.standing.isOnline)
      try await listener.listen { $0 == .waiting }
      let told = listener.heard.count
      // What is known is no news.
      for _ in 0..<5 { try await journey.session.network(isOnline: false) }
      try await journey.session.network(isOnline: true)
      try await listener.listen { $0 == .waiting }
      #expect(listener.heard[told...].count { $0 == .waiting } == 1)
    }
    await #expect(throws: InputError.notRunning) { try await journey.session.network(isOnline: true) }
  }

  @Test func aTabThatHasComeBackIsNotNeededAnyMore() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      let sent = try await journey.redeem(&listener)
      #expect(!listener.heard.contains(.closedBrowser))
      try await listener.listen { $0 == .closedBrowser }
      sent.answer(200, #"{"access_token": "t-1"}"#)
      try await listener.state("ready")
    }
    let left = try LiveJourney()
    _ = try await withRunning(left.session) { listener in
      try await left.session.person(.event("user.signsIn"))
      try await listener.listen { if case .opened = $0 { true } else { false } }
      // The person closes it, and knows.
      try await left.session.person(.closesBrowser)
      try await listener.state("out")
      #expect(!listener.heard.contains(.closedBrowser))
      try await left.session.person(.event("user.signsIn"))
      try await left.session.person(.event("user.leaves"))
      #expect(await listener.rest().contains(.closedBrowser))
    }
  }

  @Test func outputsAreTakenOneByOne() async throws {
    let session = try FlowSession(Journey.checked(), clock: ManualClock())
    let run = Task { try await session.run() }
    #expect(await session.outputs.next() == .entered(state: "out", subflow: nil, title: nil, isGoal: false))
    #expect(await session.outputs.next() == .waiting)
    await session.stop()
    #expect(await session.outputs.next() == nil)
    await #expect(throws: CancellationError.self) { try await run.value }
  }

  @Test func aSessionThatIsLoggedShowsNothingOfWhatItHolds() async throws {
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"c4nary"}}"#.utf8))
    let journey = try LiveJourney(store: store)
    _ = try await withRunning(journey.session) { listener in
      try await listener.state("ready")
      var dumped = String(reflecting: journey.session) + "\(journey.session)"
      dump([journey.session], to: &dumped)
      #expect(!dumped.contains("c4nary"), "\(dumped)")
    }
  }

  @Test func anOfferThatIsLoggedHoldsNoExample() async throws {
    let text = #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "store": {"pin": {"type": "string", "secret": true}}, "events": {"user.enters": {"fields": {
          "pin": {"type": "string", "secret": true, "example": "${store.pin == null ? 'x' : store.pin}"},
          "plain": {"type": "string", "example": "${store.pin == null ? 'x' : store.pin}"}}}},
        "start": "a", "states": {"a": {"goal": true, "on": {"user.enters": {"do": [{"set": {"pin": "${event.pin}"}}]}}}}}
      """#
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"x","store":{"pin":"c4nary"}}"#.utf8))
    let flow = try CheckedFlow(at: "x.json") { _ in Array(text.utf8) }
    for traces in [false, true] {
      let session = try FlowSession(flow, clock: ManualClock(), store: store, traces: traces)
      _ = try await withRunning(session) { listener in
        try await listener.listen { $0 == .waiting }
        let offer = try #require(await session.offers.first)
        #expect(offer.fields.map(\.example) == ["c4nary", "c4nary"])
        #expect("\(offer)" == #"event("user.enters") (pin, plain)"#)
        #expect("\(offer.fields)" == "[pin (secret string), plain (string)]")
        var dumped = String(reflecting: offer)
        dump(offer, to: &dumped)
        dump(offer.fields, to: &dumped)
        #expect(!dumped.contains("c4nary"), "\(dumped)")
      }
    }
  }

  @Test func whatIsLoggedHoldsNoValues() {
    let outputs: [(FlowOutput, String)] = [
      (.entered(state: "home", subflow: nil, title: "Home", isGoal: true), "entered home, the goal"),
      (.entered(state: "home", subflow: "renewing", title: nil, isGoal: false), "entered home of renewing"),
      (.emitted("ready", ["token": "c4nary"]), "emitted ready (token)"),
      (.shown(screen: "pin", ["pin": "c4nary", "name": "c4nary"]), "shown pin (name, pin)"),
      (.opened(url: "https://id.example/c4nary?state=c4nary"), "opened https://id.example/…"),
      (.closedBrowser, "closedBrowser"), (.waiting, "waiting"), (.traced("{}\n"), "traced {}\n"),
    ]
    for (output, words) in outputs {
      var dumped = ""
      dump(output, to: &dumped)
      #expect("\(output)" == words && String(reflecting: output) == words && !dumped.contains("c4nary"), "\(dumped)")
    }
    let response = AdapterResponse(status: 200, headers: [AdapterHeader("set-cookie", "c4nary")], body: [0x63])
    #expect("\(response)" == "200, 1 bytes")
    let request = AdapterRequest(
      service: "id", method: "POST", url: "https://id.example/c4nary",
      headers: [AdapterHeader("authorization", "Bearer c4nary")], body: Array("c4nary".utf8))
    #expect("\(request)" == "POST to id")
    #expect("\(request.headers)" == "[authorization: ••••••••]")
    var dumped = ""
    dump(response, to: &dumped)
    dump(request, to: &dumped)
    dump(request.headers, to: &dumped)
    #expect(!["c4nary", "\(Int(UInt8(ascii: "c")))"].contains(where: dumped.contains), "\(dumped)")
  }
}
