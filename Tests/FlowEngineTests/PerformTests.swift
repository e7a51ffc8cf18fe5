import FlowEngine
import Testing

/// Sections 2 and 5: what the app asks of the device.
@Suite struct PerformTests {
  private static let device = #"""
    , "capabilities": {
      "sign": {"input": {"text": {"type": "string"}}, "result": {"signature": {"type": "string", "secret": true}, "at": {"type": "timestamp"}, "none": {"type": "string"}},
        "example": {"signature": "signed ${input.text}", "at": "2026-01-02T03:04:05Z"}, "failures": ["cancelled", "locked"]},
      "read": {"result": {"id": {"type": "string"}}, "example": {"id": "1"}}}
    """#

  private static let app = Sketch(
    flow: #"""
      "store": {"s": {"type": "string", "initial": "T"}}, "events": {"user.x": {}, "user.again": {}}, "start": "ask", "states": {
        "ask": {"perform": {"capability": "sign", "with": {"text": "${store.s}"}}, "on": {"user.x": {"goto": "left"}}, "next": [
          {"when": "result.failure == 'cancelled'", "goto": "cancelled"}, {"when": "result.failure != null", "goto": "failed"},
          {"do": [{"show": {"got": {"s": "${result.signature}", "at": "${result.at}", "none": "${result.none}"}}}], "goto": "read"}]},
        "read": {"perform": "read", "next": [{"do": [{"show": {"id": {"id": "${result.id}"}}}], "goto": "done"}]},
        "done": {"goal": true}, "failed": {"rest": true}, "cancelled": {"rest": true, "on": {"user.again": {"goto": "ask"}}}, "left": {}}
      """#, participants: ["device": device])

  @Test func theDeviceAnswersWithItsExample() throws {
    try checkStory(
      Self.app,
      expects: """
        launch by user
        in ask
        perform sign {text=T}
        sign done {signature=signed T, at="2026-01-02T03:04:05Z", none=null}
        show got {s=signed T, at="2026-01-02T03:04:05Z", none=null}
        in read
        perform read
        read done {id=1}
        show id {id=1}
        in done
        ended at goal "done"
        """)
    try checkStory(
      Self.app, has: "sign done {signature=<signature>, at=\"2026-01-02T03:04:05Z\", none=null}", masking: true)
  }

  @Test func aFaultMakesItFailByName() throws {
    try checkStory(
      Self.app, #""faults": [{"perform": "sign", "fails": "cancelled"}], "script": [{"event": "user.again"}]"#,
      expects: """
        launch by user
        in ask
        perform sign {text=T}
        fault: sign fails: cancelled
        sign fails cancelled
        in cancelled
        event user.again
        in ask
        perform sign {text=T}
        sign done {signature=signed T, at="2026-01-02T03:04:05Z", none=null}
        show got {s=signed T, at="2026-01-02T03:04:05Z", none=null}
        in read
        perform read
        read done {id=1}
        show id {id=1}
        in done
        ended at goal "done"
        """)
    try checkStory(
      Self.app,
      #""faults": [{"perform": "sign", "nth": 2, "fails": "locked"}, {"perform": "sign", "fails": "cancelled"}], "script": [{"event": "user.again"}]"#,
      has: "in cancelled\nsign fails locked\nin failed")
  }

  @Test func anExampleThatCannotBeMadeIsAnError() throws {
    var sketch = Self.app
    sketch.participants["device"] = Self.device.replacing(
      "signed ${input.text}", with: "signed ${input.text.substring(5, 9)}")
    let outcome = try sketch.run(#""script": [], "ends": "done""#)
    #expect(Story.codes(of: outcome) == ["out-of-range"])
    try checkStory(
      sketch, has: "perform sign {text=T}\nproblem out-of-range at input.text.substring(5, 9)",
      never: ["sign fails cancelled", "in cancelled"])
  }

  @Test func aDelayLetsItAnswerLater() throws {
    try checkStory(
      Self.app, #""faults": [{"perform": "sign", "delay": "5s"}, {"perform": "read", "delay": "0s"}], "script": []"#,
      expects: """
        launch by user
        in ask
        perform sign {text=T}
        fault: sign takes 5s
        +5s
        sign done {signature=signed T, at="2026-01-02T03:04:05Z", none=null}
        show got {s=signed T, at="2026-01-02T03:04:05Z", none=null}
        in read
        perform read
        fault: read takes 0s
        read done {id=1}
        show id {id=1}
        in done
        ended at goal "done"
        """)
    // The automatic person waits for it, as for an answer.
    try checkStory(
      Self.app, #""faults": [{"perform": "sign", "delay": "5s"}]"#, has: "in done", never: ["event user.x"])
  }

  /// Whoever looks at what the device asks may also take a while to say no.
  @Test func aFailureCanComeLater() throws {
    let faults = #""faults": [{"perform": "sign", "fails": "cancelled", "delay": "5s"}], "script": "#
    try checkStory(
      Self.app, faults + #"[], "ends": "cancelled""#,
      expects: """
        launch by user
        in ask
        perform sign {text=T}
        fault: sign fails: cancelled, after 5s
        +5s
        sign fails cancelled
        in cancelled
        rests in "cancelled"
        """)
    try checkStory(
      Self.app, faults + #"[{"event": "user.x"}, {"advance": "1m"}], "ends": "left""#, has: "event user.x\nin left",
      never: ["sign fails cancelled"])
  }

  @Test func aDelayBeyondTheCalendarIsAnError() throws {
    let outcome = try Self.app.run(
      #""faults": [{"perform": "sign", "delay": "2d"}], "given": {"now": "9999-12-31T00:00:00Z"}, "script": []"#)
    #expect(Story.codes(of: outcome) == ["beyond-calendar"])
  }

  @Test func anEventBesideItComesFirstAndTheLateAnswerIsIgnored() throws {
    try checkStory(
      Self.app,
      #""faults": [{"perform": "sign", "delay": "30s"}], "script": [{"event": "user.x"}, {"advance": "1h"}], "ends": "left""#,
      expects: """
        launch by user
        in ask
        perform sign {text=T}
        fault: sign takes 30s
        event user.x
        in left
        +3600s
        stopped in "left", which is no goal and no rest
        """)
  }

  @Test func aKillForgetsWhatTheDeviceDoes() throws {
    try checkStory(
      Self.app,
      #""faults": [{"perform": "sign", "delay": "30s"}, {"perform": "sign", "nth": 2, "fails": "locked"}], "script": [{"kill": true}, {"relaunch": {"after": "1h"}}], "ends": "failed""#,
      has: "sign fails locked", never: ["sign done"])
  }

  private static let timed = Sketch(
    flow: #"""
      "events": {"user.cancels": {}}, "start": "ask", "states": {
        "ask": {"perform": "read", "after": [{"wait": "20s", "goto": "late"}], "on": {"user.cancels": {"goto": "left"}},
          "next": [{"when": "result.id == '2'", "goto": "second"}, {"goto": "done"}]},
        "late": {"rest": true}, "left": {"rest": true}, "second": {"rest": true}, "done": {"goal": true}}
      """#, participants: ["device": device])

  @Test(arguments: [("19s", "done"), ("20s", "done"), ("21s", "late")])
  func aTimerBesideItGoesOffFirstUnlessItIsDone(delay: String, state: String) throws {
    let faults = #""faults": [{"perform": "read", "delay": "\#(delay)"}]"#
    try checkStory(Self.timed, faults + #", "script": [{"advance": "1m"}], "ends": "\#(state)""#, has: "in \(state)")
  }

  @Test func aFaultGivesFieldsOfTheResult() throws {
    try checkStory(
      Self.timed, #""faults": [{"perform": "read", "result": {"id": "2"}}], "script": [], "ends": "second""#,
      has: "fault: read has another result than its example\nread done {id=2}\nin second")
    try checkStory(
      Self.timed,
      #""faults": [{"perform": "read", "result": {"id": "2"}, "delay": "5s"}], "script": [], "ends": "second""#,
      has: "fault: read has another result than its example, after 5s\n+5s\nread done {id=2}\nin second")
    // What it does not give has its example.
    try checkStory(
      Self.app, #""faults": [{"perform": "sign", "result": {"none": "${string(now)}"}}]"#,
      has: "sign done {signature=signed T, at=\"2026-01-02T03:04:05Z\", none=2026-01-01T09:00:00Z}")
  }

  @Test func explorationCountsWhatStandsBesideIt() throws {
    // Not running; asked; held up to before the timer; held up to behind it; done, late, left: 7 snapshots, with a network
    // and without. Moves: launch, network (2); done at once or so much later (3); event, network, kill, time (2 × 4);
    // network and kill of the last three (3 × 2): 19, twice.
    let exploration = try explore(Self.timed, finds: ["never-entered second"])
    #expect(exploration.snapshots == 14 && exploration.moves == 38)
  }

  @Test func explorationTriesNothingBesideItWhereNothingStands() throws {
    // As above without the four that are behind events and timers: 3 snapshots; 2, 1 and 2 moves, twice.
    let sketch = Sketch(
      flow:
        #""start": "ask", "states": {"ask": {"perform": "read", "next": [{"goto": "done"}]}, "done": {"goal": true}}"#,
      participants: ["device": Self.device])
    let exploration = try explore(sketch, finds: [])
    #expect(exploration.snapshots == 6 && exploration.moves == 10)
  }
}
