import FlowSpec
import Testing

@testable import FlowEngine

/// What is left signed in by an answer or a timer.
extension ListedByExploreTests {
  /// Somebody who is signed in looks again, and the API refuses; `refused` is done then.
  private func looking(refused: String, goto: String = "out") -> Sketch {
    var sketch = signing(kept: token, forgotten: "token")
    sketch.flow = sketch.flow.replacing(#""user.out": {}"#, with: #""user.out": {}, "user.looks": {}"#).replacing(
      #""home": {"goal": true, "on": {"#,
      with: #"""
        "looking": {"request": {"to": "api", "post": "/look", "json": {}}, "next": [
          {"when": "response.status == 200", "goto": "home"}, {"when": "response.status == 401", "do": [\#(refused)], "goto": "\#(goto)"},
          {"goto": "home"}]},
        "later": {"rest": true, "on": {"user.looks": {"goto": "looking"}}},
        "home": {"goal": true, "on": {"user.looks": {"goto": "looking"}, "user.later": {"goto": "later"},
        """#
    ).replacing(#""link.welcome": {}"#, with: #""link.welcome": {}, "user.later": {}"#)
    let model = sketch.services[0].value.replacing(
      #""routes": ["#, with: #""routes": [{"on": "POST /look", "next": [{"reply": {"status": 200}}]}, "#)
    sketch.services = ["api": model + #", "sometimes": [{"name": "refused", "reply": {"status": 401}}]"#]
    return sketch
  }

  /// Who seems to be signed out by an answer, and is not.
  @Test func whatAnAnswerLeavesSignedInIsTold() throws {
    let flow = try looking(refused: "").load()
    let exploration = Exploration.of(flow)
    let back = try #require(exploration.backAgain.first)
    #expect(exploration.isComplete && exploration.backAgain.count == 1)
    #expect(back.state == "out" && back.target == "home" && back.event == nil)
    let scenario = try #require(back.scenario)
    #expect(scenario.contains(#""reply": "refused""#) && scenario.contains(#"{ "relaunch": "#), "\(scenario)")
    #expect(World(flow).replay(scenario)?.outcome.snapshot.leaf.map { flow.app.states[$0].name } == "home")
  }

  /// A timer may leave the goal itself.
  @Test func whatATimerLeavesSignedInIsToldToo() throws {
    for (forgotten, count) in [("", 1), (#""do": [{"clear": "token"}], "#, 0)] {
      var sketch = signing(kept: token, forgotten: "token")
      sketch.flow = sketch.flow.replacing(
        #""home": {"goal": true, "#,
        with: #""home": {"goal": true, "after": [{"wait": "1h", \#(forgotten)"goto": "out"}], "#)
      let told = Exploration.of(try sketch.load()).backAgain
      #expect(told.map(\.event) == Array(repeating: nil, count: count), "\(forgotten)")
    }
  }

  @Test func whatAnAnswerSignsOutOrLeavesElsewhereIsNot() throws {
    for (refused, goto) in [(#"{"clear": ["token"]}"#, "out"), ("", "later")] {
      #expect(Exploration.of(try looking(refused: refused, goto: goto).load()).backAgain.isEmpty, "\(goto)")
    }
  }
}
