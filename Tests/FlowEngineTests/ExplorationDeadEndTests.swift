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

/// Who fails four times is locked out, in a state that leads to a goal before; while a code is good there is more to do
/// than is gone round.
@Suite struct LockOutTests {
  private static func sketch(out: String = "", counts: String = "store.tries < 4 || !expired(store.until)") -> Sketch {
    Sketch(
      flow: #"""
        "store": {"a": {"type": "int", "initial": 0}, "b": {"type": "int", "initial": 0}, "k": {"type": "int", "initial": 0},
          "tries": {"type": "int", "initial": 0}, "until": {"type": "timestamp"}},
        "events": {"user.a": {}, "user.b": {}, "user.fails": {}, "user.ticks": {}, "user.ends": {}}, "start": "ask", "states": {
          "ask": {"rest": true, "on": {
              "user.a": {"when": "\#(counts)", "do": [{"set": {"a": "${store.a + 1}"}}]},
              "user.b": {"when": "\#(counts)", "do": [{"set": {"b": "${store.b + 1}"}}]},
              "user.fails": {"when": "store.tries < 4", "do": [{"set": {"tries": "${store.tries + 1}", "until": "${now + duration('10m')}"}}]},
              "user.ticks": [{"when": "store.tries == 4 && store.k < 12", "do": [{"set": {"k": "${store.k + 1}"}}]}\#(out)],
              "user.ends": {"when": "store.tries < 4", "goto": "done"}}},
          "done": {"goal": true}}
        """#)
  }

  @Test func itIsFoundBehindWhatTimeEnds() throws {
    let exploration = Exploration.of(try Self.sketch().load(), most: 3_000)
    #expect(!exploration.isComplete && exploration.weaknesses.map(\.kind) == [.noWayToGoal])
    let finding = try #require(exploration.weaknesses.first)
    #expect(finding.state == "ask" && finding.statesAhead == ["ask"])
    let scenario = try #require(finding.scenario)
    #expect(scenario.split(separator: "user.fails").count == 5 && scenario.contains("advance"), "\(scenario)")
  }

  /// A way out; and what is cut short itself proves nothing.
  @Test func whatIsNotSureIsNotTold() throws {
    let out = #", {"when": "store.k == 12", "do": [{"set": {"tries": 0, "k": 0}}]}"#
    #expect(Exploration.of(try Self.sketch(out: out).load(), most: 3_000).weaknesses.isEmpty)
    #expect(Exploration.of(try Self.sketch(counts: "true").load(), most: 3_000).weaknesses.isEmpty)
  }

  /// Of two dead ends of which one leads into the other each is told by itself.
  @Test func eachIsToldOfWhatLeadsToAllOfIt() throws {
    let flow = #"""
      "store": {"a": {"type": "int", "initial": 0}, "b": {"type": "int", "initial": 0}, "k": {"type": "int", "initial": 0},
        "l": {"type": "int", "initial": 0}},
      "events": {"user.a": {}, "user.b": {}, "user.c": {}, "user.x": {}, "user.k": {}, "user.ends": {}},
      "start": "launch", "states": {
        "launch": {"next": [{"when": "store.l == 1", "goto": "closed"}, {"when": "store.l == 2", "goto": "asleep"}, {"goto": "ask"}]},
        "ask": {"rest": true, "on": {
          "user.a": {"do": [{"set": {"a": "${store.a + 1}"}}]}, "user.b": {"do": [{"set": {"b": "${store.b + 1}"}}]},
          "user.c": {"do": [{"set": {"l": 1}}], "goto": "closed"}, "user.x": {"do": [{"set": {"l": 2}}], "goto": "asleep"},
          "user.ends": {"goto": "done"}}},
        "asleep": {"rest": true, "on": {
          "user.k": {"when": "store.k < 40", "do": [{"set": {"k": "${store.k + 1}"}}]},
          "user.c": {"do": [{"set": {"l": 1}}], "goto": "closed"}}},
        "closed": {"rest": true, "on": {"user.ends": {"when": "store.l == 9", "goto": "done"}}},
        "done": {"goal": true}}
      """#
    let found = Exploration.of(try Sketch(flow: flow).load(), most: 400).weaknesses
    #expect(found.map(\.state) == ["closed", "asleep"])
    #expect(found.last?.scenario?.contains("user.x") == true)
  }
}

/// How much is done to tell what was found.
@Suite struct EffortTests {
  private static let ignores = Sketch(
    flow: #"""
      "events": {"user.x": {}}, "start": "a", "states": {
        "a": {"goal": true, "on": {"user.x": {"when": "device.online"}}}}
      """#)

  @Test func whoWaitsNoMoreIsToldWhatThereIs() throws {
    let all = Exploration.of(try Self.ignores.load())
    #expect(!all.hasMoreToTell && all.ignored.count == 1 && all.ignored.allSatisfy { $0.scenario != nil })
    let cut = Exploration.of(try Self.ignores.load()) { _, waiting in waiting > 0 }
    #expect(cut.isComplete && cut.hasMoreToTell && cut.ignored.count == 1 && cut.ignored[0].scenario == nil)
    #expect(cut.limits.last?.hasPrefix("There was too much to tell") == true)
  }

  @Test func thereIsNoEndlessEffort() {
    let effort = Effort()
    let first = effort.share
    var runs = 0
    while effort.spend(steps: 1_000) { runs += 1 }
    #expect((100...1_000).contains(runs) && effort.isSpent && effort.share < first)
    #expect(!effort.spend(steps: 1))
  }
}
