import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// What has no end by itself is ended, each with its own words.
@Suite struct BoundTests {
  private static func growing(_ type: String, _ assignment: String) -> Sketch {
    Sketch(
      flow: #"""
        "memory": {"no": {"type": "bool", "initial": false}, "v": {"type": "\#(type)"}}, "start": "first", "states": {
          "first": {"do": [{"set": {"v": \#(type == "string" ? #""0123456789""# : "{}")}}], "next": [{"goto": "round"}]},
          "round": {"do": [{"set": {"v": \#(assignment)}}], "next": [{"when": "memory.no", "goto": "out"}, {"goto": "round"}]},
          "out": {"goal": true}}
        """#)
  }

  @Test(arguments: [
    #""${memory.v + memory.v}""#, #""${memory.v}${memory.v}""#, #""${[memory.v, memory.v].join()}""#,
    #""${urlEncode('%' + memory.v) + base64url(memory.v)}""#,
  ]) func aTextThatDoublesIsAnError(_ value: String) throws {
    try checkProblem(Self.growing("string", value), is: "value-too-large", at: String(value.prefix(40)))
  }

  /// To the byte: one more is too large.
  @Test func aTextMayHaveAMebibyte() throws {
    func doubled(by last: String) -> Sketch {
      Sketch(
        flow: #"""
          "store": {"t": {"type": "string"}},
          "memory": {"v": {"type": "string", "initial": "x"}, "n": {"type": "int", "initial": 0}}, "start": "round", "states": {
            "round": {"do": [{"set": {"v": "${memory.v + memory.v}", "n": "${memory.n + 1}"}}], "next": [
              {"when": "memory.n < 20", "goto": "round"}, {"do": [{"set": {"t": "${memory.v\#(last)}"}}], "goto": "out"}]},
            "out": {"goal": true}}
          """#)
    }
    #expect(Story.codes(of: try doubled(by: "").run()).isEmpty)
    #expect(Story.codes(of: try doubled(by: " + 'x'").run()) == ["value-too-large"])
  }

  @Test func aMapThatDoublesIsAnError() throws {
    try checkProblem(
      Self.growing("json", #"{"a": "${memory.v}", "b": "${memory.v}"}"#), is: "value-too-large", at: #""${memory.v}""#)
  }

  /// A table is weighed where something large is set, or by the number of its rows: what a row begins with is not set.
  @Test func whatTheOtherFieldsOfARowBeginWithIsNotWeighed() throws {
    let initial = String(repeating: "I", count: 60_000)
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}, "t": {"rows": {"x": {"type": "int"}, "y": {"type": "string", "initial": "\#(initial)"}}}},
        "start": "round", "states": {"out": {"goal": true}, "round": {
          "do": [{"set": {"n": "${store.n + 1}", "t[string(store.n)]": {"x": 1}}}],
          "next": [{"when": "store.n < 400", "goto": "round"}, {"goto": "out"}]}}
        """#)
    #expect(Story.codes(of: try sketch.run()).isEmpty)
  }

  /// What is deep is looked through by recursion, and so must not grow either.
  @Test func aValueThatGetsDeeperIsAnError() throws {
    try checkProblem(
      Self.growing("json", #"{"a": "${memory.v}"}"#), is: "value-too-large", at: #""${memory.v}""#)
  }

  /// What was derived holds what it was derived from: it is deep, and as a text always of one length.
  @Test(arguments: [
    #""${s256(memory.v)}""#, #""${s256(memory.v + memory.v)}""#, #""${s256('a' + s256(memory.v))}""#,
    #""x${s256(memory.v)}""#,
  ]) func whatIsDerivedFromItselfIsAnError(_ value: String) throws {
    let sketch = Sketch(
      flow: #"""
        "memory": {"no": {"type": "bool", "initial": false}, "v": {"type": "string"}}, "start": "first", "states": {
          "first": {"do": [{"set": {"v": "${fresh('v')}"}}], "next": [{"goto": "round"}]},
          "round": {"do": [{"set": {"v": \#(value)}}], "next": [{"when": "memory.no", "goto": "out"}, {"goto": "round"}]},
          "out": {"goal": true}}
        """#)
    let outcome = try sketch.run()
    #expect(Story.codes(of: outcome) == ["value-too-large"])
  }

  /// Makes one row each second.
  private static func filling(by value: String) -> Sketch {
    Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}, "t": {"rows": {"v": {"type": "string"}}}}, "start": "a", "states": {
          "a": {"rest": true, "after": [{"wait": "1s", "do": [{"set": {"t[string(store.n)].v": "\#(value)", "n": "${store.n + 1}"}}], "goto": "a"}]}}
        """#)
  }

  /// Beginning with so many rows, since the way to them is long.
  @Test(arguments: [(9_999, nil), (10_000, "too-many-rows")])
  func aTableOfTooManyRowsIsAnError(count: Int, code: String?) throws {
    let world = World(try Self.filling(by: "x").load())
    var snapshot = world.initial(now: .start)
    let row = Value.map(ValueMap(distinct: [ValueMap.Entry(key: .string("v"), value: .null)]))
    let rows = (0..<count).map { ValueMap.Entry(key: .string("r\($0)"), value: row) }
    snapshot.app.store[1] = .map(ValueMap(distinct: rows))
    let launched = world.take(.launch, in: snapshot).snapshot
    #expect(world.take(.tick(timers: true), in: launched).failure?.code == code)
  }

  @Test func aTableOfTooMuchIsAnError() throws {
    try checkProblem(
      Self.filling(by: String(repeating: "x", count: 1_000_000)), #""script": [{"advance": "30s"}], "ends": "a""#,
      is: "table-too-large", at: #""t[string(store.n)].v""#)
  }

  @Test func anInboxThatGrowsIsAnError() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "a"}]},
          "a": {"rest": true, "after": [{"wait": "1s", "goto": "ask"}]}}
        """#,
      services: [
        "api": #""routes": [{"on": "GET /x", "next": [{"do": [{"send": {"m": {}}}], "reply": {"status": 200}}]}]"#
      ])
    try checkProblem(
      sketch, #""script": [{"advance": "20000s"}], "ends": "a""#, is: "too-many-mails", at: #""m""#)
  }

  @Test func anExpressionThatMakesTooMuchIsAnError() throws {
    let many = "[" + String(repeating: "1,", count: 100) + "1]"
    let value = #""${\#(many).map(a, \#(many).map(b, memory.v + memory.v).join()).join()}""#
    try checkProblem(Self.growing("string", value), is: "too-costly", at: String(many.prefix(40)))
  }

  private static func ticking(_ timer: String) -> Sketch {
    Sketch(flow: #""start": "a", "states": {"a": {"rest": true, "after": [{\#(timer), "goto": "a"}]}}"#)
  }

  @Test func aRunThatTakesTooManyChoicesIsAnError() throws {
    try checkProblem(
      Self.ticking(#""wait": "1ms""#), #""script": [{"advance": "30000d"}], "ends": "a""#, is: "endless-run",
      at: #""test""#)
  }

  /// Real time goes on for ever: only who lets time pass is told that it was too much.
  @Test(arguments: [true, false])
  func aRunThatIsLedEndsForItsLengthWhereItIsLimited(isLimited: Bool) throws {
    let world = World(try Self.ticking(#""wait": "1ms""#).load())
    var run = LiveRun(world, from: world.initial(now: .start))
    run.isLimited = isLimited
    run.launch(by: [])
    for _ in 0..<101 {
      run.advance(to: try #require(Timestamp.start.advanced(by: .seconds(86400))), most: 1000)
      _ = run.takeEffects()
    }
    #expect(run.failure?.code == (isLimited ? "endless-run" : nil))
    if isLimited { #expect(run.failure?.help == "let less time pass, or let timers fire less often") }
  }

  /// Further tries come behind the last step too, and no step that lets less time pass ends them.
  @Test func aCircleOfFurtherTriesIsToldToWait() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"rest": true, "on": {"user.x": {"goto": "asks"}}},
          "asks": {"request": {"to": "api", "get": "/x",
            "retry": {"when": "response.failure != null", "most": 2, "wait": "2s"}}, "next": [
              {"when": "response.status == 200", "goto": "done"}, {"goto": "asks"}]},
          "done": {"goal": true}}
        """#,
      services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#])
    let outcome = try sketch.run(#""script": [{"offline": true}, {"event": "user.x"}]"#)
    #expect(Story.codes(of: outcome) == ["endless-run"])
    #expect(outcome.problems.first?.help?.contains("let their circle wait for an event") == true)
  }

  /// A trace tells each value that is set as a whole.
  @Test func aRunThatSetsTooMuchIsAnError() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}, "v": {"type": "string"},
          "long": {"type": "string", "initial": "\#(String(repeating: "I", count: 1_000_000))"}},
        "start": "round", "states": {"out": {"goal": true}, "round": {
          "do": [{"set": {"n": "${store.n + 1}", "v": "${store.n % 2 == 0 ? store.long : ''}"}}],
          "next": [{"when": "store.n < 1000", "goto": "round"}, {"goto": "out"}]}}
        """#)
    let outcome = try sketch.run()
    #expect(Story.codes(of: outcome) == ["endless-run"])
    #expect(outcome.problems.first?.message == "The run set its keys to more than 64 MB of values in all")
  }

  @Test func aScriptOfTooManyStepsIsToldToBeTooLong() throws {
    let steps = Array(repeating: #"{"advance": "1s"}"#, count: 100_001).joined(separator: ", ")
    let outcome = try Self.ticking(#""wait": "100d""#).run(#""script": [\#(steps)], "ends": "a""#)
    #expect(Story.codes(of: outcome) == ["endless-run"])
    #expect(outcome.problems.first?.help == "make the script shorter: it has 100001 steps")
  }

  @Test func aTimerBehindTheEndOfTheCalendarIsAnError() throws {
    try checkProblem(
      Self.ticking(#""wait": "100000d""#), #""given": {"now": "9900-01-01T00:00:00Z"}, "script": [], "ends": "a""#,
      is: "beyond-calendar", at: #""100000d""#)
  }

  /// Waits that grow beyond what 64 bits of nanoseconds hold, and at last beyond the calendar: then there is no further try.
  @Test func aRetryMayWaitForCenturiesAndNotForEver() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x", "retry": {"when": "true", "most": 9, "wait": "100000d", "factor": 4}},
            "next": [{"goto": "done"}]},
          "done": {"goal": true}}
        """#, services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 503}}]}]"#])
    try checkStory(
      sketch, has: "+8640000000s\napi → app 503\n+34560000000s\napi → app 503\n+138240000000s\napi → app 503\nin done",
      never: ["+552960000000s"])
  }

  @Test func timeMayReachTheLastDayOfTheCalendar() throws {
    try checkStory(
      Self.ticking(#""at": "9999-12-31T23:59:59Z""#), #""script": [{"advance": "100000d"}], "ends": "a""#,
      has: "in a")
  }
}
