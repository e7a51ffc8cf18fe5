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
    #expect(Story.codes(of: outcome).count == 1)
    try checkStory(sketch, has: "perform sign {text=T}", never: ["sign fails cancelled", "in cancelled"])
  }
}
