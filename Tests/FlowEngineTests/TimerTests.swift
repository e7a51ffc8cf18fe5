import Testing

/// Section 5, `after`, and section 7, what happens at the same instant.
@Suite struct TimerTests {
  private static let head =
    #""events": {"user.x": {}, "user.y": {}}, "memory": {"ok": {"type": "bool", "initial": false}},"#

  @Test func waitCountsFromEnteringTheStateItStandsOn() throws {
    let sketch = Sketch(
      flow: #"""
        \#(Self.head) "start": "outer", "states": {
          "outer": {"start": "a", "after": [{"wait": "10s", "goto": "late"}], "states": {
            "a": {"on": {"user.x": {"goto": "b"}}}, "b": {"after": [{"wait": "8s", "goto": "late"}]}}},
          "late": {"goal": true}}
        """#)
    try checkStory(
      sketch, #""script": [{"advance": "4s"}, {"event": "user.x"}, {"advance": "1m"}]"#,
      has: "+4s\nevent user.x\nin b\n+6s\nin late\n+54s")
  }

  @Test func atIsAnInstantOfAnExpression() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"expiresAt": {"type": "timestamp"}}, "start": "a", "states": {
          "a": {"rest": true, "after": [{"at": "${store.expiresAt - duration('60s')}", "goto": "b"}]}, "b": {"goal": true}}
        """#)
    try checkStory(
      sketch, #""given": {"store": {"expiresAt": "2026-01-01T10:00:00Z"}}"#, has: "in a\n+3540s\nin b")
    try checkStory(
      sketch, #""given": {"store": {"expiresAt": "2026-01-01T08:00:00Z"}}"#,
      expects: "launch by user\nin a\nin b\nended at goal \"b\"")
  }

  @Test func ofTimersThatAreOverTheEarliestComesFirst() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {"a": {"rest": true, "after": [
          {"at": "2026-01-01T08:50:00Z", "do": [{"show": {"late": {}}}]},
          {"at": "2026-01-01T08:00:00Z", "do": [{"show": {"early": {}}}]}]}}
        """#)
    let lines = try Story(sketch.load()).lines(of: sketch.run(nil))
    #expect(lines.filter { $0.hasPrefix("show") } == ["show early", "show late"], "\(lines)")
  }

  /// Of one instant the inner one comes first.
  @Test func soDoesItOnWhateverLevelItStands() throws {
    func overdue(_ at: String, _ name: String) -> String {
      #"{"at": "2026-01-01T\#(at):00Z", "do": [{"show": {"\#(name)": {}}}]}"#
    }
    let sketch = Sketch(
      flow: #"""
        "start": "outer", "after": [\#(overdue("08:00", "flow8"))], "states": {
          "outer": {"start": "a", "after": [\#(overdue("08:30", "outer8:30")), \#(overdue("09:00", "outer9"))], "states": {
            "a": {"call": "sub", "next": [{"goto": "b"}], "after": [\#(overdue("08:45", "a8:45")),
              {"wait": "0s", "do": [{"show": {"now": {}}}]}, \#(overdue("07:00", "a7"))]}}}, "b": {"goal": true}},
        "flows": {"sub": {"ends": ["done"], "start": "s", "states": {
          "s": {"after": [\#(overdue("08:30", "sub8:30")), {"wait": "1s", "end": "done"}]}}}}
        """#)
    try checkStory(
      sketch,
      has: "show a7\nshow flow8\nshow sub8:30\nshow outer8:30\nshow a8:45\nshow now\nshow outer9\n+1s\nin b")
  }

  /// However long it is overdue, and in whichever order, nothing else tells them apart.
  @Test func explorationTellsApartWhichOfTwoThatAreOverdueComesFirst() throws {
    func sets(_ inner: String, _ outer: String) -> String {
      #"[{"set": {"inner": "\#(inner)-01-01T00:00:00Z", "outer": "\#(outer)-01-01T00:00:00Z"}}]"#
    }
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}, "user.y": {}}, "memory": {"inner": {"type": "timestamp"}, "outer": {"type": "timestamp"}},
        "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"do": \#(sets("2020", "2021")), "goto": "late"},
            "user.y": {"do": \#(sets("2021", "2020")), "goto": "late"}}},
          "late": {"start": "in", "after": [{"at": "${memory.outer}", "do": [{"clear": ["inner", "outer"]}], "goto": "byOuter"}],
            "states": {"in": {"rest": true, "after": [{"at": "${memory.inner}", "do": [{"clear": ["inner", "outer"]}], "goto": "byInner"}]}}},
          "byOuter": {"rest": true, "on": {"user.x": {"goto": "home"}}}, "byInner": {"rest": true, "on": {"user.x": {"goto": "home"}}}}
        """#)
    _ = try explore(sketch, finds: [])
  }

  @Test func aStayedTimerIsSpentAndOthersGoOn() throws {
    let sketch = Sketch(
      flow: #"""
        \#(Self.head) "start": "a", "states": {"a": {
          "after": [{"wait": "1s", "do": [{"show": {"one": {}}}]}, {"wait": "3s", "goto": "b"}],
          "on": {"user.x": {"do": [{"show": {"x": {}}}]}}}, "b": {"goal": true}}
        """#)
    try checkStory(
      sketch, #""script": [{"advance": "2s"}, {"event": "user.x"}, {"advance": "2s"}]"#,
      expects: """
        launch by user
        in a
        +1s
        show one
        +1s
        event user.x
        show x
        +1s
        in b
        +1s
        ended at goal "b"
        """)
  }

  @Test func anAfterWhoseWhenFailsIsSpentUntilItsStateIsEnteredAgain() throws {
    let sketch = Sketch(
      flow: #"""
        \#(Self.head) "start": "a", "states": {"a": {
          "after": [{"wait": "5s", "when": "memory.ok", "goto": "b"}],
          "on": {"user.x": {"do": [{"set": {"ok": true}}]}, "user.y": {"goto": "a"}}}, "b": {"goal": true}}
        """#)
    try checkStory(
      sketch,
      #""script": [{"advance": "5s"}, {"event": "user.x"}, {"advance": "1h"}, {"event": "user.y"}, {"advance": "5s"}]"#,
      expects: """
        launch by user
        in a
        +5s
        event user.x
        set ok = true
        +3600s
        event user.y
        in a
        +5s
        in b
        ended at goal "b"
        """)
  }

  @Test func innerTimersComeBeforeOuterOnes() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "outer", "after": [{"wait": "5s", "do": [{"show": {"flow": {}}}]}], "states": {
          "outer": {"start": "a", "after": [{"wait": "5s", "do": [{"show": {"outer": {}}}]}, {"wait": "6s", "goto": "b"}], "states": {
            "a": {"call": "sub", "after": [{"wait": "5s", "do": [{"show": {"caller": {}}}]}], "next": [{"goto": "b"}]}}},
          "b": {"goal": true}},
        "flows": {"sub": {"ends": ["done"], "start": "s", "after": [{"wait": "5s", "do": [{"show": {"sub": {}}}]}], "states": {
          "s": {"after": [{"wait": "5s", "do": [{"show": {"first": {}}}]}, {"wait": "5s", "do": [{"show": {"second": {}}}]}, {"wait": "7s", "end": "done"}]}}}}
        """#)
    try checkStory(
      sketch, has: "+5s\nshow first\nshow second\nshow sub\nshow caller\nshow outer\nshow flow\n+1s\nin b")
  }

  @Test func answersComeBeforeTimersOfTheSameInstant() throws {
    var sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x", "timeout": "5s"}, "after": [{"wait": "5s", "goto": "timer"}],
            "next": [{"when": "response.failure == 'lost'", "goto": "lost"}, {"goto": "answer"}]},
          "timer": {"goal": true}, "answer": {"goal": true}, "lost": {"goal": true}}
        """#)
    sketch.services = ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#]
    try checkStory(sketch, #""faults": [{"request": "GET /x", "lost": true}]"#, has: "+5s\napi → app lost\nin lost")
  }

  @Test func aTimerMayLeaveARequest() throws {
    var sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x"}, "after": [{"wait": "5s", "goto": "timer"}], "next": [{"goto": "answer"}]},
          "timer": {"goal": true}, "answer": {"goal": true}}
        """#)
    sketch.services = ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#]
    try checkStory(
      sketch, #""faults": [{"request": "GET /x", "delay": "9s"}], "script": [{"advance": "10s"}]"#,
      has: "+5s\nin timer\n+4s\napi → app 200 dropped\n+1s", never: ["in answer"])
  }

  @Test func aRetryComesBeforeATimerOfTheSameInstant() throws {
    var sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x", "retry": {"when": "response.status == 503", "most": 1, "wait": "5s"}},
            "after": [{"wait": "5s", "goto": "timer"}], "next": [{"goto": "answer"}]},
          "timer": {"goal": true}, "answer": {"goal": true}}
        """#)
    sketch.services = ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 503}}]}]"#]
    try checkStory(
      sketch,
      expects: """
        launch by user
        in ask
        app → api GET /x
        api → app 503
        +5s
        app → api GET /x
        api → app 503
        in answer
        ended at goal "answer"
        """)
  }

  @Test func timersOfStatesThatAreLeftNeverFire() throws {
    let sketch = Sketch(
      flow: #"""
        \#(Self.head) "start": "a", "states": {"a": {"after": [{"wait": "5s", "goto": "late"}], "on": {"user.x": {"goto": "b"}}},
          "b": {"goal": true}, "late": {"goal": true}}
        """#)
    try checkStory(
      sketch, #""script": [{"event": "user.x"}, {"advance": "1h"}]"#, has: "in b\n+3600s", never: ["in late"])
  }

  @Test func waitMayBeATemplate() throws {
    let sketch = Sketch(
      flow: #"""
        "config": {"pause": {"type": "duration", "value": "90s"}}, "start": "a", "states": {
          "a": {"after": [{"wait": "${config.pause}", "goto": "b"}]}, "b": {"after": [{"wait": "${seconds(3)}", "goto": "c"}]}, "c": {"goal": true}}
        """#)
    try checkStory(sketch, has: "in a\n+90s\nin b\n+3s\nin c")
  }

  @Test func anUnsetInstantIsAnErrorAtItsPlace() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"at": {"type": "timestamp"}}, "start": "a", "states": {
          "a": {"after": [{"at": "${store.at}", "goto": "b"}]}, "b": {"goal": true}}
        """#)
    try checkProblem(
      sketch, is: "wrong-type", at: "\"${store.at}\"",
      says: "A value that is null came where a timestamp is needed; come here only where it is set")
  }
}
