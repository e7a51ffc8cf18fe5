import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// Section 8, scripts: when a step is taken, and what happens behind the last one.
@Suite struct ScriptTests {
  private static let app = Sketch(
    flow: #"""
      "events": {"user.x": {"fields": {"n": {"type": "int", "example": 3}, "s": {"type": "string", "example": "at ${now}"}, "t": {"type": "timestamp"}}}, "user.y": {}},
      "config": {"c": {"type": "string", "value": "C"}}, "start": "ask", "states": {
        "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "idle"}]},
        "idle": {"rest": true, "on": {"user.x": {"do": [{"show": {"got": {"n": "${event.n}", "s": "${event.s}", "t": "${event.t}"}}}], "goto": "next"}},
          "after": [{"wait": "1h", "goto": "late"}]},
        "next": {"request": {"to": "api", "get": "/x", "retry": {"when": "response.status == 503", "most": 2, "wait": "10s"}}, "next": [{"goto": "done"}]},
        "done": {"goal": true, "after": [{"wait": "1m", "goto": "late"}]}, "late": {"rest": true}}
      """#,
    services: [
      "api":
        #""sometimes": [{"name": "busy", "reply": {"status": 503}}], "routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}, {"on": "GET /never", "next": [{"do": [{"send": {"m": {}}}], "reply": {"page": {"title": "N", "forms": {"f": {"post": "/x", "fields": {}}}, "links": {"l": {"get": "/x"}}}}}]}]"#
    ])

  @Test func aStepThatIsNotOfferedYetLetsTimeGoToTheNextAnswer() throws {
    try checkStory(
      Self.app, #""faults": [{"request": "GET /x", "delay": "20s"}], "script": [{"event": "user.x"}]"#,
      expects: """
        launch by user
        in ask
        app → api GET /x
        fault: GET /x is received, and its answer takes 20s
        +20s
        api → app 200
        in idle
        event user.x {n=3, s=at 2026-01-01T09:00:20Z}
        show got {n=3, s=at 2026-01-01T09:00:20Z, t=null}
        in next
        app → api GET /x
        api → app 200
        in done
        ended at goal "done"
        """)
  }

  @Test func fieldsThatAreNotGivenTakeTheirExamples() throws {
    try checkStory(
      Self.app, #""script": [{"event": "user.x", "with": {"s": "${config.c}!", "t": "2026-01-01T00:00:00Z"}}]"#,
      has: #"show got {n=3, s=C!, t="2026-01-01T00:00:00Z"}"#)
  }

  @Test func aStepThatNothingCanBringIsAnErrorAtItsPlace() throws {
    try checkStory(
      Self.app, #""script": [{"event": "user.x"}, {"event": "user.y"}], "ends": "done""#,
      expects: """
        launch by user
        in ask
        app → api GET /x
        api → app 200
        in idle
        event user.x {n=3, s=at 2026-01-01T09:00:00Z}
        show got {n=3, s=at 2026-01-01T09:00:00Z, t=null}
        in next
        app → api GET /x
        api → app 200
        in done
        ended with an error: The step "event user.y" is not offered to the person, and no answer that is awaited can bring it
        problem step-not-offered at {"event": "user.y"}
        """)
    try checkProblem(
      Self.app, #""script": [{"event": "user.y"}]"#, is: "step-not-offered", at: #"{"event": "user.y"}"#,
      says: "still set: {\"advance\": \"1h\"} lets it go off")
    for (step, words) in [
      (#"{"submit": "f"}"#, "submit f"), (#"{"follow": "l"}"#, "follow l"), (#"{"open mail": "m"}"#, "open mail m"),
      (#"{"close": "browser"}"#, "close browser"),
    ] {
      try checkProblem(
        Self.app, #""script": [\#(step)]"#, is: "step-not-offered", at: step,
        says: "The step \"\(words)\" is not offered")
    }
  }

  /// A timer does not wait for an answer, whoever does.
  @Test func whatIsDueBeforeTheLastAnswerStrikes() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "done"}], "after": [{"wait": "5s", "goto": "late"}]},
          "done": {"goal": true, "after": [{"wait": "1m", "goto": "late"}]}, "late": {"rest": true}}
        """#, services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {}}]}]"#])
    for (delay, ends) in [("10s", "late"), ("4s", "done")] {
      let fault = #"{"request": "GET /x", "delay": "\#(delay)"}"#
      for script in [#""script": [], "#, #""script": [{"advance": "1s"}], "#] {
        let outcome = try sketch.run(#"\#(script)"faults": [\#(fault)], "ends": "\#(ends)""#)
        #expect(outcome.problems.isEmpty, "\(delay) \(script): \(outcome.problems)")
      }
    }
  }

  /// What a timer asks for then is awaited, and no further timer before it: a run comes to its end.
  @Test func timersThatAskAgainComeToAnEnd() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x", "timeout": "60s"}, "next": [{"goto": "rests"}], "after": [{"wait": "30s", "goto": "ask"}]},
          "rests": {"rest": true}}
        """#, services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {}}]}]"#])
    let outcome = try sketch.run(
      #""script": [], "faults": [{"request": "GET /x", "nth": "every", "lost": true}], "ends": "rests""#)
    #expect(outcome.problems.isEmpty, "\(outcome.problems)")
  }

  /// Time-outs and retries bring a step as well as answers do; `after` alone does not.
  @Test func aStepWaitsForTimeOutsAndRetriesAndNotForTimers() throws {
    try checkStory(
      Self.app, #""faults": [{"request": "GET /x", "lost": true}], "script": [{"event": "user.x"}]"#,
      has: "+30s\napi → app lost\nin idle\nevent user.x {n=3, s=at 2026-01-01T09:00:30Z}")
    try checkProblem(
      Self.app,
      #""script": [{"event": "user.x"}, {"event": "user.x"}], "faults": [{"request": "GET /x", "nth": 2, "reply": "busy"}], "ends": "late""#,
      is: "step-not-offered", at: #"{"event": "user.x"}"#)
  }

  @Test func advanceLetsWhatFallsDueOnTheWayHappen() throws {
    try checkStory(
      Self.app,
      #""faults": [{"request": "GET /x", "delay": "20s"}, {"request": "GET /x", "nth": 2, "reply": "busy"}], "script": [{"advance": "25s"}, {"event": "user.x"}, {"advance": "69s"}]"#,
      expects: """
        launch by user
        in ask
        app → api GET /x
        fault: GET /x is received, and its answer takes 20s
        +20s
        api → app 200
        in idle
        +5s
        event user.x {n=3, s=at 2026-01-01T09:00:25Z}
        show got {n=3, s=at 2026-01-01T09:00:25Z, t=null}
        in next
        app → api GET /x
        fault: GET /x is answered "busy"
        api → app 503
        +10s
        app → api GET /x
        api → app 200
        in done
        +59s
        ended at goal "done"
        """)
    try checkStory(
      Self.app, #""script": [{"event": "user.x"}, {"advance": "60s"}]"#,
      has: "in done\n+60s\nin late\nrests in \"late\"")
  }

  @Test func behindTheLastStepAnswersAndRetriesComeAndTimersDoNot() throws {
    try checkStory(
      Self.app, #""script": [{"event": "user.x"}], "faults": [{"request": "GET /x", "nth": 2, "reply": "busy"}]"#,
      has: "api → app 503\n+10s\napp → api GET /x\napi → app 200\nin done\nended at goal \"done\"", never: ["in late"])
    try checkStory(Self.app, #""script": []"#, has: "api → app 200\nin idle\nrests in \"idle\"", never: ["+3600s"])
  }

  @Test func theClockStaysInTheCalendar() throws {
    try checkProblem(
      Self.app,
      #""given": {"now": "9999-12-30T00:00:00Z"}, "script": [{"advance": "1d"}, {"advance": "10d"}], "ends": "late""#,
      is: "beyond-calendar",
      at: #"{"advance": "10d"}"#)
  }

  @Test func aStepIsTakenWhenNothingMoreCanBeDelivered() throws {
    try checkStory(
      Self.app, #""script": [{"offline": true}]"#, has: "api → app 200\nin idle\nevent device.offline ignored")
  }

  @Test func whatAPersonDoesOftenIsNoCircle() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "store": {"n": {"type": "int", "initial": 0}}, "start": "a", "states": {
          "a": {"goal": true, "on": {"user.x": {"do": [{"set": {"n": "${store.n + 1}"}}], "goto": "a"}}}}
        """#)
    let steps = Array(repeating: #"{"event": "user.x"}"#, count: 10_002).joined(separator: ", ")
    let outcome = try sketch.run(#""script": [\#(steps)], "ends": "a""#)
    #expect(outcome.problems.isEmpty)
    #expect(outcome.snapshot.app.store == [.int(10_002)])
  }

  @Test func aCircleThroughAServiceIsToldWithTheAppsState() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {
          "a": {"request": {"to": "api", "get": "/x"}, "next": [
            {"when": "response.status == 201", "goto": "c"}, {"goto": "a"}]},
          "c": {"goal": true}}
        """#,
      services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#])
    let problem = try #require(try sketch.run(#""script": []"#).problems.first)
    #expect(problem.code == "spinning" && problem.message.hasSuffix(#"the last ones from "a""#))
    #expect(problem.labels.first?.site.document.path == "flow.json")
  }

  @Test func anotherEndThanTheScenarioSaysIsAnError() throws {
    try checkProblem(Self.app, #""script": [], "ends": "done""#, is: "another-end", at: "\"done\"")
    try checkStory(Self.app, #""script": [], "ends": "idle""#, has: "rests in \"idle\"")
  }

  @Test func withoutEndsARunMustStopAtAGoalARestOrAnEnd() throws {
    let stuck = Sketch(
      flow:
        #""events": {"user.x": {}}, "start": "a", "states": {"a": {"on": {"user.x": {"goto": "b"}}}, "b": {"goal": true}}"#
    )
    try checkProblem(stuck, #""script": []"#, is: "stopped-elsewhere", at: "")
    try checkStory(stuck, #""script": [], "ends": "a""#, has: "stopped in \"a\", which is no goal and no rest")
    try checkStory(stuck, #""script": [{"event": "user.x"}]"#, has: "ended at goal \"b\"")
  }

  @Test func whereATimerIsStillSetThatIsSaid() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "a", "states": {
          "a": {"rest": true, "on": {"user.x": {"goto": "b"}}}, "c": {"goal": true},
          "b": {"title": "Waiting", "after": [{"wait": "1h", "goto": "c"}, {"name": "soon", "wait": "90s", "goto": "c"}]}}
        """#)
    let words = #"the timer "b: soon" is still set: {"advance": "1m30s"} lets it go off, at +1m 40s"#
    let script = #""script": [{"advance": "10s"}, {"event": "user.x"}]"#
    try checkProblem(sketch, script, is: "stopped-elsewhere", at: "", says: "\(words); else mark the state \"goal\"")
    try checkProblem(sketch, script + #", "ends": "c""#, is: "another-end", at: #""c""#, says: words)
    try checkStory(sketch, script.replacing("]", with: #", {"advance": "1m30s"}]"#), has: "ended at goal \"c\"")
    let trace = TraceWriter.trace(of: try sketch.run(script), scenario: nil)
    let text = try Timeline(Trace(reading: trace), of: sketch.load()).text
    #expect(text.hasSuffix("\n\nStopped at +10s in \"b\" (Waiting), which is neither a goal nor a rest.\n"), "\(text)")
  }
}
