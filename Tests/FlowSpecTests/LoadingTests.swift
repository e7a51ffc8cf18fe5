import Expressions
import FlowSpec
import Testing

@Test func theSampleHasNothingWrong() throws {
  var documents = try Documents.sample()
  let flow = try checkLoads(&documents)
  #expect(flow.participants.map(\.name) == ["user", "app", "browser", "inbox", "auth", "api", "other", "device"])
  #expect(flow.services.map { $0.model?.name } == ["auth", "api", nil])
  #expect(flow.app.routines.map(\.name) == ["", "wake"])
  #expect(flow.spans == [.seconds(-60), .zero])
  #expect(Loading.unusedRefs(of: flow, scenarios: []).isEmpty)
}

@Test func namesBecomeIndices() throws {
  var documents = try Documents.sample()
  let flow = try checkLoads(&documents)
  let states = flow.app.states
  let root = states[flow.app.routines[0].root]
  guard case .compound(let start) = root.activity else { return #expect(Bool(false), "the root is a compound state") }
  #expect(root.name.isEmpty && states[start].name == "launch")
  let refreshing = try #require(states.first { $0.name == "refreshing" })
  guard case .request(let request) = refreshing.activity else { return #expect(Bool(false), "a request") }
  #expect(flow.services[request.to].model?.name == "api")
  #expect(request.timeout == .seconds(10))
  #expect(request.headers.map(\.name) == ["x-trace"])
  #expect(request.retry?.call == 1 && request.retry?.wait == .seconds(1))
  guard case .segments(let segments) = request.path else { return #expect(Bool(false), "segments") }
  #expect(segments.map(\.template.source) == ["people", "${store.kind}", "refresh"])
  #expect(flow.links[0].event.map { flow.app.events[$0].name } == "link.welcome")
  #expect(flow.links[0].segments == [.literal("welcome"), .variable("token", before: "", behind: "")])
}

@Test func namedActionsStandWhereTheyAreUsed() throws {
  var documents = try Documents.sample()
  let flow = try checkLoads(&documents)
  let signedOut = try #require(flow.app.states.first { $0.name == "signedOut" })
  let kinds = signedOut.entry.map { action -> String in
    switch action.kind {
    case .clear(let places): "clear \(places.map { flow.app.store.indices.contains($0.key) ? "\($0.area)" : "?" })"
    case .close: "close"
    case .emit(let index, _): "emit \(flow.app.emits[index].title)"
    default: "other"
    }
  }
  #expect(kinds == ["clear [\"memory\", \"memory\"]", "clear [\"store\"]", "close", "emit signedOut"])
}

@Test func aMailThatARetrySendsCanBeOpened() throws {
  var documents = try Documents.sample()
  let retry = """
    "retry": {"when": "response.status == 503", "most": 1, "do": [{"send": {"again": {"to": "ada@example.com"}}}]},
    """
  documents.texts["services/auth.json"]?.replace("\"post\": \"/mails\", ", with: "\"post\": \"/mails\", \(retry)")
  documents.texts["scenario.json"]?.replace("\"welcome\", \"link\": \"activate\"", with: "\"again\"")
  let flow = try checkLoads(&documents)
  #expect(Loading.scenario(at: "scenario.json", for: flow, reader: &documents).diagnostics.isEmpty)
}

@Test func keysHaveTheirTypesAndInitials() throws {
  var documents = try Documents.sample()
  let store = try checkLoads(&documents).app.store
  #expect(store.map(\.initial.isNull) == [true, true, false, true, false, false])
  guard case .map(let rows) = store[5].initial, case .map(let ada)? = rows["ada"] else {
    return #expect(Bool(false), "a table starts with its rows")
  }
  #expect(ada.entries.map(\.key) == ["name", "since", "active"].map { .string($0) })
  #expect(ada["since"] == Timestamp(text: "2026-01-01T00:00:00Z").map { .timestamp($0) })
  #expect(ada["active"] == .bool(true))
}

@Test func aScenarioIsResolvedAgainstItsFlow() throws {
  var documents = try Documents.sample()
  let flow = try checkLoads(&documents)
  let checked = Loading.scenario(at: "scenario.json", for: flow, reader: &documents)
  #expect(checked.diagnostics.map(\.summary) == [])
  let scenario = try #require(checked.value)
  #expect(scenario.script?.count == 14 && scenario.faults.count == 8)
  #expect(scenario.given.store.count == 5)
  #expect(scenario.given.services[0].store.count == 2)
  guard case .route(let service, let route, let from) = scenario.faults[1].target else {
    return #expect(Bool(false), "a route")
  }
  #expect(flow.services[service].model?.routes[route].line == "GET /people")
  #expect(from.map { flow.participants[$0].name } == "app")
}

@Test func aWholeNumberMayBeWrittenWithAFractionOfZero() throws {
  var documents = try Documents.sample()
  documents.texts["services/api.json"]?.replace("\"status\": 202", with: "\"status\": 2.02e2")
  documents.texts["scenario.json"]?.replace("\"nth\": 2", with: "\"nth\": 2.0")
  let flow = try checkLoads(&documents)
  let checked = Loading.scenario(at: "scenario.json", for: flow, reader: &documents)
  #expect(checked.diagnostics.map(\.summary) == [])
  #expect(checked.value?.faults.first { $0.nth == .number(2) } != nil)
  documents.texts["services/api.json"]?.replace("2.02e2", with: "202.5")
  #expect(documents.flow().diagnostics.map(\.code) == ["wrong-type"])
}

@Test func theDraftsLoad() throws {
  var documents = try Documents.folder("Drafts")
  let checked = documents.flow("teos-device.json")
  #expect(
    checked.diagnostics.map(\.summary) == ["growing-table services/txserver.json:8:5 (remark)"])
  let flow = try #require(checked.value)
  for name in ["default", "refresh-lost"] {
    let scenario = Loading.scenario(at: "teos-device/\(name).json", for: flow, reader: &documents)
    #expect(scenario.diagnostics.isEmpty && scenario.value != nil)
  }
}

@Test(arguments: [
  ("present(result.signature)", "'cancelled'"), ("result.failure in ['cancelled', 'noKey']", "'noKey'"),
  ("result.failure == 'cancelled'", "'noKey'"), ("done", "'cancelled'"),
]) func aFailureThatIsAskedForInAnyWayIsHandled(first: String, other: String) throws {
  var documents = try Documents.sample()
  documents.texts["sample.json"]?.replace("result.failure == 'cancelled'\"", with: "result.failure == \(other)\"")
  documents.texts["sample.json"]?.replace("\"when\": \"result.failure == null\"", with: "\"when\": \"\(first)\"")
  documents.texts["sample.json"]?.replace("\"let\": {", with: "\"let\": {\"done\": \"result.failure == null\", ")
  #expect(documents.flow().diagnostics.map(\.code).filter { $0 != "unused-let" } == [])
}

@Test func aFailureThatIsKeptIsHandled() throws {
  var documents = try Documents.sample()
  // The transition behind it has the same condition.
  func found() -> [String] { documents.flow().diagnostics.map(\.code).filter { $0 != "unreachable-transition" } }
  documents.texts["sample.json"]?.replace("result.failure == null", with: "result.failure == 'cancelled'")
  #expect(found() == ["unhandled-failure"])
  let behind = "'cancelled'\", \"goto\": \"home\"},\n        {"
  let keeps = #""do": [{"set": {"signature": "${result.failure}"}}], "#
  documents.texts["sample.json"]?.replace(behind, with: behind + keeps)
  #expect(found() == [])
}

@Test func aServiceIsCheckedByItself() throws {
  var documents = try Documents.sample()
  let auth = Loading.service(at: "services/auth.json", reader: &documents)
  #expect(auth.diagnostics.map(\.summary) == [] && auth.value?.name == "auth")
  documents.texts["services/auth.json"]?.replace("request.path.id in", with: "request.path.idd in")
  let broken = Loading.service(at: "services/auth.json", reader: &documents)
  #expect(broken.diagnostics.map(\.code) == ["unknown-field"] && broken.value == nil)
}

@Test func aSettingThatIsShownDespiteItAllIsARemark() throws {
  var documents = try Documents.sample()
  documents.texts["sample.json"]?.replace(
    "\"type\": \"string\", \"example\": \"Bob\"",
    with: "\"type\": \"string\", \"secret\": true, \"example\": \"api@example.com\"")
  documents.texts["services/api.json"]?.replace(
    "\"service\": \"api\"", with: "\"service\": \"api\", \"despite\": {\"secret-shown\": \"anybody may know\"}")
  let remarks = documents.flow().diagnostics.filter { $0.severity == .remark }
  #expect(remarks.map { "\($0.code): \($0.help ?? "")" } == ["secret-shown: overruled: anybody may know"])
  #expect(Loading.service(at: "services/api.json", reader: &documents).diagnostics.map(\.code) == [])
  let shown = DiagnosticRenderer().text(of: documents.flow().diagnostics)
  #expect(shown.contains("••••••••") && !shown.contains("api@example.com"), "\(shown)")
}

@Test func aKeyOfMemoryThatNothingReadsIsTold() throws {
  func found(in area: String, set: String) throws -> [String] {
    var documents = try Documents.sample()
    documents.texts["sample.json"]?.replace(
      "\"\(area)\": {", with: "\"\(area)\": {\"lost\": {\"type\": \"string\"}, ")
    documents.texts["sample.json"]?.replace(
      "\"signature\": \"${result", with: "\"lost\": \"\(set)\", \"signature\": \"${result")
    return documents.flow().diagnostics.map(\.message)
  }
  #expect(try found(in: "memory", set: "x") == ["nothing reads \"lost\""])
  let counted = try found(in: "memory", set: "x${memory.?lost.orValue('')}")
  #expect(counted == ["nothing reads \"lost\" but to set it anew"])
  #expect(try found(in: "store", set: "x") == [])
}

@Test func aNumberUnderASecretNameIsARemark() throws {
  var documents = try Documents.sample()
  documents.texts["sample.json"]?.replace(
    "\"model\": \"services/api.json\"", with: "\"model\": \"services/api.json\", \"secrets\": [\"expiresIn\"]")
  func found(_ value: String) -> [String] {
    var documents = documents
    documents.texts["services/api.json"]?.replace("\"expiresIn\": 3600", with: value)
    return documents.flow().diagnostics.map(\.summary)
  }
  let told = ["secret-number services/api.json:11:93 (remark)"]
  for value in ["3600", "1.5", "\"${size('abc')}\"", "[3600]", "{\"inSeconds\": 3600}"] {
    #expect(found("\"expiresIn\": \(value)") == told, "\(value)")
  }
  for value in ["\"3600\"", "null", "true", "\"${size('abc')}s\""] {
    #expect(found("\"expiresIn\": \(value)") == [], "\(value)")
  }
  #expect(found("\"expires\": 3600") == ["unanswered-member sample.json:93:88"])
  #expect(Loading.service(at: "services/api.json", reader: &documents).diagnostics.map(\.code) == [])
  documents.texts["services/api.json"]?.replace(
    "\"service\": \"api\",", with: "\"service\": \"api\", \"secrets\": [\"json.expiresIn\"],")
  let alone = Loading.service(at: "services/api.json", reader: &documents).diagnostics
  #expect(alone.map(\.code) == ["secret-number"])
  #expect(!DiagnosticRenderer().text(of: alone).contains("3600"))
}

@Test func aServiceAloneKnowsItsOwnRoutes() throws {
  var documents = try Documents.sample()
  documents.texts["services/auth.json"]?.replace("\"get\": \"/terms\"", with: "\"get\": \"/term\"")
  let checked = Loading.service(at: "services/auth.json", reader: &documents)
  #expect(checked.diagnostics.map(\.summary) == ["unanswered-request services/auth.json:28:42"])
}

@Test func errorsOfARunStandInsideTheirString() throws {
  var documents = try Documents.sample()
  documents.texts["sample.json"]?.replace("\"when\": \"signedIn\"", with: #""when": "\u0073ignedIn && \"a\" == 'a'""#)
  let flow = try checkLoads(&documents)
  let launch = try #require(flow.app.states.first { $0.name == "launch" })
  guard case .expression(let placed)? = launch.next[0].when else { return #expect(Bool(false), "an expression") }
  let site = Site(of: EvaluationError(code: "x", message: "", range: 12..<15), in: placed)
  #expect(String(decoding: site.document.bytes[site.range], as: UTF8.self) == #"\"a\""#)
  #expect(Site(of: EvaluationError(code: "x", message: ""), in: placed) == placed.site)
}

@Test func errorsOfASegmentStandInsideTheWholePath() throws {
  var documents = try Documents.sample()
  let flow = try checkLoads(&documents)
  let refreshing = try #require(flow.app.states.first { $0.name == "refreshing" })
  guard case .request(let request) = refreshing.activity, case .segments(let segments) = request.path else {
    return #expect(Bool(false), "a request with segments")
  }
  let site = Site(of: EvaluationError(code: "x", message: "", range: 2..<12), in: segments[1])
  #expect(String(decoding: site.document.bytes[site.range], as: UTF8.self) == "store.kind")
}

@Test func documentsSayWhatTheyAre() throws {
  let documents = try Documents.sample()
  for (path, kind) in [("sample.json", "flow"), ("services/api.json", "service"), ("scenario.json", "scenario")] {
    #expect(Loading.kind(of: documents.read(path) ?? [])?.rawValue == kind)
  }
  #expect(Loading.kind(of: Array("{}".utf8)) == nil)
  #expect(Loading.kind(of: Array("nonsense".utf8)) == nil)
}

@Test func unusedRefsCountThoseOfScenarios() throws {
  var documents = try Documents.sample()
  documents.texts["sample.json"]?.replace("\"3\": \"A mail comes\"", with: "\"3\": \"A mail\", \"4\": \"Nothing\"")
  let flow = try checkLoads(&documents)
  #expect(Loading.unusedRefs(of: flow, scenarios: []).map(\.summary) == ["unused-ref sample.json:5:135"])
  documents.texts["scenario.json"]?.replace("\"ref\": \"2\"", with: "\"ref\": \"4\"")
  let scenario = try #require(Loading.scenario(at: "scenario.json", for: flow, reader: &documents).value)
  #expect(Loading.unusedRefs(of: flow, scenarios: [scenario]).isEmpty)
}

@Test func aRefThatNamesAnotherFlowIsToldToWhoMissesIt() throws {
  var documents = try Documents.sample()
  documents.texts["sample.json"]?.replace("\"3\": \"A mail comes\"", with: "\"3\": \"A mail\", \"4\": \"It asks\"")
  documents.texts["services/auth.json"]?.replace("\"ref\": \"sample#1\"", with: "\"ref\": [\"sampel#4\", \"other#3\"]")
  let found = Loading.unusedRefs(of: try checkLoads(&documents), scenarios: [])
  #expect(found.map(\.summary) == ["unused-ref sample.json:5:135"])
  #expect(found.first?.labels.last?.text == "names another flow")
  #expect(found.first?.help == "did you mean \"sample#4\" there?")
}

@Test func aRefOnSomethingThatNoTraceShowsCarriesNothing() throws {
  var documents = try Documents.sample()
  documents.texts["sample.json"]?.replace("\"3\": \"A mail comes\"", with: "\"3\": \"A mail\", \"4\": \"It asks\"")
  documents.texts["sample.json"]?.replace(
    "\"request\": {\"to\": \"api\", \"put\"", with: "\"request\": {\"ref\": \"4\", \"to\": \"api\", \"put\"")
  let found = Loading.unusedRefs(of: try checkLoads(&documents), scenarios: [])
  #expect(found.map(\.summary) == ["unused-ref sample.json:5:135"])
  #expect(found.first?.labels.last.map { $0.text } == "named here")
}

private func checkLoads(_ documents: inout Documents, at location: SourceLocation = #_sourceLocation) throws -> Flow {
  let checked = documents.flow()
  #expect(checked.diagnostics.map(\.summary) == [], sourceLocation: location)
  return try #require(checked.value, sourceLocation: location)
}

@Test(arguments: ["../accounts.txt", "/etc/accounts", "services/../../accounts.txt"])
func nothingIsShownOfAFileOutsideTheFolderThatIsNoDocument(_ model: String) throws {
  var documents = try Documents.sample()
  let sample = try #require(documents.texts["sample.json"])
  documents.texts["sample.json"] = sample.replacing("services/api.json", with: model)
  documents.texts[model] = "root:x:0:0:canary:/root"
  let found = documents.flow().diagnostics
  let shown = found.map { DiagnosticRenderer(style: .plain).text(of: [$0]) }.joined()
  #expect(found.contains { $0.code == "no-document" }, "\(shown)")
  #expect(!shown.contains("canary"))
}
