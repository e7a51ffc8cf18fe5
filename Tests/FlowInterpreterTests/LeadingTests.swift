import FlowInterpreter
import Testing

/// What only those do with a session who lead it in a person's place.
@Suite(.timeLimit(.minutes(20))) struct LeadingTests {
  @Test func aKillCutsOffWhatIsUnderWayAndALaunchBeginsAnew() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      let sent = try await journey.redeem(&listener)
      await journey.session.kill()
      #expect(try await journey.adapter.nextGivenUp() == sent.request.url)
      #expect(await journey.session.standing.isAppRunning == false)
      await journey.session.launch()
      try await listener.state("out")
      #expect(
        listener.heard.tell(
          #""kind":"killed""#, #""failure":"lost","reason":"cut off","dropped":true"#, #""kind":"launched""#))
      // What was stored before the request is stored still.
      #expect(await String(decoding: journey.session.store.bytes, as: UTF8.self).contains(#""asked":true"#))
    }
  }

  @Test func whoLeavesIsToldEverythingFirst() async throws {
    let journey = try LiveJourney()
    let ended = try await withRunning(journey.session) { listener in
      _ = try await journey.redeem(&listener)
      await journey.session.stop()
      #expect(await listener.rest().tell(#""reason":"cut off""#, #""kind":"ended","who":"app","how":"stuck""#))
    }
    #expect(throws: CancellationError.self) { try ended.get() }
  }

  @Test func nothingHappensBehindTheEnd() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      try await listener.listen { $0 == .waiting }
      let revision = await journey.session.standing.revision
      // All before the session is told anything of it.
      await journey.session.at(revision) { session in
        session.stop()
        journey.clock.move(by: .seconds(1), waking: false)
        session.timePasses()
        session.kill()
        session.stop()
      }
      let lines = await listener.rest().compactMap(\.line)
      #expect(lines.count { $0.contains(#""kind":"ended""#) } == 1)
      #expect(lines.last?.contains(#""kind":"ended""#) == true, "\(lines)")
    }
  }

  @Test func aSessionSaysWhenItWaits() async throws {
    let session = try FlowSession(Journey.checked(), clock: ManualClock())
    _ = try await withRunning(session) { listener in
      try await listener.listen { $0 == .waiting }
      #expect(await session.offers.map(\.act).contains(.event("user.signsIn")))
      #expect(await session.standing.isSettled)
      try await session.person(.event("user.signsIn"))
      try await listener.listen { $0 == .waiting }
      #expect(await session.standing.state?.name == "signingIn")
    }
  }

  @Test func whoHasNotHeardAllCanKnowIt() async throws {
    let session = try FlowSession(Journey.checked(), clock: ManualClock())
    _ = try await withRunning(session) { listener in
      try await listener.listen { $0 == .waiting }
      let heard = await session.standing
      #expect(heard.isSettled && heard.waitsTold == 1)
      let isSettled = await session.at(heard.revision) { session in
        session.kill()
        return session.standing.isSettled
      }
      #expect(isSettled == false)
      // All of it is told, and none of it heard.
      while await !session.standing.isSettled { try await Task.sleep(for: .milliseconds(1)) }
      #expect(await session.standing.waitsTold == 2)
      try await listener.listen { $0 == .waiting }
      #expect(await session.standing.waitsTold == 2)
    }
  }

  @Test func whatIsOvertakenIsNotDone() async throws {
    let session = try FlowSession(Journey.checked(), clock: ManualClock())
    _ = try await withRunning(session) { listener in
      try await listener.listen { $0 == .waiting }
      let revision = await session.standing.revision
      #expect(await session.at(revision) { session in session.takePage() } != nil)
      await session.timePasses()
      #expect(await session.at(revision) { session in session.kill() } == nil)
      #expect(await session.standing.isAppRunning)
    }
  }

  @Test func aGatewayMayCallALiveServiceThatHasNoModel() async throws {
    let adapter = ScriptedAdapter()
    let session = try FlowSession(
      Two.checkedWithoutModel(), live: LiveServices(["back"], through: adapter), clock: ManualClock(), traces: true)
    _ = try await withRunning(session) { listener in
      let urls = [try await adapter.next(), try await adapter.next()].map(\.request.url)
      #expect(urls.sorted() == ["https://back.example/app", "https://back.example/page"])
    }
  }
}
