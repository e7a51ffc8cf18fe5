import FlowEngine
import FlowSpec
import Testing

/// Values that only a run knows are held to what is declared of them wherever they go, not only where they are kept.
@Suite struct DeclaredFieldTests {
  /// U+212A, the Kelvin sign, is "K" to whoever compares letters, and another text to a guard.
  @Test func oneOfItsWordsIsOneByItsScalars() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"mode": {"one of": ["KEEP", "DROP"]}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/"}, "next": [
            {"do": [{"set": {"mode": "${response.json.mode}"}}], "goto": "done"}]},
          "done": {"goal": true}}
        """#,
      services: ["api": #""routes": [{"on": "GET /", "next": [{"reply": {"json": {"mode": "KEEP"}}}]}]"#])
    try checkProblem(sketch, is: "wrong-type", at: "\"mode\"")
  }

  private static func asking(_ next: String, app: String = "", device: String = "", answers: String) -> Sketch {
    Sketch(
      flow: """
        \(app) "start": "ask", "states": {
          "ask": {"request": {"get": "/x", "to": "api"}, "next": [{"when": "response.status == 200", \(next)}, {"goto": "failed"}]},
          "done": {"goal": true}, "failed": {"rest": true}}
        """,
      services: ["api": "\"routes\": [{\"on\": \"GET /x\", \"next\": [{\"reply\": {\"json\": \(answers)}}]}]"],
      participants: ["device": device])
  }

  private static func emitting(_ type: String, _ value: String, answers: String) -> Sketch {
    asking(
      "\"do\": [{\"emit\": {\"told\": {\"v\": \"\(value)\"}}}], \"goto\": \"done\"",
      app: "\"emits\": {\"told\": {\"v\": \(type)}},", answers: answers)
  }

  @Test(arguments: [
    (#"{"type": "int"}"#, #"{"v": "7"}"#), (#"{"type": "string"}"#, #"{"v": 7}"#),
    (#"{"type": "timestamp"}"#, #"{"v": "now"}"#),
    (#"{"type": "list"}"#, #"{"v": {}}"#), (#"{"type": "bool"}"#, #"{"v": "yes"}"#),
  ]) func whatIsEmittedIsOfItsDeclaredType(type: String, answers: String) throws {
    let sketch = Self.emitting(type, "${response.json.v}", answers: answers)
    try checkProblem(sketch, is: "wrong-type", at: "\"${response.json.v}\"", says: #""response.json.v" of api is a"#)
    let untold = Running.runAutomatically(World(try sketch.load()), recording: false)
    #expect(untold.problems.map(\.code) == ["wrong-type"])
  }

  @Test func anotherWordThanThoseThatAreDeclaredIsNone() throws {
    try checkProblem(
      Self.emitting(#"{"one of": ["a", "b"]}"#, "${response.json.v}", answers: #"{"v": "c"}"#), is: "wrong-type",
      at: "\"${response.json.v}\"", says: #""v" is one of "a", "b", and another string came"#)
  }

  @Test func wholeNumbersAreNumbersAndNothingFitsEverything() throws {
    try checkStory(
      Self.emitting(#"{"type": "double"}"#, "${response.json.v}", answers: #"{"v": 7}"#), has: "emit told {v=7.0}")
    try checkStory(
      Self.emitting(#"{"type": "int"}"#, "${response.json.v}", answers: #"{"v": null}"#), has: "emit told {v=null}")
    try checkStory(Self.emitting(#"{"type": "int"}"#, "${response.json.?v}", answers: "{}"), has: "emit told\n")
  }

  @Test func whatIsShownIsOfItsDeclaredType() throws {
    try checkProblem(
      Self.asking(
        "\"do\": [{\"show\": {\"told\": {\"v\": \"${response.json.v}\"}}}], \"goto\": \"done\"",
        app: "\"screens\": {\"told\": {\"fields\": {\"v\": {\"type\": \"int\"}}}},", answers: #"{"v": "7"}"#),
      is: "wrong-type", at: "\"${response.json.v}\"", says: "is a string, where an int is needed")
  }

  @Test func whatTheDeviceIsGivenAndGivesIsOfItsDeclaredType() throws {
    let device = #"""
      , "capabilities": {"sign": {"input": {"n": {"type": "int"}}, "result": {"s": {"type": "string"}, "echo": {"type": "json"}},
        "example": {"s": "${input.n == 1 ? 'one' : 'other'}"}}}
      """#
    func signing(_ answers: String) -> Sketch {
      Sketch(
        flow: #"""
          "config": {"c": {"type": "json", "value": 5}}, "store": {"v": {"type": "json"}}, "start": "ask", "states": {
            "ask": {"request": {"get": "/x", "to": "api"}, "next": [{"when": "response.status == 200",
              "do": [{"set": {"v": "${response.json.v}"}}], "goto": "sign"}, {"goto": "failed"}]},
            "sign": {"perform": {"capability": "sign", "with": {"n": "${store.v}"}},
              "next": [{"do": [{"show": {"s": {"s": "${result.s}"}}}], "goto": "done"}]},
            "done": {"goal": true}, "failed": {"rest": true}}
          """#,
        services: ["api": "\"routes\": [{\"on\": \"GET /x\", \"next\": [{\"reply\": {\"json\": \(answers)}}]}]"],
        participants: ["device": device])
    }
    try checkProblem(
      signing(#"{"v": "1"}"#), is: "wrong-type", at: "\"${store.v}\"",
      says: #""store.v" is a string, where an int is needed"#)
    try checkStory(signing(#"{"v": 1}"#), has: "show s {s=one}")
    try checkProblem(
      signing(#"{"v": 1}"#),
      #""faults": [{"perform": "sign", "result": {"s": "${config.c}"}}]"#, is: "wrong-type",
      at: "\"${config.c}\"", says: #""config.c" is an int, where a string is needed"#)
  }

  @Test func whatAPersonGivesIsOfItsDeclaredType() throws {
    let sketch = Sketch(
      flow: #"""
        "config": {"v": {"type": "json", "value": 1}}, "events": {"user.x": {"fields": {"n": {"type": "int", "example": 1}}}}, "start": "a", "states": {
          "a": {"on": {"user.x": {"do": [{"show": {"n": {"n": "${event.n}"}}}], "goto": "b"}}}, "b": {"goal": true}}
        """#)
    try checkProblem(
      sketch, #""given": {"config": {"v": "two"}}, "script": [{"event": "user.x", "with": {"n": "${config.v}"}}]"#,
      is: "wrong-type", at: "\"${config.v}\"", says: #""config.v" is a string, where an int is needed"#)
    try checkStory(
      sketch, #""given": {"config": {"v": 2}}, "script": [{"event": "user.x", "with": {"n": "${config.v}"}}]"#,
      has: "show n {n=2}")
  }

  @Test(arguments: [#""rows['x']": "${response.json.row}""#, #""rows['x']": {"n": "${response.json.row.n}"}"#])
  func ofARowTheMemberIsTold(assignment: String) throws {
    let sketch = Self.asking(
      "\"do\": [{\"set\": {\(assignment)}}], \"goto\": \"done\"",
      app: #""store": {"rows": {"rows": {"n": {"type": "int"}}}},"#, answers: #"{"row": {"n": "7"}}"#)
    let told = try sketch.run().problems.map(\.message)
    #expect(told == [#""response.json.row.n" of api is a string, where an int is needed"#])
  }
}
