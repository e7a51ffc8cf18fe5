import FlowInterpreter
import Testing

/// A `keep` that takes until it is let go, and does not end with its task.
private struct SlowKeep {
  /// The stores that it was given, each as it begins to keep it.
  let given = AsyncStream.makeStream(of: FlowStore.self)
  let gate = AsyncStream.makeStream(of: Void.self)

  func keep(_ store: FlowStore) async {
    given.continuation.yield(store)
    await Task { for await _ in gate.stream { return } }.value
  }

  /// What it is given next.
  func next() async throws -> FlowStore {
    for await store in given.stream { return store }
    throw CancellationError()
  }

  func letGo() { gate.continuation.finish() }
}

/// A flow that stores something as soon as it is launched.
private enum Writer {
  static func checked() throws -> CheckedFlow {
    let text = #"""
      {"flow": "writer", "participants": {"app": {"kind": "app"}}, "store": {"n": {"type": "int", "initial": 0}},
        "start": "open", "states": {"open": {"goal": true, "do": [{"set": {"n": "${store.n + 1}"}}]}}}
      """#
    return try CheckedFlow(at: "writer.json") { _ in Array(text.utf8) }
  }
}

private func checkNothingCanBeTold(
  _ session: FlowSession, sourceLocation: SourceLocation = #_sourceLocation
) async {
  func check(_ body: () async throws -> Void) async {
    await #expect(throws: InputError.notRunning, sourceLocation: sourceLocation) { try await body() }
  }
  await check { try await session.person(.event("user.writes")) }
  await check { try await session.person(.closesBrowser) }
  await check { try await session.arrive(at: "https://app.example/welcome/u") }
  await check { try await session.arrive(at: "com.example:/back") }
  await check { try await session.network(isOnline: false) }
  await check { try await session.performed(for: FlowAsk()) }
  await check { try await session.failedToPerform("cancelled", for: FlowAsk()) }
  #expect(await session.offers.isEmpty, sourceLocation: sourceLocation)
}

/// What a session is told, and shows, once it has come to its end.
@Suite(.timeLimit(.minutes(20))) struct EndingTests {
  private let signedIn = FlowStore(bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"t"}}"#.utf8))

  @Test func nothingCanBeToldToAFlowThatHasEndedWhileItsStoreIsBeingKept() async throws {
    let slow = SlowKeep()
    let session = try FlowSession(Journey.checked(), clock: ManualClock(), store: signedIn, keep: slow.keep)
    let ended = try await withRunning(session) { listener in
      try await listener.state("ready")
      try await session.person(.event("user.writes"), with: ["id": "x"])
      _ = try await slow.next()
      try await session.person(.event("user.leaves"))
      await checkNothingCanBeTold(session)
      slow.letGo()
      _ = await listener.rest()
    }
    #expect(try ended.get() == "left")
  }

  @Test func nothingCanBeToldToAFlowThatHasFailedWhileItsStoreIsBeingKept() async throws {
    let (slow, clock) = (SlowKeep(), ManualClock())
    let session = try FlowSession(
      Journey.checked(), device: FlowDevice(isLive: true), clock: clock, store: signedIn, keep: slow.keep)
    let ended = try await withRunning(session) { listener in
      try await listener.state("ready")
      clock.move(by: .seconds(3600))
      _ = try await slow.next()
      try await session.person(.event("user.breaks"))
      await checkNothingCanBeTold(session)
      slow.letGo()
      _ = await listener.rest()
    }
    #expect(throws: RunError.self) { try ended.get() }
  }

  @Test func nothingCanBeToldToAFlowThatTimeHasEnded() async throws {
    let text = #"""
      {"flow": "brief", "participants": {"user": {"kind": "person"}, "app": {"kind": "app", "links": {"go": "https://app.example/go"}}},
        "events": {"user.asks": {}, "link.go": {}}, "start": "open", "states": {"open": {"rest": true,
          "on": {"user.asks": {}, "link.go": {}}, "after": [{"wait": "1s", "end": "closed"}]}}}
      """#
    let flow = try CheckedFlow(at: "brief.json") { _ in Array(text.utf8) }
    let tellings: [@Sendable (FlowSession) async throws -> Void] = [
      { try await $0.person(.event("user.asks")) }, { try await $0.arrive(at: "https://app.example/go") },
      { try await $0.network(isOnline: false) },
    ]
    for tell in tellings {
      let clock = ManualClock()
      let session = try FlowSession(flow, clock: clock)
      let ended = try await withRunning(session) { listener in
        try await listener.state("open")
        while clock.sleepers == 0 { await Task.yield() }
        // Nobody looks at the clock meanwhile: what is told is what makes the session look.
        clock.move(by: .seconds(2), waking: false)
        await #expect(throws: InputError.notRunning) { try await tell(session) }
        _ = await listener.rest()
      }
      #expect(try ended.get() == "closed")
    }
  }

  @Test func aSessionThatIsOverShowsTheStoreThatKeepWasGivenLast() async throws {
    let slow = SlowKeep()
    let session = try FlowSession(Journey.checked(), clock: ManualClock(), store: signedIn, keep: slow.keep)
    var listener = Listener(session)
    let run = Task { try await session.run() }
    try await listener.state("ready")
    try await session.person(.event("user.writes"), with: ["id": "x"])
    let given = try await slow.next()
    try await session.person(.event("user.writes"), with: ["id": "y"])
    #expect(await session.store != given)
    run.cancel()
    slow.letGo()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(await session.store == given)
  }

  @Test func aSessionThatWasCancelledBeforeItKeptAnythingShowsTheStoreItBeganWith() async throws {
    let session = try FlowSession(Writer.checked(), clock: ManualClock())
    let before = await session.store
    let run = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.run()
    }
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(await session.store == before)
  }
}
