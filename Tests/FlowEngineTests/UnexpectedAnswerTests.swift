import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// A sign-in whose guard is the one that is given, and whose model answers with a token among other things.
private func signIn(when guarded: String, json: String = #"{"token": "t", "user": {"name": "Ada"}}"#) -> Sketch {
  let set = #"{"token": "${string(response.json.token)}", "name": "${response.json.user.name}"}"#
  return Sketch(
    flow: #"""
      "store": {"token": {"type": "string", "secret": true}, "name": {"type": "string"}}, "start": "asking", "states": {
        "asking": {"request": {"to": "api", "post": "/in"}, "next": [
          {"when": "\#(guarded)", "do": [{"set": \#(set)}], "goto": "home"}, {"goto": "out"}]},
        "out": {"rest": true, "on": {"user.tries": {"goto": "asking"}}}, "home": {"goal": true}},
      "events": {"user.tries": {}}
      """#,
    services: [
      "api": #""secrets": ["token"], "routes": [{"on": "POST /in", "next": [{"reply": {"json": \#(json)}}]}]"#
    ])
}

/// The errors that are found; each scenario that is told was seen to come to the same.
private func errors(_ sketch: Sketch, unexpected: Bool = true) throws -> [Finding] {
  let flow = try sketch.load()
  let exploration = Exploration.of(flow, unexpected: unexpected)
  #expect(exploration.isComplete)
  let errors = exploration.findings.filter { $0.kind == .runError }
  for error in errors {
    let scenario = try #require(error.scenario, "\(error)")
    let problem = World(flow).replay(scenario)?.outcome.problems.last
    #expect(problem?.code == error.diagnostic?.code && problem?.message == error.diagnostic?.message, "\(scenario)")
  }
  return errors
}

private func messages(_ sketch: Sketch) throws -> [String] { try errors(sketch).map { $0.diagnostic?.message ?? "" } }

@Suite struct UnexpectedAnswerTests {
  private let asked = "response.status == 200 && isString(response.json.?token)"
  private let careful =
    "response.status == 200 && isString(response.json.?token) && response.json.?user.?name.orValue('') == 'Ada'"

  @Test func whatAnAppTrustsIsFoundWithAScenario() throws {
    #expect(try errors(signIn(when: asked), unexpected: false).isEmpty)
    let found = try messages(signIn(when: asked))
    #expect(found.contains(#""response.json.user.name" of api is a bool, where a string is needed"#), "\(found)")
    let help = try errors(signIn(when: asked)).compactMap(\.diagnostic?.help).joined()
    #expect(help.contains("isString(…) in a guard tells whether string(…) works on it"), "\(help)")
    #expect(found.contains(#"there is no member "name""#) && found.contains(#"there is no member "user""#), "\(found)")
  }

  @Test func whatAsksFirstTrustsNothing() throws {
    #expect(try messages(signIn(when: careful)) == [])
  }

  /// What the app may get in place of the answer that it awaits first, as scenarios write it.
  private func answers(_ sketch: Sketch) throws -> [String] {
    let world = World(try sketch.load(), triesUnexpected: true)
    let snapshot = world.take(.launch, in: world.starts[0], recording: false).snapshot
    return world.moves(in: snapshot, isStart: false).compactMap { move in
      var retelling = Retelling(world)
      guard case .receive = move, retelling.tell(move, in: snapshot, isStart: false) else { return nil }
      return retelling.faults.first?.effects.first?.json
    }
  }

  @Test func aSometimesAndWhatComesOfAnotherServiceAreVaried() throws {
    var sketch = signIn(when: careful)
    sketch.services = [
      "api": #"""
      "routes": [{"on": "POST /in", "next": [
        {"name": "counted", "sometimes": true, "reply": {"status": 201, "json": {"count": 4}}}, {"goto": "asking"}]}],
      "states": {"asking": {"request": {"to": "inner", "get": "/x"}, "next": [
        {"reply": {"json": {"list": "${response.json.list}"}}}]}}
      """#,
      "inner": #""routes": [{"on": "GET /x", "next": [{"reply": {"json": {"list": [{"a": 1}]}}}]}]"#,
    ]
    let answers = try answers(sketch)
    #expect(answers.contains(#"{ "status": 201, "json": {"count":null} }"#), "\(answers)")
    #expect(answers.contains(#"{ "status": 200, "json": {"list":[{"a":[]}]} }"#), "\(answers)")
    #expect(answers.contains(#"{ "status": 204 }"#) && answers.contains(#"{ "status": 200, "json": null }"#))
    #expect(Set(answers).count == answers.count)
  }

  @Test func whatLeavesTheAppStuckIsFound() throws {
    var sketch = signIn(when: asked)
    sketch.flow = #"""
      "start": "asking", "states": {
        "asking": {"request": {"to": "api", "post": "/in"}, "next": [
          {"when": "response.status == 503 && response.text.contains('html')", "goto": "stuck"},
          {"when": "response.status == 200", "goto": "home"}, {"goto": "out"}]},
        "out": {"rest": true, "on": {"user.tries": {"goto": "asking"}}}, "home": {"goal": true},
        "stuck": {"on": {"user.tries": {"goto": "asking"}}}}, "events": {"user.tries": {}}
      """#
    let flow = try sketch.load()
    #expect(Exploration.of(flow).findings.map(\.kind) == [.neverEntered])
    let findings = Exploration.of(flow, unexpected: true).findings
    #expect(findings.map(\.kind) == [.stop] && findings.first?.state == "stuck")
    let scenario = findings.first?.scenario ?? ""
    #expect(scenario.contains(#""answer": { "status": 503, "text": "<html>" }"#), "\(scenario)")
  }

  /// The server has used the code up, and says so where it comes once more.
  @Test func theModelMayHaveActedBehindAnOddAnswer() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}}, "start": "asking", "states": {
          "asking": {"request": {"to": "api", "post": "/in"}, "next": [
            {"when": "response.status == 200 && !isString(response.json.?token)", "goto": "again"}, {"goto": "home"}]},
          "again": {"request": {"to": "api", "post": "/again"}, "next": [
            {"when": "response.status == 410", "do": [{"set": {"n": "${int(config.bad)}"}}], "goto": "home"}, {"goto": "home"}]},
          "home": {"goal": true}}, "config": {"bad": {"type": "string", "value": "bad"}}
        """#,
      services: [
        "api": #"""
        "store": {"spent": {"type": "bool", "initial": false}}, "routes": [
          {"on": "POST /in", "next": [{"do": [{"set": {"spent": true}}], "reply": {"json": {"token": "t"}}}]},
          {"on": "POST /again", "next": [{"when": "store.spent", "reply": {"status": 410}}, {"reply": {"json": {"token": "t"}}}]}]
        """#
      ])
    let scenarios = try errors(sketch).compactMap(\.scenario)
    #expect(
      scenarios.count == 1 && scenarios[0].contains(#""lost": true, "answer": { "status": 200, "json": {} }"#),
      "\(scenarios)")
  }

  /// Who only looks has nothing done.
  @Test(arguments: [("post", true), ("put", true), ("get", false)])
  func theModelActsWhereSomethingIsAskedFor(method: String, acts: Bool) throws {
    var sketch = signIn(when: asked)
    sketch.flow = sketch.flow.replacing(#""post": "/in""#, with: #""\#(method)": "/in""#)
    sketch.services = ["api": #""routes": [{"on": "\#(method.uppercased()) /in", "next": [{"reply": {}}]}]"#]
    let world = World(try sketch.load(), triesUnexpected: true)
    let snapshot = world.take(.launch, in: world.starts[0], recording: false).snapshot
    let acting = world.moves(in: snapshot, isStart: false).filter { move in
      if case .deliver(_, nil, .replaced) = move { true } else { false }
    }
    #expect(acting.isEmpty != acts)
  }

  /// What nobody ever says is no way out.
  @Test func aDeadEndStaysOneWhateverAnAnswerCouldBe() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"seen": {"type": "bool", "initial": false}}, "start": "polling", "states": {
          "polling": {"request": {"to": "api", "get": "/state"}, "next": [
            {"when": "response.status == 200", "goto": "home"}, {"goto": "waiting"}]},
          "waiting": {"rest": true, "on": {"user.tries": {"goto": "polling"}}}, "home": {"goal": true}},
        "events": {"user.tries": {}}
        """#,
      services: ["api": #""routes": [{"on": "GET /state", "next": [{"reply": {"status": 404}}]}]"#])
    let flow = try sketch.load()
    #expect(Exploration.of(flow).findings.map(\.kind) == [.noWayToGoal, .neverEntered])
    #expect(Exploration.of(flow, unexpected: true).findings.map(\.kind) == [.noWayToGoal])
  }

  /// A large answer is not made anew for each of its members at once.
  @Test func ofALargeAnswerTheFirstAreTried() {
    let entries = (0..<20_000).map { ValueMap.Entry(key: .string("n\($0)"), value: .int(1)) }
    let count = Value.map(ValueMap(distinct: entries)).unexpected.count
    #expect(count > 0 && count < 200)
  }

  @Test func theHeadersOfTheModelStay() throws {
    var sketch = signIn(when: "response.headers[?'etag'].orValue('') == 'e' && isString(response.json.?token)")
    sketch.services = [
      "api": #"""
      "secrets": ["token", "header.x-key"], "routes": [{"on": "POST /in", "next": [{"reply": {
        "headers": {"ETag": "e", "X-Key": "hush"}, "json": {"token": "t", "user": {"name": "Ada"}}}}]}]
      """#
    ]
    let scenarios = try errors(sketch).compactMap(\.scenario).joined()
    #expect(scenarios.contains(#""etag": "e""#) && !scenarios.contains("hush"), "\(scenarios)")
  }

  /// "600" is text that converts, and so passes a guard that asks `isInt`.
  @Test func aNumberAsTextIsTried() throws {
    var sketch = signIn(when: careful + " && isInt(response.json.?life)", json: #"{"token": "t", "life": 600}"#)
    sketch.flow = sketch.flow.replacing("response.json.?user.?name.orValue('') == 'Ada' && ", with: "")
      .replacing("${response.json.user.name}", with: "${string(seconds(response.json.life))}")
    let found = try errors(sketch)
    let messages = Set(found.compactMap { $0.diagnostic?.message })
    #expect(messages == ["seconds does not work on string", "the duration, of more than 292 years, is out of range"])
    #expect(found.first?.scenario?.contains(#""life":"600""#) == true, "\(found)")
  }

  /// More seconds than a duration has, and a time that is over.
  @Test func anOddNumberIsTried() throws {
    let json = #"{"token": "t", "life": 600}"#
    func messages(_ guarded: String) throws -> [String?] {
      var sketch = signIn(when: careful + " && isInt(response.json.?life) && " + guarded, json: json)
      sketch.flow = sketch.flow.replacing("response.json.?user.?name.orValue('') == 'Ada' && ", with: "")
        .replacing("${response.json.user.name}", with: "${string(seconds(int(response.json.life)))}")
      return try errors(sketch).map { $0.diagnostic?.message }
    }
    #expect(try messages("true") == ["the duration, of more than 292 years, is out of range"])
    #expect(try messages("int(response.json.life) < 86400") == [])
  }

  @Test func aHeaderIsLeftOutAndADate() throws {
    var sketch = signIn(when: "response.status == 429")
    let wait = "${string(seconds(int(response.headers['retry-after'])))}"
    sketch.flow = sketch.flow.replacing("${response.json.user.name}", with: wait)
      .replacing("${string(response.json.token)}", with: "t")
    sketch.services = [
      "api": #""routes": [{"on": "POST /in", "next": [{"reply": {"status": 429, "headers": {"Retry-After": "9"}}}]}]"#
    ]
    let found = try messages(sketch).sorted()
    let none = #"there is no entry "response.headers['retry-after']""#
    #expect(found == ["the value cannot be converted to int", none], "\(found)")
  }

  /// Whoever may send a link to a person leaves out of it what they like.
  @Test func aLinkComesWithNothingInItsQuery() throws {
    var sketch = signIn(when: "response.status == 200")
    sketch.flow = #"""
      "memory": {"token": {"type": "string", "secret": true}}, "start": "out", "states": {
        "out": {"rest": true, "on": {"link.in": {"do": [{"set": {"token": "${event.token}"}}], "goto": "asking"}}},
        "asking": {"request": {"to": "api", "post": "/in", "form": {"token": "${memory.token}"}}, "next": [
          {"when": "response.status == 200", "goto": "home"}, {"goto": "out"}]}, "home": {"goal": true}},
      "events": {"link.in": {"fields": {"token": {"type": "string", "secret": true}}}}
      """#
    sketch.participants = ["app": #", "links": {"in": "https://app.example/in/{id}"}"#]
    #expect(try errors(sketch, unexpected: false).isEmpty)
    let found = try errors(sketch)
    #expect(found.map { $0.diagnostic?.code } == ["text-needed"])
    #expect(found.first?.scenario?.contains(#"{ "arrive": "https://app.example/in/x" }"#) == true, "\(found)")
  }

  @Test func noSecretOfAnAnswerStandsInAScenario() throws {
    let id = #"${jwt({'sub': 'ada', 'jti': fresh('id'), 'token': 'hush-7'})}"#
    let deep = #""deep": {"token": [70707070, "hush", true]}, "n": 70707070"#
    let json = #"{"token": "hush-7", "user": {"name": "Ada"}, \#(deep), "id": "\#(id)"}"#
    let guarded =
      "response.status == 200 && isString(response.json.?token) && claims(response.json.?id).?sub.orValue('') == 'ada'"
    let found = try errors(signIn(when: guarded, json: json))
    #expect(found.contains { $0.diagnostic?.message.contains("response.json.user.name") == true })
    let text = found.compactMap(\.scenario).joined()
    #expect(text.contains("token-1") && !text.contains("hush") && !text.contains("7070"), "\(text)")
    #expect(text.contains(#"[0,"token-"#) && text.contains(#","n":0"#), "\(text)")
    let tokens = text.split { "\".".contains($0) }.compactMap { bytes(ofBase64URL: $0) }
    let payloads = tokens.map { String(decoding: $0, as: UTF8.self) }
    #expect(payloads.contains { $0.contains("ada") } && !payloads.contains { $0.contains("hush") }, "\(payloads)")
  }

  @Test func eachMemberIsLeftOutAndOfEachOtherType() {
    let value = Value.map(
      ValueMap([
        ValueMap.Entry(key: .string("n"), value: .int(1)),
        ValueMap.Entry(
          key: .string("list"),
          value: .list([.map(ValueMap([ValueMap.Entry(key: .string("s"), value: .string("x"))])), .null])),
      ]))
    let texts = value.unexpected.map(\.asTemplateJSON)
    let lists = [
      #"null"#, "true", "5", "1e+20", #""soon""#, "{}", "[{},null]", #"[{"s":null},null]"#,
      #"[{"s":true},null]"#, #"[{"s":5},null]"#, #"[{"s":1e+20},null]"#, #"[{"s":[]},null]"#,
      #"[{"s":{}},null]"#,
    ]
    #expect(texts.count == 1 + 9 + 1 + lists.count, "\(texts)")
    #expect(texts.contains(#"{"list":[{"s":"x"},null]}"#) && texts.contains(#"{"n":1}"#))
    for odd in [#""1""#, "-1", "99999999999999"] { #expect(texts.contains { $0.hasPrefix(#"{"n":"# + odd) }, "\(odd)") }
    for list in lists { #expect(texts.contains { $0.hasSuffix(#""list":"# + list + "}") }, "\(list) in \(texts)") }
  }
}
