import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

private func checkLine(_ fact: Happening.Fact, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let lines = Sample.lines([Sample.happening(fact, at: 1500, refs: ["1.2"])])
  #expect(lines == ["{\"n\":1,\"at\":1500,\"kind\":" + expected + "}"], sourceLocation: sourceLocation)
}

@Test func theHeaderSaysWhatRanAndWhoTakesPart() {
  let text = String(decoding: Sample.bytes([]), as: UTF8.self)
  let expected = """
    {"trace":1,"flow":"sample","title":"A sample","scenario":"first","started":"\(Sample.header.started)",\
    "participants":[{"name":"user","title":"User","kind":"person"},{"name":"app","title":"App","kind":"app"},\
    {"name":"server","title":"Server","kind":"service"},{"name":"browser","title":"Browser","kind":"browser"}]}

    """
  #expect(text == expected)
}

@Test func aRequestHidesWhatCarriesCredentials() {
  let request = Sample.request([Text("devices"), Text("d 1"), Sample.secret("s", "deviceToken")], attempt: 2) {
    $0.query = [Sample.named("a", .string("1")), Sample.named("a", .string("2"))]
    $0.headers = [Sample.named("authorization", .string("Basic eA=="))]
    $0.bearer = Text("b")
    $0.cookies = [Sample.named("sid", .string("c"))]
    $0.body = .json(.map(ValueMap([.init(key: .string("n"), value: .int(1))])))
  }
  checkLine(
    request,
    """
    "request","from":"app","to":"server","ref":["1.2"],"number":1,"attempt":2,\
    "request":"POST /devices/d%201/<deviceToken#1>","query":{"a":["1","2"]},\
    "headers":{"authorization":"<authorization#1>"},"bearer":"<bearer#1>","cookies":{"sid":"<sid#1>"},"json":{"n":1}
    """)
}

@Test func whatStandsUnderNamesHeldEqualIsAList() {
  let request = Sample.request {
    // The sign of the kelvin is a K of other bytes; so is each of the two é.
    $0.query = [Sample.named("K", .string("1")), Sample.named("\u{212A}", .string("2"))]
    $0.body = .form([
      Sample.named("e\u{301}", .string("1")), Sample.named("e", .string("2")), Sample.named("\u{E9}", .string("3")),
    ])
  }
  checkLine(
    request,
    """
    "request","from":"app","to":"server","ref":["1.2"],"number":1,"request":"POST /token","query":{"K":["1","2"]},\
    "form":{"e\u{301}":["1","3"],"e":"2"}
    """)
}

@Test func anAnswerSaysWhoRepliedAndWhereItLeads() {
  let answer = Sample.answer(302, reply: "signed in", fate: .dropped) {
    $0.cookies = [Sample.named("sid", .null)]
    $0.location = Location(
      base: .elsewhere(Text("com.example:")), path: [Text("in")],
      query: [Sample.named("code", .string(Sample.secret("x", "code"))), Sample.named("q", .string("a&b"))])
  }
  checkLine(
    answer,
    """
    "answer","from":"server","to":"app","ref":["1.2"],"number":1,"status":302,"reply":"signed in",\
    "cookies":{"sid":null},"redirect":"com.example:/in?code=<code#1>&q=a%26b","dropped":true
    """)
}

@Test func aRedirectToAServiceHasItsAddress() {
  let answer = Sample.answer(303, reply: nil) { $0.location = Location(base: .service(0), path: [], query: []) }
  checkLine(
    answer,
    """
    "answer","from":"server","to":"app","ref":["1.2"],"number":1,"status":303,"redirect":"https://server.example/"
    """)
}

