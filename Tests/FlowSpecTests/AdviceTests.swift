import FlowSpec
import Testing

/// A flow of a circle of two states, with a name for the way on, and a sub-flow.
private func circle(first: String = "", second: String = "", call: String = "part") -> Documents {
  Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "a",
      "store": {"n": {"type": "int", "initial": 0}},
      "states": {
        "a": {\#(first)"do": [{"set": {"n": "${store.n + 1}"}}], "next": [{"name": "one more", "when": "store.n < 30", "goto": "b"}, {"goto": "done"}]},
        "b": {\#(second)"next": [{"when": "store.n < 9", "goto": "a"}, {"goto": "c"}]},
        "c": {"call": "\#(call)", "next": [{"goto": "done"}]},
        "done": {"goal": true}},
      "flows": {"part": {"ends": ["over"], "start": "p", "states": {"p": {"end": "over"}}}}}
    """#
  ])
}

@Suite struct AdviceTests {
  @Test func aLetThatDoesNotWorkAtAPlaceIsShownThereAndWhereItStands() throws {
    var documents = try Documents.sample()
    let text = try #require(documents.texts["sample.json"])
    documents.texts["sample.json"] = text.replacing(
      "\"response.status == 200\"", with: "\"result.ended == 'asleeep'\"")
    let diagnostics = documents.flow().diagnostics
    #expect(diagnostics.map(\.summary) == ["unknown-value sample.json:91:20"])
    let labels = diagnostics[0].labels
    #expect(labels.map(\.text) == ["used here", "not one of its values"])
    let places = labels.map { String(decoding: $0.site.document.bytes[$0.site.range], as: UTF8.self) }
    #expect(places == ["good", "'asleeep'"])
  }

  @Test func aSubFlowThatIsMissedIsToldWithThoseThatThereAre() {
    for (call, help) in [("proof", #"add it to "flows"; now there is part"#), ("prt", #"did you mean "part"?"#)] {
      var documents = circle(first: Self.overrule, call: call)
      #expect(documents.flow("x.json").diagnostics.map(\.help) == [help])
    }
  }

  @Test func aNameThatTwoThingsHaveIsToldOnce() throws {
    var documents = circle(first: Self.overrule)
    documents.texts["x.json"]?.replace("\"p\"", with: "\"a\"")
    documents.texts["s.json"] = #"{"scenario": "s", "ends": "nowhere"}"#
    let flow = try #require(documents.flow("x.json").value)
    let told = Loading.scenario(at: "s.json", for: flow, reader: &documents).diagnostics
    #expect(told.map(\.help) == ["there is a, b, c, done"])
  }

  /// What a name surely is says more than what it is like.
  @Test func aSubFlowInTheWayOfAStateIsToldAsThatThoughAStateIsCalledAlike() {
    var documents = circle(first: Self.overrule)
    documents.texts["x.json"]?.replace("\"goto\": \"c\"", with: "\"goto\": \"part\"")
    documents.texts["x.json"]?.replace("\"c\": {\"call\"", with: "\"parts\": {\"call\"")
    let found = documents.told("unknown-state")
    #expect(found.map(\.help) == [#"it is a sub-flow: go to a state with "call": "part""#])
  }

  /// Whoever takes another key for a table is told of that which it is like.
  @Test(arguments: [
    ("row['a'].text", #"did you mean the table "rows"? If not, write "row""#), ("n['a'].text", #"write "n""#),
  ]) func aKeyThatIsNoTableIsToldWithTheTableThatIsMeant(place: String, help: String) {
    var documents = circle(first: Self.overrule)
    documents.texts["x.json"]?.replace(
      "\"initial\": 0}",
      with: #""initial": 0}, "row": {"type": "string"}, "rows": {"rows": {"text": {"type": "string"}}}"#)
    documents.texts["x.json"]?.replace("{\"set\": {", with: "{\"set\": {\"\(place)\": \"x\", ")
    #expect(documents.flow("x.json").diagnostics.filter { $0.severity == .error }.map(\.help) == [help])
  }

  @Test func whatClosesTheBrowserNeedsOne() {
    var documents = circle(second: #""do": [{"close": "browser"}], "#)
    #expect(documents.flow("x.json").diagnostics.map(\.code).contains("missing-participant"))
  }

  private static let overrule = #""despite": {"loop-without-wait": "three rounds"}, "#

  @Test func aCircleIsToldWithWhatKeepsItGoing() throws {
    var documents = circle()
    let found = try #require(documents.flow("x.json").diagnostics.first)
    #expect(found.summary == "loop-without-wait x.json:4:62")
    #expect(
      found.help == #"a → b → a: goes round without a wait while it takes "one more", "store.n < 9"; "#
        + "a count is no wait where it goes on for more than 3 rounds")
  }

  @Test func whatHasItsPlaceInAFlowIsOfferedThere() {
    var documents = circle(second: #""do": [{}], "#)
    let messages = documents.flow("x.json").diagnostics.map(\.message)
    #expect(messages == ["an action needs one of set, clear, emit, show, open, close"])
    documents.texts["x.json"]?.replace("\"do\": [{}],", with: "")
    documents.texts["x.json"]?.replace("\"goto\": \"c\"", with: "\"goto\": \"c\", \"end\": \"c\"")
    #expect(documents.flow("x.json").diagnostics.map(\.help).contains("a transition has one of goto, end"))
  }

  /// A list and a map are there before anything sets them.
  @Test(arguments: [("list", "empty"), ("map", "empty"), ("json", "unset"), ("int", "unset")])
  func aKeyThatNothingSetsIsWhatItsTypeIsAtFirst(type: String, word: String) throws {
    var documents = circle(first: Self.overrule)
    documents.texts["x.json"]?.replace(
      "\"initial\": 0}", with: "\"initial\": 0}, \"k\": {\"type\": \"\(type)\"}")
    documents.texts["x.json"]?.replace("store.n < 9", with: "store.n < 9 && present(store.k)")
    let found = try #require(documents.flow("x.json").diagnostics.first { $0.code == "unset-key" })
    #expect(found.message == "nothing sets \"k\", so it is always \(word)")
    #expect(found.help?.contains("a scenario's \"given.store\" where an earlier version has stored it") == true)
    documents.texts["x.json"]?.replace(
      ", \"k\": {\"type\": \"\(type)\"}}", with: "}, \"memory\": {\"k\": {\"type\": \"\(type)\"}}")
    documents.texts["x.json"]?.replace("store.k", with: "memory.k")
    let remembered = try #require(documents.flow("x.json").diagnostics.first { $0.code == "unset-key" })
    #expect(remembered.help?.contains("given.store") == false)
  }

  @Test(arguments: [("null", true), ("\"${null}\"", true), ("1", false), ("\"${store.k}\"", false)])
  func aKeyThatIsOnlySetToNullIsNeverSet(value: String, isTold: Bool) {
    var documents = circle(second: #""do": [{"set": {"k": \#(value)}}], "#)
    documents.texts["x.json"]?.replace("\"initial\": 0}", with: "\"initial\": 0}, \"k\": {\"type\": \"int\"}")
    documents.texts["x.json"]?.replace("store.n < 9", with: "store.n < 9 && store.k == 3")
    #expect(documents.flow("x.json").diagnostics.contains { $0.code == "unset-key" } == isTold)
  }

  @Test func anEventOfAMisspeltPersonIsToldOnceWithTheNearest() throws {
    var documents = try Documents.sample()
    documents.texts["sample.json"] = documents.texts["sample.json"]?.replacing("user.leaves", with: "usre.leaves")
    let diagnostics = documents.flow().diagnostics
    #expect(diagnostics.map(\.summary) == ["unknown-event sample.json:54:5"])
    #expect(diagnostics.first?.help == "did you mean \"user.leaves\"?")
  }

  /// Neither the other events nor the states behind them are told of.
  @Test(arguments: [("\"person\": {\"kind", "sample.json:52:5"), ("\"usr\": {\"kind", "sample.json:52:5")])
  func aPersonWhoIsMisspeltIsToldOnce(person: String, place: String) throws {
    var documents = try Documents.sample()
    documents.texts["sample.json"]?.replace("\"user\": {\"kind", with: person)
    let found = documents.flow().diagnostics
    #expect(found.map(\.summary) == ["unknown-event \(place)"])
    let isNear = person.contains("usr")
    #expect(found.first?.labels.count == (isNear ? 2 : 1))
    #expect(found.first?.help?.contains(isNear ? "call the person \"user\"" : "add \"user\"") == true)
  }

  @Test func aListOfActionsThatIsWrongWhereItIsUsedSaysWhere() throws {
    var documents = try Documents.sample()
    documents.texts["sample.json"]?.replace(
      "[{\"clear\": [\"signIn\"]}", with: "[{\"set\": {\"signature\": \"${response.json.x}\"}}")
    let found = documents.flow().diagnostics
    #expect(found.map(\.code) == ["unknown-name"])
    let labels = try #require(found.first?.labels)
    #expect(labels.map(\.text).last == "used here")
    #expect(Diagnostic("at", "", at: try #require(labels.last).site, "").summary == "at sample.json:103:14")
  }

  @Test func aRouteThatIsMeantIsFoundByTheTextAroundItsVariable() throws {
    var documents = try Documents.sample()
    documents.texts["services/api.json"]?.replace("/signatures", with: "/signatures({key})/keep")
    documents.texts["sample.json"]?.replace("/signatures", with: "/signatures(${store.visits})/kepe")
    let found = documents.flow().diagnostics
    #expect(found.map(\.code) == ["unanswered-request"])
    #expect(found.first?.help == "did you mean PUT /signatures({key})/keep?")
  }

  @Test(arguments: [
    ("com.example:/in", "com.example:/in"), ("com.example:/in", "COM.EXAMPLE:/in"),
    ("com.example:/in?a=1", "com.example:/in?a=1"), ("com.example:/in?a=1", "com.example:/in?b=2"),
    ("com.example:/in", "com.other:/in"), ("com.example:/in", "mailto:support@example.com"),
    ("com.example:/in", "/terms"),
  ]) func aRedirectIntoAnAppIsAnswered(own: String, uri: String) throws {
    var documents = try Documents.sample()
    documents.texts["sample.json"]?.replace("com.example:/in", with: own)
    documents.texts["services/auth.json"]?.replace("{\"uri\": \"com.example:/in\"", with: "{\"uri\": \"\(uri)\"")
    #expect(documents.flow().diagnostics.map(\.summary) == [])
  }

  /// What leaves the retry out is no help to whoever wants more.
  @Test func ofTooManyTriesTheBoundIsAllThatIsSaid() throws {
    var documents = try Documents.sample()
    documents.texts["sample.json"]?.replace("\"most\": 2", with: "\"most\": 1000000")
    let found = documents.flow().diagnostics
    #expect(found.map(\.message) == ["\"most\" is from 1 to 1000"] && found.map(\.help) == [nil])
  }

  @Test func aModelThatIsMissedIsToldAtItsParticipant() throws {
    var documents = try Documents.sample()
    let text = try #require(documents.texts["sample.json"])
    documents.texts["sample.json"] = text.replacing(", \"model\": \"services/auth.json\"", with: "")
      .replacing("\"url\": \"http://other.example\"", with: "\"model\": \"services/auth.json\"")
    let flow = documents.flow()
    let found = Loading.scenario(at: "scenario.json", for: try #require(flow.value), reader: &documents).diagnostics
    #expect(found.map(\.summary) == ["service-without-model sample.json:15:5"])
  }

  /// Whichever of its states says so.
  @Test(arguments: [(overrule, ""), ("", overrule)])
  func aCircleIsOverruledAtAnyOfItsStates(first: String, second: String) {
    var documents = circle(first: first, second: second)
    #expect(documents.flow("x.json").diagnostics.map(\.code) == ["loop-without-wait"])
    #expect(documents.flow("x.json").diagnostics.map(\.severity) == [.remark])
  }

  /// Of two that cover a finding the inner one speaks, and the other has silenced nothing.
  @Test func theInnermostReasonCounts() throws {
    var documents = circle(first: Self.overrule)
    documents.texts["x.json"]?.replace(
      "\"title\": \"X\",", with: "\"title\": \"X\", \"despite\": {\"loop-without-wait\": \"whatever\"},")
    let found = documents.flow("x.json").diagnostics
    #expect(found.map(\.code).sorted() == ["despite-unused", "loop-without-wait"])
    #expect(found.first { $0.code == "loop-without-wait" }?.help == "overruled: three rounds")
  }

  @Test func whatAnErrorKeepsACheckFromSeeingIsNotCalledUnused() {
    var documents = circle(second: Self.overrule, call: "parts")
    #expect(documents.flow("x.json").diagnostics.map(\.code) == ["unknown-flow"])
    documents.texts["x.json"]?.replace("\"call\": \"parts\"", with: "\"call\": \"part\"")
    #expect(documents.flow("x.json").diagnostics.map(\.severity) == [.remark])
  }

  /// The participant that the help means is the one that is marked.
  @Test(arguments: [
    ("\"to\": \"apis\"", "api", "sample.json:16:5"), ("\"to\": \"auth\"", "oauth", "sample.json:15:5"),
  ])
  func theParticipantThatIsMeantIsMarked(to: String, service: String, place: String) throws {
    var documents = try Documents.sample()
    documents.texts["services/auth.json"]?.replace("\"to\": \"api\"", with: to)
    let own = service == "api" ? "auth" : service
    documents.texts["services/auth.json"]?.replace("\"service\": \"auth\"", with: "\"service\": \"\(own)\"")
    let all = documents.flow().diagnostics
    let found = try #require(all.first { $0.code == "unknown-participant" })
    let label = try #require(found.labels.last)
    #expect(Diagnostic("at", "", at: label.site, "").summary == "at \(place)")
    #expect(label.text == "its service is \"\(service)\"" && found.help?.contains("\"\(service)\"") == true)
  }

  /// An address as a run asks for it is no route's line; and a path has other methods than the one that was written.
  @Test(arguments: [
    ("POST /people/SOCIAL/refresh", #""POST /people/{kind}/refresh""#),
    ("POST /people", #""DELETE /people" or "GET /people""#), ("GET /peple", #""GET /people""#),
    ("GET /tickets/t-1", #""GET /tickets/{ticket}""#), ("PUT /tickets/{any}", #""GET /tickets/{ticket}""#),
  ])
  func aRouteIsFoundByItsPath(line: String, meant: String) throws {
    var documents = try Documents.sample()
    documents.texts["services/api.json"]?.replace(
      #"{"on": "GET /people","#,
      with: #"{"on": "DELETE /people", "next": [{"reply": {"status": 204}}]}, {"on": "GET /people","#)
    documents.texts["services/api.json"]?.replace(
      #"{"on": "PUT /signatures","#,
      with: #"{"on": "GET /{any}", "next": [{"reply": {"status": 404}}]}, {"on": "PUT /signatures","#)
    documents.texts["scenario.json"]?.replace(
      #"{"request": "GET /people", "to": "api", "from": "app", "nth": 2, "lost": true}"#,
      with: #"{"request": "\#(line)", "lost": true}"#)
    let flow = try #require(documents.flow().value)
    let found = Loading.scenario(at: "scenario.json", for: flow, reader: &documents).diagnostics
    #expect(found.map(\.code) == ["unknown-route"])
    let help = try #require(found.first?.help)
    #expect(help.hasPrefix("did you mean \(meant)?"), "\(help)")
  }
}
