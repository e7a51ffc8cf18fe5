import FlowEngine
import FlowSpec
import Testing

/// Section 5: states, what entering and leaving them does.
@Suite struct StateTests {
  private static let events = #""events": {"user.x": {}, "user.y": {}},"#

  /// Two compound states, each telling when it is entered.
  private static func nested(_ on: String) -> Sketch {
    Sketch(
      flow: #"""
        \#(events) "start": "outer", "states": {
          "outer": {"do": [{"show": {"outer": {}}}], "start": "inner", "goal": true, "on": {\#(on)}, "states": {
            "inner": {"do": [{"show": {"inner": {}}}], "start": "leaf", "states": {
              "leaf": {"do": [{"show": {"leaf": {}}}], "on": {"user.y": {"goto": "far"}}}, "second": {}}},
            "beside": {}}},
          "other": {"start": "far", "states": {"far": {"goal": true, "on": {"user.y": {"goto": "second"}}}}}}
        """#)
  }

  private static func checkMove(_ on: String, expects expected: String) throws {
    try checkStory(
      nested(on), #""script": [{"event": "user.x"}]"#,
      expects: """
        launch by user
        in outer
        show outer
        in inner
        show inner
        in leaf
        show leaf
        event user.x
        \(expected)
        """)
  }

  @Test func entersFromTheOutsideInAndDownToTheStarts() throws {
    try Self.checkMove(
      #""user.x": {"goto": "outer"}"#,
      expects: "in outer\nshow outer\nin inner\nshow inner\nin leaf\nshow leaf\nended at goal \"outer\"")
  }

  @Test func aGotoInsideDoesNotLeaveTheStateItStandsOn() throws {
    try Self.checkMove(#""user.x": {"goto": "beside"}"#, expects: "in beside\nended at goal \"outer\"")
    try Self.checkMove(
      #""user.x": {"goto": "inner"}"#, expects: "in inner\nshow inner\nin leaf\nshow leaf\nended at goal \"outer\"")
  }

  @Test func aGotoElsewhereEntersDownToTheTarget() throws {
    try Self.checkMove(#""user.x": {"goto": "far"}"#, expects: "in other\nin far\nended at goal \"far\"")
    try checkStory(
      Self.nested(#""user.x": {"goto": "far"}"#), #""script": [{"event": "user.y"}, {"event": "user.y"}]"#,
      has: "in other\nin far\nevent user.y\nin outer\nshow outer\nin inner\nshow inner\nin second",
      never: ["in beside"])
  }

  @Test func aTransitionWithoutGotoStays() throws {
    try Self.checkMove(
      #""user.x": {"do": [{"show": {"noted": {}}}]}"#, expects: "show noted\nended at goal \"outer\"")
  }

  @Test func leavingRunsTheTransitionsDoBeforeTheNextStateIsEntered() throws {
    try Self.checkMove(
      #""user.x": {"do": [{"show": {"between": {}}}], "goto": "far"}"#,
      expects: "show between\nin other\nin far\nended at goal \"far\"")
  }

  @Test func theInnermostStateThatNamesAnEventHandlesIt() throws {
    let sketch = Sketch(
      flow: #"""
        "memory": {"open": {"type": "bool", "initial": false}}, \#(Self.events) "start": "outer", "states": {
          "outer": {"start": "leaf", "goal": true, "on": {"user.x": {"goto": "byOuter"}, "user.y": {"goto": "byOuter"}},
            "states": {"leaf": {"on": {"user.x": {"when": "memory.open", "goto": "byLeaf"}}}, "byLeaf": {}}},
          "byOuter": {"goal": true}}
        """#)
    try checkStory(
      sketch, #""script": [{"event": "user.x"}, {"event": "user.y"}]"#,
      has: "in leaf\nevent user.x ignored\nevent user.y\nin byOuter", never: ["in byLeaf"])
  }

  @Test func anEventOfTheFlowItselfServesEverywhere() throws {
    let sketch = Sketch(
      flow: #"""
        \#(Self.events) "on": {"user.x": {"goto": "b"}}, "after": [{"wait": "1m", "goto": "late"}],
        "start": "a", "states": {"a": {"rest": true}, "b": {"goal": true}, "late": {"goal": true}}
        """#)
    try checkStory(
      sketch, #""script": [{"advance": "30s"}, {"event": "user.x"}, {"advance": "30s"}]"#,
      expects: """
        launch by user
        in a
        +30s
        event user.x
        in b
        +30s
        in late
        ended at goal "late"
        """)
  }

  @Test func theFirstTransitionThatHoldsIsTaken() throws {
    let sketch = Sketch(
      flow: #"""
        "memory": {"n": {"type": "int", "initial": 2}}, "start": "decide", "states": {
          "decide": {"next": [{"when": "memory.n > 2", "goto": "a"}, {"when": {"all": ["memory.n > 1", {"not": "memory.n > 2"}]}, "goto": "b"},
            {"goto": "c"}]},
          "a": {"goal": true}, "b": {"goal": true}, "c": {"goal": true}}
        """#)
    try checkStory(
      sketch, expects: "launch by user\nin decide\nin b\nended at goal \"b\"")
  }

  @Test func aStateWithNextAndOnWaitsWhenNothingHolds() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"done": {"type": "bool", "initial": false}}, \#(Self.events) "start": "ask", "states": {
          "ask": {"next": [{"when": "store.done", "goto": "b"}],
            "on": {"user.x": {"do": [{"set": {"done": true}}]}, "user.y": {"goto": "ask"}}},
          "b": {"goal": true}}
        """#)
    try checkStory(
      sketch, #""script": [{"event": "user.x"}, {"event": "user.y"}]"#,
      expects: """
        launch by user
        in ask
        event user.x
        set done = true
        event user.y
        in ask
        in b
        ended at goal "b"
        """)
  }

  @Test func anEventThatStaysLetsThePendingAnswerCome() throws {
    let sketch = Sketch(
      flow: #"""
        "emits": {"deviceReady": {"id": {"type": "int"}}}, \#(Self.events) "start": "ask", "states": {
          "ask": {"do": [{"show": {"asking": {}}}], "request": {"to": "api", "get": "/x"}, "on": {"user.x": {"do": [{"emit": {"deviceReady": {"id": 7}}}]}}, "next": [{"goto": "b"}]},
          "b": {"goal": true}}
        """#, services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#])
    try checkStory(
      sketch, #""faults": [{"request": "GET /x", "delay": "5s"}], "script": [{"event": "user.x"}]"#,
      expects: """
        launch by user
        in ask
        show asking
        app → api GET /x
        fault: GET /x is received, and its answer takes 5s
        event user.x
        emit deviceReady {id=7}
        +5s
        api → app 200
        in b
        ended at goal "b"
        """)
  }

  @Test(arguments: ["GET", "POST"]) func requestsThatGoRoundAtOneInstantAreAnError(method: String) throws {
    let relay = #"""
      "routes": [{"on": "GET /x", "next": [{"goto": "relays"}]}, {"on": "POST /x", "next": [{"reply": {"status": 200}}]}],
      "states": {"relays": {"request": {"to": "%", "get": "/x"}, "next": [{"reply": {"status": 200}}]}}
      """#
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "one", "\#(method.lowercased())": "/x"}, "next": [{"goto": "again"}]},
          "again": {"next": [{"goto": "ask"}]}}
        """#, services: ["one": relay.replacing("%", with: "two"), "two": relay.replacing("%", with: "one")])
    #expect(Story.codes(of: try sketch.run()) == ["spinning"])
  }

  @Test func tenThousandTransitionsAtOneInstantAreAnError() throws {
    let sketch = Sketch(
      flow: #"""
        "memory": {"no": {"type": "bool", "initial": false}}, "start": "round", "states": {
          "round": {"next": [{"when": "memory.no", "goto": "out"}, {"goto": "about"}]},
          "about": {"next": [{"goto": "round"}]}, "out": {"goal": true}}
        """#)
    let outcome = try sketch.run()
    #expect(outcome.problems.map(\.code) == ["spinning"])
    #expect(outcome.problems[0].message.contains("round"))
    #expect(outcome.problems[0].message.contains("about"))
  }
}
