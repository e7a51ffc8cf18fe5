import FlowInterpreter
import Testing

private struct Nothing: Adapter {
  func answer(to request: AdapterRequest) async throws(AdapterFailure) -> AdapterResponse {
    throw AdapterFailure(.unreachable, reason: "never asked")
  }
}

private func checkRefused(
  _ error: StartError, _ flow: CheckedFlow? = nil, live: [LiveServices.Service] = [], config: [String: FlowValue] = [:],
  store: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let flow = try flow ?? Journey.checked()
  #expect(throws: error, sourceLocation: sourceLocation) {
    try FlowSession(
      flow, live: LiveServices(live, through: Nothing()), config: config,
      store: store.map { FlowStore(bytes: Array($0.utf8)) })
  }
  #expect(!error.description.isEmpty, sourceLocation: sourceLocation)
}

@Suite struct RefusalTests {
  @Test func aFlowWithErrorsIsToldWithTheirPlaces() throws {
    let error = #expect(throws: InvalidFlow.self) {
      try CheckedFlow(at: "x.json") { _ in Array("{\n  \"flow\": \"x\", \"titel\": 1 }".utf8) }
    }
    let diagnostic = try #require(error?.diagnostics.first { $0.code == "unknown-member" })
    #expect(diagnostic.severity == .error && diagnostic.path == "x.json" && diagnostic.line == 2)
    #expect(diagnostic.column == 16 && diagnostic.help?.contains("title") == true)
    #expect(error?.description.contains("┌─ x.json:2:16") == true)
    let missing = #expect(throws: InvalidFlow.self) { try CheckedFlow(at: "x.json") { _ in nil } }
    #expect(missing?.diagnostics.map(\.code) == ["missing-document"] && missing?.diagnostics[0].line == nil)
  }

  @Test func eachDocumentIsReadOnceWhetherThereIsOneOrNot() throws {
    let shelf = ["x/journey.json": Journey.flow, "x/auth.json": Journey.auth]
    var asked: [String] = []
    let error = #expect(throws: InvalidFlow.self) {
      try CheckedFlow(at: "x/journey.json") { path in
        asked.append(path)
        return shelf[path].map { Array($0.utf8) }
      }
    }
    #expect(asked.sorted() == ["x/api.json", "x/auth.json", "x/journey.json"])
    #expect(error?.diagnostics.map(\.code) == ["missing-document"])
  }

  @Test func aPathFromTheRootIsToldToBeRelative() throws {
    let flow = Journey.flow.replacing("\"api.json\"", with: "\"/m/api.json\"")
    let shelf = ["x/journey.json": flow, "x/auth.json": Journey.auth]
    let error = #expect(throws: InvalidFlow.self) {
      try CheckedFlow(at: "x/journey.json") { shelf[$0].map { Array($0.utf8) } }
    }
    let help = error?.diagnostics.map(\.help)
    #expect(help == ["a path is relative to the folder of the document that names it: begin it without \"/\""])
  }

  @Test func whatCannotBeLiveIsRefusedAtTheStart() throws {
    try checkRefused(.unknownService("auht"), live: ["auht"])
    try checkRefused(.serviceTwice("auth"), live: ["auth", LiveServices.Service("auth", at: "https://id.example")])
    for url in [
      "id.example", "https://hé.example", "http://[::1", "https://[zz]", "https://[::1]x", "https://a.example/%zz",
      "https://a.example/%4",
    ] {
      try checkRefused(.badAddress(service: "auth"), live: [LiveServices.Service("auth", at: url)])
    }
  }

  @Test func ofServicesWithoutAnAddressTheFirstIsTold() throws {
    let names = ["gate", "auth", "shop", "mail", "bank", "post", "desk", "info"]
    let services = names.map { "\"\($0)\": {\"kind\": \"service\", \"model\": \"m.json\"}" }.joined(separator: ", ")
    let states = names.enumerated().map { index, name in
      "\"s\(index)\": {\"request\": {\"to\": \"\(name)\", \"get\": \"/\"}, \"next\": [{\"goto\": \"s\(index + 1)\"}]}"
    }
    let text = """
      {"flow": "many", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}, \(services)},
        "start": "s0", "states": {\(states.joined(separator: ", ")), "s\(names.count)": {"goal": true}}}
      """
    let model = #"{"service": "m", "routes": [{"on": "GET /", "next": [{"reply": {"status": 200}}]}]}"#
    let flow = try CheckedFlow(at: "many.json") { Array(($0 == "m.json" ? model : text).utf8) }
    let live = names.reversed().map { LiveServices.Service($0) }
    try checkRefused(.noAddress(service: "gate"), flow, live: live)
  }

  @Test func aClockOutsideTheCalendarIsRefusedAtTheStart() throws {
    for distance in [.seconds(-100_000_000_000), .seconds(Int64.max) * 2, .seconds(Int64.min) * 2] as [Duration] {
      let clock = ManualClock(at: distance)
      #expect(throws: StartError.badClock) { try FlowSession(Journey.checked(), clock: clock) }
    }
  }

  @Test func aPageThatNoBrowserCouldShowIsRefusedAtTheStart() throws {
    let crossing = try Two.checked(link: "\"to\": \"back\", \"get\": \"/x\"")
    try checkRefused(.pageCrosses(from: "gate", to: "back"), crossing, live: ["back"])
    try checkRefused(.noModel(service: "back"), Two.withoutModel())
  }

  @Test func configIsHeldAgainstWhatTheFlowDeclares() throws {
    try checkRefused(.unknownConfig("client"), config: ["client": "x"])
    try checkRefused(.badConfig("clientId"), config: ["clientId": 1])
    try checkRefused(.badConfig("clientId"), config: ["clientId": nil])
    #expect(!StartError.badConfig("clientId").description.contains("redirect"))
  }

  @Test func whatMakesNoRedirectURIIsRefusedAtTheStart() throws {
    let flow = try CheckedFlow(at: "flows/oidc-native.json", read: Project.bytes)
    for uri in ["nonsense", "", "http://127.0.0.1:99999/callback", "http:/callback", "com.example.app:/callback#top"] {
      try checkRefused(
        .noRedirectURI(config: "redirectUri"), flow, config: ["clientId": "c-1", "redirectUri": .string(uri)])
    }
    for uri in ["com.example.app:/callback", "https://app.example/callback", "http://[::1]:7777/callback?a=b"] {
      _ = try FlowSession(flow, config: ["clientId": "c-1", "redirectUri": .string(uri)])
    }
  }

  @Test func aStoreOfSomethingElseIsRefused() throws {
    let damaged = StartError.unusableStore(.damaged())
    for (store, place) in [
      ("", "empty-document in line 1, column 1"), (#"{"format":1,"flow":"journey""#, "unclosed in line 1, column 29"),
      ("{\"format\":1,\n\"flow\":\"journey\",\n\"store\":{\"token\":\"a\",}}", "trailing-comma in line 3, column 21"),
      (
        #"{"format":1,"flow":"journey","store":{"token":"a","token":"b"}}"#,
        "duplicate-member in line 1, column 51"
      ),
    ] {
      try checkRefused(.unusableStore(.damaged(at: place)), store: store)
    }
    for store in [#"{"flow":"journey","store":{}}"#, #"{"format":1,"flow":"journey","store":[]}"#] {
      try checkRefused(damaged, store: store)
    }
    for secret in ["[]", "null", "\"token\"", "{\"clientId\":1}", "{\"clientId\":null}", "{\"tokne\":\"t\"}"] {
      try checkRefused(damaged, store: "{\"format\":1,\"flow\":\"journey\",\"store\":{},\"secret\":\(secret)}")
    }
    try checkRefused(
      .unusableStore(.unknownFormat(2)), store: #"{"format":2,"flow":"journey","store":{}}"#)
    try checkRefused(
      .unusableStore(.ofFlow("other", not: "journey")),
      store: #"{"format":1,"flow":"other","store":{}}"#)
    for (key, value) in [
      ("token", "1"), ("expiresAt", "\"soon\""), ("drafts", "[]"), ("drafts", "{\"x\":{\"n\":\"1\"}}"),
    ] {
      let place = value.hasPrefix("{") ? "drafts.n" : key
      try checkRefused(
        .unusableStore(.misfit([StoreProblem.Misfit(place)])),
        store: "{\"format\":1,\"flow\":\"journey\",\"store\":{\"\(key)\":\(value)}}")
    }
  }

  @Test func valuesAreWrittenAsLiterals() {
    let value: FlowValue = ["a": [1, 2.5, true, nil], "b": "x", "c": [:]]
    let list = FlowValue.list([.int(1), .double(2.5), .bool(true), .null])
    #expect(value == .map(["a": list, "b": .string("x"), "c": .map([:])]))
  }

  /// A log is no place for what is kept.
  @Test func aStoreIsDescribedWithoutWhatItHolds() {
    let store = FlowStore(bytes: Array("canary".utf8))
    var dumped = ""
    dump(store, to: &dumped)
    #expect("\(store)" == "a store of 6 bytes")
    #expect(dumped == "- a store of 6 bytes\n" && !String(reflecting: store).contains("99"))
  }

  @Test func allThatDoesNotFitIsNamed() throws {
    try checkRefused(
      .unusableStore(.misfit([StoreProblem.Misfit("token"), StoreProblem.Misfit("drafts")])),
      store: #"{"format":1,"flow":"journey","store":{"drafts":[],"token":1}}"#)
  }

  @Test func theWordsThatAKeyMayBeAreSaid() throws {
    let text = #"""
      {"flow": "look", "participants": {"app": {"kind": "app"}}, "start": "a", "states": {"a": {"goal": true}},
        "store": {"theme": {"one of": ["light", "dark"]}}}
      """#
    try checkRefused(
      .unusableStore(.misfit([StoreProblem.Misfit("theme", allowed: ["light", "dark"])])),
      CheckedFlow(at: "look.json") { _ in Array(text.utf8) },
      store: #"{"format":1,"flow":"look","store":{"theme":"black"}}"#)
  }

  @Test(arguments: [
    (StoreProblem.damaged(), "it was not written by a session, or is damaged"),
    (
      .damaged(at: "unclosed in line 1, column 9"),
      "it was not written by a session, or is damaged: unclosed in line 1, column 9"
    ),
    (.unknownFormat(2), "it has format 2, and this version knows 1"),
    (.ofFlow("other", not: "journey"), #"it belongs to flow "other", not to "journey""#),
    (
      .misfit([StoreProblem.Misfit("theme", allowed: ["light", "dark"])]),
      #"what it holds for "theme" (one of "light", "dark") does not fit what the flow declares"#
    ),
    (
      .misfit([StoreProblem.Misfit("token"), StoreProblem.Misfit("drafts.n")]),
      #"what it holds for "token", "drafts.n" do not fit what the flow declares"#
    ),
  ])
  func whyAStoreIsUnusableIsSaidInWords(problem: StoreProblem, words: String) {
    #expect(StartError.unusableStore(problem).description == "the store that was kept cannot be used: \(words)")
  }

  @Test(.timeLimit(.minutes(20))) func whatDoesNotFitIsToldToWhoSaysIt() async throws {
    let session = try FlowSession(Journey.checked(), clock: ManualClock())
    await #expect(throws: InputError.notRunning) { try await session.person(.event("user.signsIn")) }
    _ = try await withRunning(session) { listener in
      try await listener.state("out")
      await #expect(throws: InputError.unknown("user.signIn", nearest: "user.signsIn")) {
        try await session.person(.event("user.signIn"))
      }
      await #expect(throws: InputError.unknownField("m")) {
        try await session.person(.event("user.writes"), with: ["m": 1])
      }
      await #expect(throws: InputError.badValue(field: "n")) {
        try await session.person(.event("user.writes"), with: ["n": "one"])
      }
      await #expect(throws: InputError.unknown("login", nearest: nil)) {
        try await session.person(.submits(form: "login"))
      }
      await #expect(throws: InputError.unknown("browser", nearest: nil)) { try await session.person(.closesBrowser) }
      await #expect(throws: InputError.foreignAddress) {
        try await session.arrive(at: "https://elsewhere.example/back")
      }
      await #expect(throws: InputError.nothingAsked) { try await session.performed(for: FlowAsk()) }
      let untouched = #"{"format":1,"flow":"journey","store":{"asked":false,"drafts":{}}}"#
      #expect(await session.store == FlowStore(bytes: Array(untouched.utf8)))
    }
  }

  @Test(.timeLimit(.minutes(20))) func whatNoSessionCouldKeepIsRefused() async throws {
    let text = #"""
      {"flow": "lab", "participants": {"user": {"kind": "person"}, "app": {"kind": "app",
        "links": {"go": "https://app.example/go/{it}"}}},
        "store": {"it": {"type": "string"}, "span": {"type": "duration"}, "any": {"type": "json"},
          "ratio": {"type": "double"}},
        "events": {"user.gives": {"fields": {"it": {"type": "string"}, "span": {"type": "duration"}, "any": {"type": "json"},
            "ratio": {"type": "double"}}},
          "link.go": {"fields": {"it": {"type": "string"}}}},
        "start": "a", "states": {"a": {"goal": true, "on": {
          "user.gives": {"do": [{"set": {"it": "${event.it}", "span": "${event.span}", "any": "${event.any}",
            "ratio": "${event.ratio}"}}]},
          "link.go": {"do": [{"set": {"it": "${event.it}"}}]}}}}}
      """#
    let flow = try CheckedFlow(at: "lab.json") { _ in Array(text.utf8) }
    let session = try FlowSession(flow, clock: ManualClock())
    let long = String(repeating: "a", count: 2_000_000)
    let deep = (0..<10_000).reduce(FlowValue.null) { value, _ in .list([value]) }
    let given: [(String, FlowValue)] = [
      ("it", .string(long)), ("span", .duration(.seconds(400_000_000_000))), ("span", .duration(.seconds(Int64.min))),
      ("any", deep), ("any", .map(["a": .list([.string(long)])])), ("any", .duration(.seconds(Int64.max))),
      ("ratio", .double(.nan)), ("any", .double(.nan)), ("any", .list([.map(["a": .double(-.nan)])])),
      ("ratio", .double(.infinity)), ("any", .map(["a": .list([1, .double(-.infinity)])])),
    ]
    _ = try await withRunning(session) { _ in
      for (name, value) in given {
        await #expect(throws: InputError.badValue(field: name)) {
          try await session.person(.event("user.gives"), with: [name: value])
        }
      }
      await #expect(throws: InputError.foreignAddress) {
        try await session.arrive(at: "https://app.example/go/\(long)")
      }
      for nth in [0, -1, Int.min, Int.max] {
        await #expect(throws: InputError.unknown("m", nearest: nil)) {
          try await session.person(.opens(mail: "m", nth: nth))
        }
      }
      try await session.person(.event("user.gives"), with: ["span": .duration(.seconds(9_000_000_000))])
      try await session.arrive(at: "https://app.example/go/\(long.prefix(500_000))")
      // Each segment is looked at once.
      await #expect(throws: InputError.foreignAddress) {
        try await session.arrive(at: "https://app.example/./" + String(repeating: "/", count: 500_000))
      }
      _ = try await FlowSession(flow, clock: ManualClock(), store: session.store)
    }
  }

  @Test func namesThatAreEqualButForTheirCharactersAreDamage() throws {
    try checkRefused(
      .unusableStore(.damaged()),
      store: #"{"format":1,"flow":"journey","store":{"\u00e9":"a","e\u0301":"b"}}"#)
  }

  @Test func aRequestIsDescribedWithoutItsSecrets() {
    let request = AdapterRequest(
      service: "api", method: "GET", url: "https://api.example/in/code",
      headers: [AdapterHeader("authorization", "Bearer t")])
    #expect("\(request)" == "GET to api")
  }

  @Test func everyRefusalHasWordsOfItsOwn() {
    let errors: [InputError] = [
      .notRunning, .unknown("a", nearest: "b"), .unknownField("a"), .badValue(field: "a"), .foreignAddress,
      .nothingAsked, .unknownFailure("a"),
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(InputError.unknown("a", nearest: "b").description == "there is no \"a\" here, did you mean \"b\"?")
  }
}