/// Many a page finds its way by it; a field in it may be secret, as in a query.
@Test(arguments: [("#/start?x<y&z=%20", "#/start?x%3Cy&z=%20"), ("#a=b&ticket=t", "#<fragment#1>")])
func whatIsOpenedIsShownWithItsFragment(written: String, shown: String) throws {
  var sketch = Sketch(
    flow: #"""
      "store": {"address": {"type": "string", "initial": "https://web.example/app?x=1\#(written)"}}, "start": "a",
      "states": {"a": {"goal": true, "do": [{"open": {"to": "web", "get": "${store.address}"}}]}}
      """#,
    services: [
      "web": #"""
      "secrets": ["ticket"], "routes": [{"on": "GET /app", "next": [{"reply": {"page": {"title": "A page"}}}]}]
      """#
    ])
  let trace = String(decoding: TraceWriter.trace(of: try sketch.run(), scenario: nil), as: UTF8.self)
  #expect(trace.contains(#""url":"https://web.example/app?x=1\#(shown)"}"#), "\(trace)")
  // No server is sent it.
  #expect(trace.contains(#""request":"GET /app","query":{"x":"1"}}"#), "\(trace)")
  sketch.refusesSecretsInURLs = true
  #expect(try sketch.run().problems.map(\.code) == (shown.contains("fragment") ? ["secret-in-url"] : []))
}

@Test func aFailureStandsInPlaceOfAnAnswer() {
  let arrived = AnswerArrived(
    from: Sample.server, to: Sample.app, number: 4, answer: .failure(.lost, reason: "connection reset"), fate: .taken)
  checkLine(
    .answer(arrived),
    """
    "answer","from":"server","to":"app","ref":["1.2"],"number":4,"failure":"lost","reason":"connection reset"
    """)
}

@Test func aTransitionNamesTheGuardThatDecided() {
  checkLine(
    Sample.transition("refreshed"),
    """
    "transition","who":"app","ref":["1.2"],"where":"refreshing","name":"refreshed",\
    "decided":[{"when":"response.status == 200","holds":true,"with":{"response.status":200}}],"goto":"ready"
    """)
}

@Test func aChangeHasOldAndNew() {
  let changes: Stretch<Change> = [
    Change(path: .init(key: "token"), old: .null, new: .string(Sample.secret("a"))),
    Change(path: .init(key: "expiresAt"), old: .timestamp(Sample.instant(0)), new: .duration(.seconds(60))),
  ]
  checkLine(
    .set(Sample.app, changes),
    """
    "set","who":"app","ref":["1.2"],"changes":[{"path":"token","old":null,"new":"<token#1>"},\
    {"path":"expiresAt","old":"\(Sample.header.started)","new":"\(Duration.seconds(60).text)"}]
    """)
}

@Test func aKeyThatIsCalledLikeASecretStandsAsItsAlias() {
  let key = "storedAccessToken"
  let changes: Stretch<Change> = [
    Change(path: .init(key: "token"), old: .null, new: .string(Sample.secret(key))),
    Change(path: .init(key: key), old: .null, new: .int(1)),
  ]
  checkLine(
    .set(Sample.app, changes),
    """
    "set","who":"app","ref":["1.2"],"changes":[{"path":"token","old":null,"new":"<token#1>"},\
    {"path":"<token#1>","old":null,"new":1}]
    """)
}

@Test func anEventSaysWhatBecameOfIt() {
  let event = EventHappening(
    from: Sample.person, to: Sample.app, name: "user.begins", fields: [Sample.named("n", .double(1))], outcome: .ignored
  )
  checkLine(
    .event(event),
    """
    "event","from":"user","to":"app","ref":["1.2"],"event":"user.begins","title":"The person begins",\
    "with":{"n":1.0},"outcome":"ignored"
    """)
}

@Test func whatNobodySendsIsAboutTheOneItReaches() {
  let event = EventHappening(from: nil, to: Sample.app, name: "device.online", fields: [], outcome: .taken)
  checkLine(.event(event), "\"event\",\"who\":\"app\",\"ref\":[\"1.2\"],\"event\":\"device.online\"")
}

@Test func everyEndSaysWhereAndWhy() {
  checkLine(Sample.ended(), "\"ended\",\"who\":\"app\",\"ref\":[\"1.2\"],\"how\":\"goal\",\"state\":\"ready\"")
  checkLine(Sample.ended(.end("x")), "\"ended\",\"who\":\"app\",\"ref\":[\"1.2\"],\"how\":\"end\",\"end\":\"x\"")
  checkLine(Sample.ended(.stopped), "\"ended\",\"who\":\"app\",\"ref\":[\"1.2\"],\"how\":\"stopped\"")
  checkLine(
    Sample.ended(.error("no")), "\"ended\",\"who\":\"app\",\"ref\":[\"1.2\"],\"how\":\"error\",\"error\":\"no\"")
}

@Test func aTraceReadsBack() throws {
  let facts = [Sample.request(), Sample.answer(), Sample.state("ready", title: "Ready", isGoal: true), Sample.ended()]
  let trace = try Trace(reading: Sample.bytes(facts.map { Sample.happening($0, refs: ["1"]) }))
  #expect(trace.header == Sample.header)
  #expect(trace.lines.map(\.kind) == [.request, .answer, .state, .ended])
  #expect(trace.lines[0].from == "app" && trace.lines[0].refs == ["1"] && trace.lines[3].number == 4)
}

@Test(arguments: ["", "[]", "{}", "{\"trace\":2}", "{\"trace\":1,\"flow\":\"x\"}"])
func whatIsNoTraceSaysWhy(text: String) {
  #expect(throws: TraceError.self) { try Trace(reading: Array(text.utf8)) }
}
