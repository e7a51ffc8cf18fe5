import Testing

/// Section 5, sub-flows: `call`, ends, and what the calling state goes on serving.
@Suite struct SubflowTests {
  private static let events = #""events": {"user.x": {}, "user.y": {}, "user.z": {}},"#

  private static func calling(_ state: String = "", inside: String = "", memory: String = "") -> Sketch {
    Sketch(
      flow: #"""
        \#(events) "memory": {"n": {"type": "int", "initial": 0}\#(memory)}, "start": "caller", "states": {
          "caller": {"call": "sub", \#(state) "next": [
            {"when": "result.ended == 'good'", "goto": "won"}, {"goto": "other"}]},
          "won": {"goal": true}, "other": {"goal": true}, "left": {"goal": true}},
        "flows": {"sub": {"ends": ["good", "bad"], "start": "s", "states": {
          "s": {"on": {"user.x": {"do": [{"set": {"n": 1}}], "end": "good"}, "user.y": {"goto": "badly"}} \#(inside)},
          "badly": {"do": [{"show": {"sorry": {}}}], "end": "bad"}}}}
        """#)
  }

  @Test func theEndThatItReachesDecides() throws {
    try checkStory(
      Self.calling(), #""script": [{"event": "user.x"}]"#,
      expects: """
        launch by user
        in caller
        in s
        event user.x
        set n = 1
        in won
        ended at goal "won"
        """)
    try checkStory(
      Self.calling(), #""script": [{"event": "user.y"}]"#, has: "event user.y\nin badly\nshow sorry\nin other")
  }

  @Test func theCallingStateServesTheStatesOfTheSubFlow() throws {
    let on =
      #""on": {"user.z": {"goto": "left"}, "user.x": {"goto": "left"}}, "after": [{"wait": "1m", "goto": "left"}],"#
    try checkStory(Self.calling(on), #""script": [{"event": "user.z"}]"#, has: "in s\nevent user.z\nin left")
    try checkStory(Self.calling(on), #""script": [{"advance": "1m"}]"#, has: "in s\n+60s\nin left")
    try checkStory(
      Self.calling(on), #""script": [{"event": "user.x"}]"#, has: "event user.x\nset n = 1\nin won", never: ["in left"])
  }

  @Test func aTransitionOfTheCallingStateThatStaysLetsTheSubFlowGoOn() throws {
    try checkStory(
      Self.calling(#""on": {"user.z": {"do": [{"set": {"n": 5}}]}},"#),
      #""script": [{"event": "user.z"}, {"event": "user.x"}]"#,
      has: "in s\nevent user.z\nset n = 5\nevent user.x\nset n = 1\nin won")
  }

  @Test func aCallingStateThatIsEnteredAgainCallsAgain() throws {
    try checkStory(
      Self.calling(#""on": {"user.z": {"goto": "caller"}},"#), #""script": [{"event": "user.z"}, {"event": "user.y"}]"#,
      expects: """
        launch by user
        in caller
        in s
        event user.z
        in caller
        in s
        event user.y
        in badly
        show sorry
        in other
        ended at goal "other"
        """)
  }

  @Test func leavingASubFlowAbandonsItsRequest() throws {
    var sketch = Sketch(
      flow: #"""
        \#(Self.events) "start": "around", "states": {
          "around": {"start": "caller", "on": {"user.x": {"goto": "left"}}, "states": {
            "caller": {"call": "sub", "next": [{"goto": "left"}]}}}, "left": {"goal": true}},
        "flows": {"sub": {"ends": ["good"], "start": "s", "after": [{"wait": "9s", "end": "good"}], "states": {
          "s": {"request": {"to": "api", "get": "/x"}, "next": [{"end": "good"}]}}}}
        """#)
    sketch.services = ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#]
    let slow = #""faults": [{"request": "GET /x", "delay": "20s"}]"#
    try checkStory(
      sketch, #"\#(slow), "script": [{"event": "user.x"}, {"advance": "1m"}]"#,
      has: "in s\nevent user.x\nin left\n+20s\napi → app 200 dropped\n+40s", never: ["+9s"])
    try checkStory(sketch, slow + #", "script": [{"advance": "9s"}]"#, has: "in s\n+9s\nin left")
  }

  @Test func subFlowsShareMemoryAndCallOthers() throws {
    let sketch = Sketch(
      flow: #"""
        "memory": {"n": {"type": "int", "initial": 1}}, "start": "a", "states": {
          "a": {"call": "outer", "next": [{"when": "memory.n == 6", "goto": "won"}, {"goto": "other"}]},
          "won": {"goal": true}, "other": {"goal": true}},
        "flows": {
          "outer": {"ends": ["done"], "start": "o", "states": {
            "o": {"do": [{"set": {"n": "${memory.n + 1}"}}], "call": "inner", "next": [
              {"when": "memory.n > 3", "do": [{"set": {"n": "${memory.n * 2}"}}], "end": "done"}, {"goto": "o"}]}}},
          "inner": {"ends": ["done"], "start": "i", "states": {"i": {"end": "done"}}}}
        """#)
    try checkStory(
      sketch, has: "in a\nin o\nset n = 2\nin i\nin o\nset n = 3\nin i\nin o\nset n = 4\nin i\nset n = 8\nin other")
  }

  @Test func theFlowsOwnEndEndsTheRun() throws {
    let sketch = Sketch(
      flow: #"""
        \#(Self.events) "start": "a", "after": [{"wait": "1m", "goto": "a"}], "states": {
          "a": {"on": {"user.x": {"end": "over"}}}}
        """#)
    try checkStory(
      sketch, #""script": [{"event": "user.x"}, {"advance": "1h"}], "ends": "over""#,
      expects: "launch by user\nin a\nevent user.x\n+3600s\nended at end \"over\"")
    try checkStory(sketch, has: "event user.x\nended at end \"over\"")
    try checkProblem(
      sketch, #""script": [{"event": "user.x"}, {"event": "user.x"}]"#, is: "step-not-offered",
      at: #"{"event": "user.x"}"#)
  }

  @Test func anEndedFlowIsLaunchedAnew() throws {
    let sketch = Sketch(
      flow:
        #""memory": {"n": {"type": "int", "initial": 0}}, \#(Self.events) "start": "a", "states": {"a": {"rest": true, "on": {"user.x": {"do": [{"set": {"n": 1}}], "end": "over"}}}}"#
    )
    try checkStory(
      sketch, #""script": [{"event": "user.x"}, {"launch": true}]"#,
      expects: "launch by user\nin a\nevent user.x\nset n = 1\nlaunch by user\nin a\nrests in \"a\"")
  }

  /// Both are active while the flow's own is the calling one.
  @Test func whereARunEndsTheFlowsOwnStateIsMeant() throws {
    let sketch = Sketch(
      flow: #"""
        \#(Self.events) "start": "idle", "states": {
          "idle": {"on": {"user.x": {"goto": "caller"}}},
          "caller": {"call": "sub", "next": [{"goto": "wait"}]}, "wait": {"rest": true}},
        "flows": {"sub": {"ends": ["good"], "start": "wait", "states": {
          "wait": {"on": {"user.y": {"end": "good"}, "user.z": {"goto": "caller"}}}, "caller": {"on": {"user.y": {"end": "good"}}}}}}
        """#)
    try checkProblem(
      sketch, #""script": [{"event": "user.x"}], "ends": "wait""#, is: "another-end", at: #""wait""#,
      says: #"it stopped in "wait" of the sub-flow "sub", and the flow's own is meant"#)
    let script = #""script": [{"event": "user.x"}, "#
    try checkStory(sketch, script + #"{"event": "user.y"}], "ends": "wait""#, has: "rests in \"wait\"")
    try checkStory(
      sketch, script + #"{"event": "user.z"}], "ends": "caller""#,
      has: "stopped in \"caller\", which is no goal and no rest", never: ["problem another-end at \"caller\""])
  }
}
