import FlowInterpreter
import Synchronization
import Testing

/// A session with nothing live is the same world that `flowrun` runs.
@Suite(.timeLimit(.minutes(20))) struct SimulatedTests {
  @Test func teosRunsAsItsGoldenTells() async throws {
    let flow = try CheckedFlow(at: "flows/teos-device.json", read: Project.bytes)
    #expect(flow.diagnostics.filter { $0.severity != .remark } == [] && flow.name == "teos-device")
    let session = try FlowSession(flow, clock: ManualClock(), traces: true)
    var heard: [FlowOutput] = []
    let ended = try await withRunning(session) { listener in
      try await listener.state("signingIn")
      #expect(await session.offers.first?.act == .submits(form: "login"))
      try await session.person(.submits(form: "login"))
      try await listener.state("ready")
      try await session.person(.event("user.createsAsset"), with: ["name": "Silver"])
      try await listener.state("ready")
      // The lines behind the last state belong to the same instant.
      try await session.person(.event("user.givesUp"))
      try await listener.listen { $0.line?.contains(#""event":"user.givesUp""#) == true }
      heard = listener.heard
    }
    #expect(throws: CancellationError.self) { try ended.get() }
    #expect(heard.contains(.emitted("assetSubmitted", ["name": "Silver"])))
    let golden = try Project.text("flows/teos-device/default.trace.jsonl").split(separator: "\n").dropFirst().dropLast()
    let lines = heard.compactMap(\.line).dropFirst().prefix(golden.count)
    #expect(lines.map { String($0.dropLast()) } == golden.map(String.init))
  }

  /// A form that is made of what is offered needs it.
  @Test func whatIsOfferedSaysWhatItsFieldsHold() async throws {
    let types = FlowValueType.allCases
    let fields = types.map { "\"\($0)\": {\"type\": \"\($0)\"}" } + [#""word": {"one of": ["a", "b"]}"#]
    let text = """
      {"flow": "form", "title": "A form", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "events": {"user.fills": {"fields": {\(fields.joined(separator: ", "))}}}, "start": "home",
        "states": {"home": {"goal": true, "on": {"user.fills": {"goto": "home"}}}}}
      """
    let session = try FlowSession(CheckedFlow(at: "form.json") { _ in Array(text.utf8) }, clock: ManualClock())
    _ = try await withRunning(session) { listener in
      try await listener.listen { $0 == .waiting }
      let offered = try #require(await session.offers.first).fields
      #expect(offered.map(\.type) == types + [.string] && offered.last?.allowed == ["a", "b"])
    }
  }

  /// A form sends text.
  @Test func noListAndNoMapIsFilledIntoAForm() async throws {
    let texts = [
      "page.json": #"""
      {"flow": "page", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}, "browser": {"kind": "browser"},
          "api": {"kind": "service", "model": "api.json"}}, "start": "a", "states": {
        "a": {"rest": true, "do": [{"open": {"to": "api", "get": "/"}}], "on": {"browser.closed": {"goto": "b"}}}, "b": {"goal": true}}}
      """#,
      "api.json": #"""
      {"service": "api", "routes": [{"on": "GET /", "next": [{"reply": {"page": {"title": "P", "forms": {
        "f": {"get": "/", "fields": {"more": {"type": "json"}}}}}}}]}]}
      """#,
    ]
    let flow = try CheckedFlow(at: "page.json") { path in texts[path].map { Array($0.utf8) } }
    let session = try FlowSession(flow, clock: ManualClock())
    _ = try await withRunning(session) { listener in
      try await listener.listen { $0 == .waiting }
      for value: FlowValue in [[1], ["a": 1]] {
        await #expect(throws: InputError.badValue(field: "more")) {
          try await session.person(.submits(form: "f"), with: ["more": value])
        }
      }
      for value: FlowValue in [1, true, "x", .null] {
        try await session.person(.submits(form: "f"), with: ["more": value])
      }
    }
  }

  /// A sub-flow may have a state that is called like one of the flow's.
  @Test func aStateIsToldWithItsSubFlow() async throws {
    let text = #"""
      {"flow": "two", "title": "Two", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "events": {"user.asks": {}, "user.answers": {}}, "start": "home",
        "states": {"home": {"goal": true, "on": {"user.asks": {"goto": "asking"}}},
          "asking": {"call": "ask", "next": [{"goto": "home"}]}},
        "flows": {"ask": {"ends": ["done"], "start": "home", "states": {
          "home": {"on": {"user.answers": {"goto": "done"}}}, "done": {"end": "done"}}}}}
      """#
    let session = try FlowSession(CheckedFlow(at: "two.json") { _ in Array(text.utf8) }, clock: ManualClock())
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.asks"))
      try await listener.listen { $0 == .entered(state: "home", subflow: "ask", title: nil, isGoal: false) }
      try await session.person(.event("user.answers"))
      try await listener.listen { $0 == .entered(state: "home", subflow: nil, title: nil, isGoal: true) }
    }
  }

  @Test func whatIsKeptIsGivenBack() async throws {
    let kept = Mutex<[FlowStore]>([])
    let session = try FlowSession(Journey.checked(), clock: ManualClock()) { store in
      kept.withLock { $0.append(store) }
    }
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.signsIn"))
      try await listener.state("signingIn")
      await #expect(throws: InputError.unknownField("user")) {
        try await session.person(.closesBrowser, with: ["user": "grace"])
      }
      try await session.person(.submits(form: "login"), with: ["user": "grace"])
      try await listener.state("ready")
      try await session.person(.event("user.writes"), with: ["id": "x", "n": 7])
      try await listener.state("ready")
    }
    let texts = kept.withLock(\.self).map { String(decoding: $0.bytes, as: UTF8.self) }
    let head = #"{"format":1,"flow":"journey","store":{"#
    let tokens = #""token":"simulated","expiresAt":"2026-01-01T09:10:00Z","asked":true"#
    #expect(
      texts == [
        head + #""asked":true,"drafts":{}}}"#, head + tokens + #","drafts":{}}}"#,
        head + tokens + #","drafts":{"x":{"text":"draft x","n":7}}}}"#,
      ])
    let next = try FlowSession(Journey.checked(), clock: ManualClock(), store: kept.withLock(\.last))
    _ = try await withRunning(next) { listener in
      try await listener.listen { $0 == .emitted("ready", ["until": .instant(ManualClock.start + .seconds(600))]) }
      #expect(await next.store == kept.withLock(\.last))
    }
  }

  @Test func aLinkLaunchesTheApp() async throws {
    let session = try FlowSession(Journey.checked(), clock: ManualClock(), traces: true)
    #expect(try await session.arrive(at: "https://app.example/welcome/t-9") == .taken)
    _ = try await withRunning(session) { listener in
      try await listener.state("out")
      try await listener.state("ready")
      #expect(listener.heard.tell(#""kind":"launched""#, #""event":"link.welcome","with":{"token":"<token#1>"}"#))
    }
  }

  @Test func theDeviceIsTheAppsOwnOrTheFlowsExample() async throws {
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"journey","store":{"token":"t"}}"#.utf8))
    let simulated = try FlowSession(Journey.checked(), clock: ManualClock(), store: store)
    _ = try await withRunning(simulated) { listener in
      try await listener.state("ready")
      try await simulated.person(.event("user.signs"))
      try await listener.listen { $0 == .shown(screen: "signed", ["with": "example of hello"]) }
    }
    let live = try FlowSession(
      Journey.checked(), device: FlowDevice(isLive: true), clock: ManualClock(), store: store)
    _ = try await withRunning(live) { listener in
      try await listener.state("ready")
      await #expect(throws: InputError.nothingAsked) { try await live.performed(for: FlowAsk()) }
      try await live.person(.event("user.signs"))
      let first = try await listener.ask()
      #expect(first.fields == ["text": "hello"])
      await #expect(throws: InputError.unknownFailure("tired")) {
        try await live.failedToPerform("tired", for: first.ask)
      }
      try await live.failedToPerform("cancelled", for: first.ask)
      try await listener.state("ready")
      try await live.person(.event("user.signs"))
      try await live.performed(["signature": "mine"], for: listener.ask().ask)
      try await listener.listen { $0 == .shown(screen: "signed", ["with": "mine"]) }
    }
  }

  @Test func aFlowThatEndsEndsTheSession() async throws {
    let session = try FlowSession(Journey.checked(), clock: ManualClock(), traces: true)
    let ended = try await withRunning(session) { listener in
      try await listener.state("out")
      try await session.person(.event("user.leaves"))
      #expect(await listener.rest().tell(#""event":"user.leaves""#, #""how":"end","end":"left""#))
    }
    #expect(try ended.get() == "left")
    await #expect(throws: InputError.notRunning) { try await session.person(.event("user.signsIn")) }
  }

  @Test func aRunErrorEndsTheSessionAndNamesItsPlace() async throws {
    let session = try FlowSession(Journey.checked(), clock: ManualClock())
    let ended = try await withRunning(session) { listener in
      try await listener.state("out")
      try await session.person(.event("user.breaks"))
      _ = await listener.rest()
    }
    let error = #expect(throws: RunError.self) { try ended.get() }
    #expect(error?.diagnostic.path == "journey.json")
    #expect(error?.description.contains("[1, 2][size(store.drafts) + 7]") == true)
  }
}
