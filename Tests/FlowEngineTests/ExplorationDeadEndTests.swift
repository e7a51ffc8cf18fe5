import Testing

@testable import FlowEngine

/// Dead ends that an exploration has entered, and was cut short before it had gone round them.
@Suite struct ExplorationDeadEndTests {
  /// What is counted before the dead end never ends; behind `k == 12` there may be a way out.
  private static func sketch(out: String = "", launch: String = #"{"when": "store.locked", "goto": "dead"}, "#)
    -> Sketch
  {
    Sketch(
      flow: #"""
        "store": {"a": {"type": "int", "initial": 0}, "b": {"type": "int", "initial": 0}, "k": {"type": "int", "initial": 0},
          "locked": {"type": "bool", "initial": false}},
        "events": {"user.a": {}, "user.b": {}, "user.fails": {}, "user.ticks": {}, "user.ends": {}}, "start": "launch", "states": {
          "launch": {"next": [\#(launch){"goto": "ask"}]},
          "ask": {"rest": true, "on": {"user.a": {"do": [{"set": {"a": "${store.a + 1}"}}]}, "user.b": {"do": [{"set": {"b": "${store.b + 1}"}}]},
            "user.fails": {"do": [{"set": {"locked": true}}], "goto": "dead"}, "user.ends": {"goto": "done"}}},
          "dead": {"rest": true, "on": {"user.ticks": [{"when": "store.k < 12", "do": [{"set": {"k": "${store.k + 1}"}}]}\#(out)]}},
          "done": {"goal": true}}
        """#)
  }

  @Test func oneIsFoundByItself() throws {
    let exploration = Exploration.of(try Self.sketch().load(), most: 300)
    #expect(!exploration.isComplete && exploration.weaknesses.map(\.kind) == [.noWayToGoal])
    let finding = try #require(exploration.weaknesses.first)
    #expect(finding.state == "dead" && finding.statesAhead == ["dead"])
    #expect(finding.scenario?.contains(#"{ "event": "user.fails" }"#) == true, "\(finding.scenario ?? "-")")
  }

  @Test func aWayOutHoweverFarIsOne() throws {
    let far = Self.sketch(out: #", {"goto": "done"}"#)
    #expect(Exploration.of(try far.load(), most: 300).weaknesses.isEmpty)
    #expect(Exploration.of(try Self.sketch(launch: "").load(), most: 300).weaknesses.isEmpty)
  }
}
