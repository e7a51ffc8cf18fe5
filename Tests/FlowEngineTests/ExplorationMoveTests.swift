import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// Explores a sketch whose state `lost` is left by nothing and reached by one kind of move alone; the scenario of the
/// finding has to say it, and to come there.
private func checkMove(
  _ sketch: Sketch, isTold line: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let flow = try sketch.load()
  let exploration = Exploration.of(flow, most: 5_000)
  #expect(exploration.isComplete, sourceLocation: sourceLocation)
  let finding = exploration.findings.first { $0.kind == .stop && $0.state == "lost" }
  let text = try #require(finding?.scenario, "\(exploration.findings)", sourceLocation: sourceLocation)
  #expect(text.contains(line), "\(text)", sourceLocation: sourceLocation)
  let outcome = try #require(World(flow).replay(text)?.outcome, sourceLocation: sourceLocation)
  let leaf = outcome.snapshot.app.run?.levels.last?.leaf
  #expect(leaf.map { flow.app.states[$0].name } == "lost", "\(text)", sourceLocation: sourceLocation)
}

/// Everything that section 7 lets happen is tried by an exploration.
@Suite struct ExplorationMoveTests {
  private static let pages = #"""
    "sometimes": [{"name": "busy", "reply": {"status": 503}}], "store": {"hit": {"type": "bool", "initial": false}},
    "routes": [
      {"on": "GET /x", "next": [{"reply": {"status": 200}}]},
      {"on": "POST /hit", "next": [{"do": [{"set": {"hit": true}}], "reply": {"status": 200}}]},
      {"on": "GET /hit", "next": [{"when": "store.hit", "reply": {"status": 200}}, {"reply": {"status": 404}}]},
      {"on": "POST /mail", "next": [{"do": [{"send": {"welcome": {"links": {"first": "https://app.example/in/1", "second": "https://app.example/in/2"}}}}], "reply": {"status": 200}}]},
      {"on": "GET /page", "next": [{"reply": {"page": {"title": "P", "links": {"more": {"get": "/more"}}}}}]},
      {"on": "GET /more", "next": [{"reply": {"page": {"title": "M", "forms": {
        "name": {"post": "/name", "fields": {"name": {"type": "string", "example": "ada"}}}}}}}]},
      {"on": "POST /name", "next": [{"when": "request.form.name == 'ada'", "reply": {"redirect": {"uri": "com.example:/in"}}}, {"reply": {"status": 400}}]}]
    """#

  private func sketch(_ flow: String, participants: [String: String] = [:]) -> Sketch {
    Sketch(flow: flow + #", "start": "home""#, services: ["web": Self.pages], participants: participants)
  }

  /// What stands beside a capability, of the state or around it; the device comes before, between or behind.
  @Test(arguments: [
    (#""on": {"user.x": {"goto": "lost"}}"#, #"{ "event": "user.x" }"#),
    (#""after": [{"wait": "1h", "goto": "lost"}]"#, #"{ "perform": "sign", "delay": "1h15s" }"#),
    (#""on": {"device.offline": {"goto": "lost"}}"#, #"{ "perform": "sign", "delay": "15s" }"#),
    (
      #""after": [{"wait": "10s", "do": [{"set": {"a": true}}]}, {"wait": "20s", "do": [{"set": {"b": true}}]}]"#,
      #"{ "perform": "sign", "delay": "15s" }"#
    ),
  ])
  func whatStandsBesideACapability(beside: String, line: String) throws {
    let flow = #"""
      "memory": {"a": {"type": "bool", "initial": false}, "b": {"type": "bool", "initial": false}}, "events": {"user.x": {}}, "states": {
        "lost": {}, "in": {"goal": true}, "home": {"start": "ask", \#(beside), "states": {"ask": {"perform": "sign", "next": [
          {"when": "memory.a && !memory.b", "goto": "lost"}, {"goto": "in"}]}}}}
      """#
    let device = #", "capabilities": {"sign": {}}"#
    try checkMove(sketch(flow, participants: ["device": device]), isTold: line)
  }

  @Test func aCapabilityThatFailsLate() throws {
    let flow = #"""
      "memory": {"a": {"type": "bool", "initial": false}}, "states": {"lost": {}, "in": {"goal": true}, "home": {
        "perform": "sign", "after": [{"wait": "10s", "do": [{"set": {"a": true}}]}],
        "next": [{"when": "memory.a && result.failure == 'cancelled'", "goto": "lost"}, {"goto": "in"}]}}
      """#
    try checkMove(
      sketch(flow, participants: ["device": #", "capabilities": {"sign": {"failures": ["locked", "cancelled"]}}"#]),
      isTold: #"{ "perform": "sign", "fails": "cancelled", "delay": "25s" }"#)
  }

  @Test func closingTheTab() throws {
    let flow = #"""
      "events": {"user.x": {}}, "states": {"lost": {}, "home": {"goal": true, "on": {
        "user.x": {"do": [{"open": {"to": "web", "get": "/page"}}]}, "browser.closed": {"goto": "lost"}}}}
      """#
    try checkMove(sketch(flow), isTold: #"{ "close": "browser" }"#)
  }

  @Test(arguments: ["offline", "online"])
  func theNetworkGoesAndComes(name: String) throws {
    let flow = #"""
      "states": {"lost": {}, "home": {"goal": true, "on": {"device.\#(name)": {"goto": "lost"}}}}
      """#
    try checkMove(sketch(flow), isTold: #"{ "\#(name)": true }"#)
  }

  @Test func theAppIsLaunchedLater() throws {
    let flow = #"""
      "store": {"until": {"type": "timestamp"}}, "states": {"lost": {},
        "home": {"next": [{"when": "store.until == null", "do": [{"set": {"until": "${now + duration('2h')}"}}], "goto": "in"},
          {"when": "now > store.until", "goto": "lost"}, {"goto": "in"}]}, "in": {"goal": true}}
      """#
    try checkMove(sketch(flow), isTold: #"{ "relaunch": { "after": "2h1s" } }"#)
  }

  @Test func timeStopsWhereADurationOfConfigMatters() throws {
    let flow = #"""
      "config": {"grace": {"type": "duration", "value": "10m"}}, "store": {"until": {"type": "timestamp"}}, "states": {"lost": {},
        "home": {"next": [{"when": "store.until == null", "do": [{"set": {"until": "${now + duration('2h')}"}}], "goto": "in"},
          {"when": "expired(store.until, config.grace) && now < store.until", "goto": "lost"}, {"goto": "in"}]}, "in": {"goal": true}}
      """#
    try checkMove(sketch(flow), isTold: #"{ "relaunch": { "after": "1h50m1s" } }"#)
  }

  /// Moves are tried one after the other in one snapshot: nothing of the last may stay in the next.
  @Test func aSnapshotBecomesAnotherInAllItsParts() throws {
    let world = World(try sketch(#""states": {"home": {"goal": true}}"#).load())
    let first = world.initial(now: .start)
    var other = first
    other.now = try #require(first.now.advanced(by: .seconds(1)))
    other.device.online = false
    (other.app.config, other.app.store, other.services) = ([.null], [.null, .null], [[.null]])
    (other.app.run, other.app.ended) = (MachineRun(memory: [.null]), "over")
    other.app.offers = [OfferedEvent(event: 0, fields: [], from: 0)]
    other.app.unheard = UnheardEvent(event: 0)
    other.flights = [
      Flight(
        number: 1, caller: .app, from: 0, request: Request(Request.Parts(method: "GET", service: 0, path: [])),
        route: nil, due: other.now)
    ]
    other.exchanges = [Exchange(flight: 1, service: 0, request: [], run: MachineRun(memory: []), wanted: nil)]
    other.browser.tab = Browser.Tab(content: .loading(1))
    other.browser.jar = [Browser.Cookie(service: 0, name: "sid", value: .null)]
    other.inbox = [Mail(name: "hi", from: 0, to: nil, subject: nil, text: nil, links: [], refs: [])]
    other.mint = Mint(seed: .live("other"))
    (other.flightsMade, other.transitionsNow) = (1, 1)
    for (before, after) in [(first, other), (other, first)] {
      var snapshot = before
      snapshot.become(after)
      #expect(snapshot == after)
    }
  }

  @Test func mailAndEachOfItsLinks() throws {
    let flow = #"""
      "events": {"user.x": {}, "link.in": {"fields": {"n": {"type": "string"}}}}, "states": {"lost": {},
        "home": {"goal": true, "on": {"user.x": {"goto": "asking"}, "link.in": {"when": "event.n == '2'", "goto": "lost"}}},
        "asking": {"request": {"to": "web", "post": "/mail"}, "next": [{"goto": "home"}]}}
      """#
    try checkMove(
      sketch(flow, participants: ["app": #", "links": {"in": "https://app.example/in/{n}"}"#]),
      isTold: #"{ "open mail": "welcome", "link": "second" }"#)
  }

  @Test(arguments: [#"{ "follow": "more" }"#, #"{ "submit": "name" }"#])
  func linksAndFormsWithTheirExamples(line: String) throws {
    let flow = #"""
      "events": {"user.x": {}}, "states": {"lost": {}, "home": {"goal": true, "on": {
        "user.x": {"do": [{"open": {"to": "web", "get": "/page"}}]}, "browser.redirected": {"goto": "lost"}}}}
      """#
    try checkMove(sketch(flow, participants: ["app": #", "redirectUris": ["com.example:/in"]"#]), isTold: line)
  }

  @Test func aPageThatCannotBeReachedIsAskedForAgain() throws {
    let flow = #"""
      "store": {"was": {"type": "bool", "initial": false}}, "events": {"user.x": {}}, "states": {"lost": {}, "home": {"goal": true, "on": {
        "user.x": {"when": "!store.was && !device.online", "do": [{"set": {"was": true}}, {"open": {"to": "web", "get": "/page"}}]},
        "browser.redirected": {"goto": "lost"}}}}
      """#
    try checkMove(
      sketch(flow, participants: ["app": #", "redirectUris": ["com.example:/in"]"#]), isTold: #"{ "follow": "again" }"#)
  }

  @Test(arguments: [
    ("response.failure == 'unreachable'", #""unreachable": true"#), ("response.failure == 'lost'", #""lost": true"#),
    ("response.status == 503", #""reply": "busy""#),
  ])
  func whatBecomesOfARequest(when: String, line: String) throws {
    // Offline it is unreachable too, and lost what was under way: neither is possible before it is sent, or online.
    let flow = #"""
      "states": {"lost": {}, "home": {"request": {"to": "web", "get": "/x"}, "next": [
        {"when": "\#(when) && device.online", "goto": "lost"}, {"goto": "in"}]}, "in": {"goal": true}}
      """#
    try checkMove(sketch(flow), isTold: line)
  }

  @Test func aReplyBehindAWaitOfTheService() throws {
    let flow = #"""
      "states": {"lost": {}, "home": {"request": {"to": "web", "post": "/order"}, "next": [
        {"when": "response.status == 409", "goto": "lost"}, {"goto": "in"}]}, "in": {"goal": true}}
      """#
    let web = #"""
      "routes": [{"on": "POST /order", "next": [{"goto": "checking"}]}],
      "states": {"checking": {"request": {"to": "stock", "get": "/stock"}, "next": [
        {"name": "odd", "when": "response.status == 200", "sometimes": true, "reply": {"status": 409}}, {"reply": {"status": 200}}]}}
      """#
    let stock = #""routes": [{"on": "GET /stock", "next": [{"reply": {"status": 200}}]}]"#
    let sketch = Sketch(flow: flow + #", "start": "home""#, services: ["web": web, "stock": stock])
    try checkMove(sketch, isTold: #"{ "request": "POST /order", "reply": "odd" }"#)
    // What was asked for and cannot come is no snapshot: nothing is stuck where the stock is not reached.
    let findings = Exploration.of(try sketch.load()).findings.map(\.kind)
    #expect(findings == [.stop])
  }

  @Test func theDeviceFails() throws {
    let flow = #"""
      "states": {"lost": {}, "home": {"perform": "sign", "next": [
        {"when": "result.failure == 'cancelled'", "goto": "lost"}, {"goto": "in"}]}, "in": {"goal": true}}
      """#
    let device =
      #", "capabilities": {"sign": {"result": {"s": {"type": "string"}}, "example": {"s": "x"}, "failures": ["cancelled"]}}"#
    try checkMove(
      sketch(flow, participants: ["device": device]), isTold: #"{ "perform": "sign", "fails": "cancelled" }"#)
  }

  @Test func aKillBehindAllWritesBeforeTheRequest() throws {
    // Whatever becomes of the request, the app notes it; and the server acts on all that reaches it.
    let flow = #"""
      "store": {"asked": {"type": "bool", "initial": false}}, "events": {"user.x": {}}, "states": {"lost": {},
        "home": {"next": [{"when": "store.asked", "goto": "looking"}, {"goto": "in"}]},
        "in": {"goal": true, "on": {"user.x": {"do": [{"set": {"asked": true}}], "goto": "asking"}}},
        "asking": {"request": {"to": "web", "post": "/hit"}, "next": [
          {"when": "response.failure == 'unreachable'", "goto": "gone"}, {"goto": "in"}]},
        "gone": {"end": "gone"},
        "looking": {"request": {"to": "web", "get": "/hit"}, "next": [{"when": "response.status == 404", "goto": "lost"}, {"goto": "in"}]}}
      """#
    try checkMove(sketch(flow), isTold: #"{ "kill": { "keeping": 1 } }"#)
  }

  @Test func whereAKillLedBackToTheStartTheNetworkMayComeBeforeTheLaunch() throws {
    // Without a network each launch ends in an error; what it wrote is what was there before.
    let sketch = Sketch(
      flow: #"""
        "store": {"b": {"type": "bool", "initial": false}}, "start": "first", "states": {
          "first": {"request": {"to": "api", "get": "/x"}, "next": [
            {"when": "response.status == 200", "goto": "done"}, {"do": [{"set": {"b": false}}], "goto": "second"}]},
          "second": {"request": {"to": "api", "get": "/x"}, "next": [
            {"when": "response.json.ok == 1", "goto": "done"}, {"goto": "done"}]},
          "done": {"goal": true}}
        """#,
      services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200, "json": {"ok": 1}}}]}]"#])
    _ = try explore(sketch, finds: ["run-error second no-such-key"])
  }

  /// Of a long scenario not every step is tried to be left out: that takes the square of its length, and more.
  @Test func aLongScenarioIsToldSoon() throws {
    let sketch = Sketch(flow: #""start": "x", "states": {"x": {"goal": true}}"#)
    var retelling = Retelling(World(try sketch.load()))
    var tries: [Int] = []
    for count in [20, 5_000] {
      retelling.steps = (0..<count).map { .word("event", "user.\($0)") }
      var tried = 0
      _ = retelling.shorten(within: 1_000_000) { _ in
        tried += 1
        return tried == 1
      }
      tries.append(tried)
      #expect(retelling.steps.count == count)
    }
    #expect(tries[0] == 21 && (2...20).contains(tries[1]), "\(tries)")
  }
}
