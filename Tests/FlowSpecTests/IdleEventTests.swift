import FlowSpec
import Testing

@Suite struct IdleEventTests {
  /// How often a button of a sub-flow is told as dead, whose caller has this `on`.
  private func told(
    _ handler: String = "{}", caller: String = "", flow: String = "", beside errors: Set<String> = []
  ) -> Int {
    let text = #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "c",
        "events": {"user.quits": {}, "user.goesOn": {}}, \#(flow)
        "store": {"n": {"type": "int", "initial": 0}},
        "states": {"c": {\#(caller)"call": "part", "next": [{"goto": "done"}]}, "done": {"goal": true}},
        "flows": {"part": {"ends": ["over"], "start": "p", "states": {
          "p": {"on": {"user.quits": \#(handler), "user.goesOn": {"end": "over"}}}}}}}
      """#
    var documents = Documents(texts: ["x.json": text])
    return documents.told("idle-event", beside: errors).count
  }

  @Test func aDeadButtonIsTold() {
    #expect(told() == 1)
    #expect(told(#"[{"when": "store.n > 1"}, {"name": "else"}]"#) == 1)
    #expect(told(#"[{"when": "store.n > 1", "do": [{"set": {"n": 1}}]}, {}]"#) == 0)
  }

  /// It keeps the event from who would take it.
  @Test func whatStandsInTheWayOfAnotherIsNot() {
    #expect(told(caller: #""on": {"user.quits": {"goto": "done"}}, "#) == 0)
    #expect(told(flow: #""on": {"user.quits": {"goto": "done"}}, "#) == 0)
    #expect(told(caller: #""on": {"user.goesOn": {"goto": "done"}}, "#) == 1)
  }

  /// It does something as soon as that is right.
  @Test(arguments: [
    #""do": [{"set": {"n": "one"}}]"#, #""do": [{"show": {"s": {"late": "true"}}}]"#, #""do": ["lots"]"#,
    #""do": ["wrong"]"#,
    #""do": [{"sett": {"n": 1}}]"#, #""gotto": "done""#, #""do": [{"show": {"t": {"late": true}}}]"#,
  ]) func whatIsWrongIsNot(transition: String) {
    let more = #""screens": {"s": {"fields": {"late": {"type": "bool"}}}}, "actions": {"wrong": [{"set": {"m": 1}}]}, "#
    let errors: Set = [
      "type-mismatch", "unknown-action", "unknown-key", "unknown-member", "unknown-screen", "unknown-state",
    ]
    #expect(told("{\(transition)}", flow: more, beside: errors) == 0)
    // The states of a document in which they may be hidden are not looked at.
    let caller = #""do": [{"set": {"n": "one"}}], "#
    #expect(told("{\(transition)}", caller: caller, flow: more, beside: errors) == 0)
    #expect(told(caller: caller, flow: more, beside: errors) == 1)
  }

  @Test(arguments: ["", #", "do": [{"set": {"n": "one"}}]"#, #", "do": []"#, #", "do": ["none"]"#])
  func aTimerIsTheSame(actions: String) {
    let text = #"""
      {"flow": "x", "title": "X", "participants": {"app": {"kind": "app"}}, "start": "c",
        "store": {"n": {"type": "int", "initial": 0}}, "actions": {"none": []},
        "states": {"c": {"goal": true, "after": [{"wait": "10m"\#(actions)}]}}}
      """#
    var documents = Documents(texts: ["x.json": text])
    let found = documents.flow("x.json").diagnostics.filter { $0.severity == .error || $0.code == "idle-timer" }
    #expect(found.map(\.code) == [actions.contains("set") ? "type-mismatch" : "idle-timer"])
  }
}
