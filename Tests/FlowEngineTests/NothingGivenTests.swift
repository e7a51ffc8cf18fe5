import FlowSpec
import Testing

@testable import FlowEngine

/// Section 3: what nothing is given for: lists and maps are empty, members fall away.
@Suite struct NothingGivenTests {
  @Test func listsAndMapsOfAnEventAreEmptyWhereNothingIsGiven() throws {
    try checkStory(
      Sketch(
        flow: #"""
          "events": {"user.picks": {"fields": {"tags": {"type": "list"}, "opts": {"type": "map"}, "name": {"type": "string"}}}},
          "start": "a", "states": {"a": {"on": {"user.picks": [
            {"when": "size(event.tags) == 0 && size(event.opts) == 0 && event.name == null", "goto": "none"}, {"goto": "some"}]}},
            "none": {"goal": true}, "some": {"rest": true}}
          """#), #""script": [{"event": "user.picks"}]"#, has: "in none")
  }

  private static func asking(
    _ example: String, with: String = #"{"l": "${memory.m.?x}", "m": "${config.j}"}"#
  ) -> Sketch {
    Sketch(
      flow: #"""
        "memory": {"m": {"type": "map"}}, "config": {"j": {"type": "json", "value": null}}, "start": "a", "states": {
          "a": {"perform": {"capability": "scan", "with": \#(with)}, "next": [{"do": [{"show": {"got": {
            "l": "${result.l}", "m": "${result.m}", "j": "${result.j}", "s": "${result.s}", "n": "${size(result.l)}"}}}], "goto": "b"}]},
          "b": {"goal": true}}
        """#,
      participants: [
        "device": #"""
        , "capabilities": {"scan": {"input": {"l": {"type": "list"}, "m": {"type": "map"}},
          "result": {"l": {"type": "list"}, "m": {"type": "map"}, "j": {"type": "json"}, "s": {"type": "string"}},
          "failures": ["no"]\#(example)}}
        """#
      ])
  }

  @Test func listsAndMapsOfAResultAreEmptyWhereNothingIsGiven() throws {
    let empty = "show got {l=[], m={}, j=null, s=null, n=0}"
    try checkStory(Self.asking(""), has: empty)
    try checkStory(Self.asking(#", "example": {"l": "${input.m.?x}", "m": null}"#), has: empty)
    let examples = Self.asking(#", "example": {"l": ["x"], "m": {"a": 1}, "s": "x"}"#)
    try checkStory(examples, #""faults": [{"perform": "scan", "fails": "no"}]"#, has: empty)
    try checkStory(
      examples, #""faults": [{"perform": "scan", "result": {"l": null, "m": "${config.j}"}}]"#,
      has: "show got {l=[], m={}, j=null, s=x, n=0}")
  }

  @Test func exploringFindsThemEmptyToo() throws {
    for example in ["", #", "example": {"l": ["x"]}"#] {
      _ = try explore(Self.asking(example), finds: [])
    }
  }

  @Test func listsAndMapsOfAnInputAreEmptyWhereNothingIsGiven() throws {
    let example = #", "example": {"l": "${input.l}", "s": "${string(size(input.l) + size(input.m))}"}"#
    for with in [#"{"l": null, "m": null}"#, #"{"l": "${memory.m.?x}", "m": "${config.j}"}"#] {
      try checkStory(
        Self.asking(example, with: with),
        has: "perform scan {l=[], m={}}\nshow got {l=[], m={}, j=null, s=0, n=0}")
    }
  }

  /// Nothing is declared of it, and inside of a value nothing ever is.
  @Test func whatIsNotDeclaredFallsAway() throws {
    try checkStory(
      Sketch(
        flow: #"""
          "store": {"s": {"type": "string"}}, "start": "a", "states": {
            "a": {"do": [{"show": {"home": {"s": "${store.?s}", "j": {"a": "${store.?s}", "b": 1}}}}], "goal": true}}
          """#), has: #"show home {j={"b":1}}"#)
  }

  @Test func withoutALocationNothingIsFoundInIt() throws {
    func decided(by condition: String, _ reply: String = "{}") throws -> Sketch {
      Sketch(
        flow: #"""
          "start": "a", "states": {"a": {"request": {"to": "api", "get": "/x"}, "next": [
            {"when": "\#(condition)", "goto": "b"}, {"goto": "c"}]}, "b": {"goal": true}, "c": {"goal": true}}
          """#,
        services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": \#(reply)}]}]"#])
    }
    let conditions = [
      "response.redirect.?query.?code.hasValue()", "response.?redirect.?query.?code.hasValue()",
      "has(response.redirect.query)", "present(response.redirect.?path)",
    ]
    let lost = #""faults": [{"request": "GET /x", "lost": true}]"#
    for condition in conditions {
      try checkStory(decided(by: condition), has: "in c")
      try checkStory(decided(by: condition), lost, has: "in c")
      try checkStory(decided(by: condition, #"{"redirect": {"get": "/y", "query": {"code": "1"}}}"#), has: "in b")
    }
    try checkProblem(
      decided(by: "response.redirect.query.?code.hasValue()"), is: "no-such-overload", at: "response.redirect.query")
  }

  @Test func nullMakesAListOrAMapWhatItIsToBeginWith() throws {
    try checkStory(
      Sketch(
        flow: #"""
          "memory": {"l": {"type": "list"}, "m": {"type": "map", "initial": {"a": 1}}}, "start": "a", "states": {
            "a": {"do": [{"set": {"l": ["x"], "m": {}}}, {"set": {"l": null, "m": null}}], "next": [
              {"when": "memory.l == [] && memory.m == {'a': 1}", "goto": "b"}, {"goto": "c"}]}, "b": {"goal": true}, "c": {"rest": true}}
          """#), has: "in b")
  }

  @Test func aLinkOfAMailThatFindsNothingFallsAway() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {"a": {"request": {"to": "api", "post": "/x"}, "next": [{"goto": "b"}]}, "b": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "POST /x", "next": [{"do": [{"send": {"hello": {"to": "a@b.example", "links":
          {"none": "${request.json.?url}", "in": "https://app.example/in"}}}}], "reply": {"status": 200}}]}]
        """#
      ])
    let outcome = try sketch.run()
    #expect(outcome.succeeded && outcome.snapshot.inbox.first?.links.map(\.name) == ["in"])
  }

  @Test func theMailAndTheLinkThatAreOpenedStandInTheTrace() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.asks": {}}, "start": "a", "states": {"a": {"request": {"to": "api", "post": "/x"}, "next": [{"goto": "b"}]},
          "b": {"rest": true, "on": {"user.asks": {"goto": "a"}}}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "POST /x", "next": [{"do": [{"send": {"hello": {"links":
          {"one": "https://app.example/1", "two": "https://app.example/2"}}}}], "reply": {"status": 200}}]}]
        """#
      ])
    let outcome = try sketch.run(
      #"""
      "script": [{"event": "user.asks"}, {"open mail": "hello"}, {"open mail": "hello", "link": "two"},
        {"open mail": "hello", "nth": 1, "link": "two"}, {"open mail": "hello", "nth": 2, "link": "one"}]
      """#)
    let trace = String(decoding: TraceWriter.trace(of: outcome, scenario: nil), as: UTF8.self)
    let choices = trace.split(separator: "\n").compactMap { line -> String? in
      let parts = line.split(separator: #""choice":"open mail "#)
      return parts.count == 2 ? String(parts[1].dropLast(2)) : nil
    }
    #expect(
      choices == ["hello", #"hello (\"link\" \"two\")"#, #"hello (\"nth\" 1, \"link\" \"two\")"#, "hello"], "\(trace)")
  }

  @Test func headersOfOneNameAreAListInASimulationToo() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {"a": {"request": {"to": "api", "get": "/x", "headers": {"X-One": "1", "x-one": "2"}}, "next": [
          {"when": "response.headers['x-two'] == '1, 2, a, b'", "goto": "b"}, {"goto": "c"}]}, "b": {"goal": true}, "c": {"rest": true}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "GET /x", "next": [{"reply": {"status": 200, "headers": {"X-Two": "${request.headers['x-one']}, a", "x-two": "b"}}}]}]
        """#
      ])
    try checkStory(sketch, has: "in b")
  }

  @Test func aHeaderHoldsNothingThatWouldEndIt() throws {
    func sketch(_ request: String, reply: String = #""status": 200"#) -> Sketch {
      Sketch(
        flow: #"""
          "config": {"c": {"type": "string", "value": "a\r\nX-Evil: 1"}}, "start": "a", "states": {
            "a": {"request": {"to": "api", "get": "/x"\#(request)}, "next": [{"goto": "b"}]}, "b": {"goal": true}}
          """#,
        services: [
          "api": #"""
          "config": {"c": {"type": "string", "value": "a\nb"}}, "routes": [{"on": "GET /x", "next": [{"reply": {\#(reply)}}]}]
          """#
        ])
    }
    for member in [#", "headers": {"x-a": "${config.c}"}"#, #", "bearer": "${config.c}""#] {
      let outcome = try sketch(member).run()
      let trace = String(decoding: TraceWriter.trace(of: outcome, scenario: nil), as: UTF8.self)
      #expect(outcome.succeeded && trace.contains(#""failure":"unreachable""#), "\(trace)")
      #expect(trace.contains("holds a control character") && !trace.contains("X-Evil: 1\\r"), "\(trace)")
    }
    let outcome = try sketch("", reply: #""status": 200, "headers": {"x-a": "${config.c}"}"#).run()
    #expect(outcome.problems.map(\.code) == ["forbidden-header"])
    try checkStory(sketch(#", "headers": {"x-a": "${config.c.substring(0, 1)}\tb"}"#), has: "in b")
  }
}
