import FlowSpec
import Testing

@testable import FlowEngine

/// What an exploration tells of how to come to its findings.
@Suite struct ExplorationScenarioTests {
  /// The steps of a scenario, one on a line.
  private func steps(_ finding: Finding) throws -> [String] {
    let lines = try #require(finding.scenario).split(separator: "\n").map { $0.drop { $0 == " " || $0 == "," } }
    let steps = lines.drop { !$0.hasPrefix("\"script\"") }.dropFirst().prefix { !$0.hasPrefix("]") }
    return steps.map { String($0.hasSuffix(",") ? $0.dropLast() : $0) }
  }

  private static let refusing: KeyValuePairs = [
    "api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 403, "json": {}}}]}]"#
  ]

  @Test func statesOfOneNameAreToldApartByTheirSubflows() throws {
    let subflow = #"{"ends": ["got"], "start": "ask", "states": {"ask": {"next": [{"end": "got"}]}}}"#
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "ask", "states": {
          "ask": {"rest": true, "on": {"user.x": [{"when": "1 > 0", "goto": "first"}, {"goto": "second"}]}},
          "first": {"call": "one", "next": [{"goto": "done"}]}, "second": {"call": "two", "next": [{"goto": "done"}]},
          "done": {"goal": true}}, "flows": {"one": \#(subflow), "two": \#(subflow)}
        """#)
    _ = try explore(sketch, finds: ["never-entered second", "never-entered ask in two"])
  }

  @Test func aStepMayWriteMoreOftenThanSixteenBitsCount() throws {
    let writes = Array(repeating: #"{"set": {"b": false}}"#, count: 63).joined(separator: ", ")
    let sketch = Sketch(
      flow: #"""
        "store": {"b": {"type": "bool", "initial": false}, "n": {"type": "int", "initial": 0}}, "events": {"user.x": {}},
        "start": "see", "states": {
          "see": {"next": [{"when": "store.n > 519", "goto": "dead"}, {"goto": "home"}]}, "dead": {},
          "home": {"goal": true, "on": {"user.x": {"goto": "count"}}},
          "count": {"next": [{"when": "store.n > 519", "goto": "home"}, {"do": [\#(writes), {"set": {"n": "${store.n + 1}"}}], "goto": "count"}]}}
        """#)
    // 520 rounds of 64 writes, of which the last makes a difference.
    var explorer = Explorer(world: World(try sketch.load()), most: 530)
    explorer.explore()
    #expect(explorer.nodes.indices.compactMap { explorer.nodes[$0].way.keeping }.max() == 519 * 64)
  }

  @Test func theBoundHoldsWithinTheMovesOfASnapshot() throws {
    let writes = Array(repeating: #"{"set": {"n": "${store.n + 1}"}}"#, count: 50).joined(separator: ", ")
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}}, "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"do": [\#(writes)]}}}}
        """#)
    let exploration = Exploration.of(try sketch.load(), most: 10)
    #expect(exploration.snapshots == 10 && !exploration.isComplete)
  }

  @Test func aKillAsTheFirstStepStrikesWhatTheFirstLaunchBrings() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"id": {"type": "string"}, "ready": {"type": "bool", "initial": false}}, "start": "see", "states": {
          "see": {"next": [{"when": "!present(store.id)", "goto": "ask"}, {"when": "store.ready", "goto": "home"}, {"goto": "half"}]},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [
            {"when": "response.status == 403", "do": [{"set": {"id": "a"}}, {"set": {"ready": true}}], "goto": "home"}, {"goto": "home"}]},
          "half": {}, "home": {"goal": true}}
        """#, services: Self.refusing)
    let findings = Exploration.of(try sketch.load()).findings
    #expect(findings.map(\.kind) == [.noWayToGoal, .stop])
    #expect(try steps(findings[0]) == [#"{ "kill": { "keeping": 1 } }"#, #"{ "launch": true }"#])
    #expect(try steps(findings[1]) == [#"{ "kill": { "keeping": 1 } }"#, #"{ "launch": true }"#])
  }

  @Test func aKillThatIsToSpareTheLaunchComesBehindIt() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"a": {"type": "bool", "initial": false}, "b": {"type": "bool", "initial": false}}, "events": {"user.x": {}},
        "start": "see", "states": {
          "see": {"next": [{"when": "store.a && !store.b", "goto": "half"}, {"do": [{"set": {"a": false}}, {"set": {"b": false}}], "goto": "home"}]},
          "home": {"goal": true, "on": {"user.x": {"do": [{"set": {"a": true}}, {"set": {"b": true}}]}}},
          "half": {"rest": true}}
        """#)
    let findings = Exploration.of(try sketch.load()).findings
    #expect(findings.map(\.kind) == [.noWayToGoal])
    #expect(
      try steps(findings[0]) == [
        #"{ "advance": "0s" }"#, #"{ "kill": { "keeping": 1 } }"#, #"{ "event": "user.x" }"#, #"{ "launch": true }"#,
      ])
    // No scenario ends with a killed app.
    let replay = World(try sketch.load()).replay(try #require(findings[0].scenario))
    #expect(replay?.outcome.problems.isEmpty == true)
  }

  @Test func aCircleThatTakesNoTimeIsOneErrorUnderItsOwnName() throws {
    // It goes around with a network and without; without one nothing else can happen, which is no finding of its own.
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {
          "home": {"rest": true, "on": {"user.x": {"goto": "ask"}, "user.y": {"goto": "done"}}},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"when": "response.status == 200", "goto": "done"}, {"goto": "ask"}]},
          "done": {"goal": true}}
        """#, services: Self.refusing)
    let exploration = try explore(sketch, finds: ["run-error ask spinning"])
    #expect(try steps(exploration.findings[0]) == [#"{ "event": "user.x" }"#])
  }

  @Test func aCircleOfDecisionsIsOneWhereverItIsEntered() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "a"}, "user.y": {"goto": "b"}}},
          "a": {"next": [{"goto": "b"}]}, "b": {"next": [{"goto": "a"}]}}
        """#)
    let exploration = try explore(sketch, finds: ["run-error b spinning"])
    #expect(exploration.findings[0].diagnostic?.message.hasSuffix(#"the last ones from "a", "b""#) == true)
  }

  @Test func whatGoesAroundUntilAnAnswerComesIsNoCircle() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "ask"}}},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"when": "response.status == 200 || response.failure != null", "goto": "home"}, {"goto": "ask"}]}}
        """#,
      services: [
        "api": #"""
        "store": {"n": {"type": "int", "initial": 0}}, "routes": [{"on": "GET /x", "next": [
          {"when": "store.n < 3", "do": [{"set": {"n": "${store.n + 1}"}}], "reply": {"status": 202}}, {"reply": {"status": 200}}]}]
        """#
      ])
    _ = try explore(sketch, finds: [])
  }

  @Test func whatNeedsNoModelWithoutANetworkIsTold() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "ask"}}},
          "ask": {"request": {"to": "api", "get": "/y"}, "next": [{"when": "response.failure == 'unreachable'", "goto": "tunnel"}, {"goto": "home"}]},
          "tunnel": {"on": {"user.x": {"goto": "ask"}}}}
        """#, services: Self.refusing)
    let exploration = try explore(sketch, finds: ["stopped-elsewhere tunnel"])
    #expect(try steps(exploration.findings[0]) == [#"{ "event": "user.x" }"#])
    #expect(exploration.findings[0].scenario?.contains(#"{ "online": false }"#) == true)
  }

  @Test func whatOnlyGoesWrongIsNoTrapBesides() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {
          "home": {"rest": true, "on": {"user.x": {"goto": "ask"}, "user.y": {"goto": "done"}}},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"when": "response.json.ok", "goto": "done"}, {"goto": "home"}]},
          "done": {"goal": true}}
        """#, services: Self.refusing)
    #expect(Exploration.of(try sketch.load()).findings.map(\.kind) == [.runError])
  }

  @Test func aScenarioComesPastTheSnapshotItIsToldFor() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "dead"}, "user.y": {"goto": "lost"}}}, "dead": {}, "lost": {}}
        """#)
    let world = World(try sketch.load())
    func text(_ event: String) -> String { #"{"scenario": "s", "script": [{"event": "\#(event)"}]}"# }
    let dead = try #require(world.replay(text("user.x"))).outcome.snapshot
    let isDead = { world.fingerprint(of: $0) == world.fingerprint(of: dead) }
    #expect(world.replay(text("user.x"), past: isDead)?.passed != nil)
    #expect(try #require(world.replay(text("user.y"), past: isDead)).passed == nil)
  }

  @Test func whatIsSaidOfAnErrorIsOfTheWayThatIsTold() throws {
    // The shortest way cuts off the second of two answers that come by themselves, which no scenario can say.
    let sketch = Sketch(
      flow: #"""
        "store": {"id": {"type": "bool", "initial": false}, "half": {"type": "bool", "initial": false}, "whole": {"type": "bool", "initial": false},
          "n": {"type": "int", "initial": 0}}, "events": {"user.x": {}, "user.y": {}, "user.z": {}}, "start": "see",
        "on": {"user.z": {"when": "store.half && !store.whole", "do": [{"set": {"n": "${1 / (store.n - store.n)}"}}]}},
        "states": {
          "see": {"next": [{"when": "store.half && !store.whole", "goto": "lost"}, {"goto": "home"}]}, "lost": {"goal": true},
          "home": {"goal": true, "on": {"user.x": {"goto": "one"}, "user.y": [
            {"when": "store.n > 3", "do": [{"set": {"half": true}}], "goto": "far"}, {"do": [{"set": {"n": "${store.n + 1}"}}]}]}},
          "one": {"request": {"to": "api", "get": "/x"}, "next": [{"do": [{"set": {"id": true}}, {"set": {"id": false}}], "goto": "two"}]},
          "two": {"request": {"to": "api", "get": "/x"}, "next": [{"do": [{"set": {"half": true}}, {"set": {"whole": true}}], "goto": "home"}]},
          "far": {"goal": true}}
        """#, services: Self.refusing)
    let finding = try #require(Exploration.of(try sketch.load(), most: 1500).findings.first)
    #expect(finding.kind == .runError && finding.state == "far" && finding.moves == 7)
    #expect(try steps(finding).last == #"{ "event": "user.z" }"#)
  }

  @Test func whatHappensByItselfIsNoStep() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "ask"}}},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"when": "response.failure == 'lost'", "goto": "left"}, {"goto": "home"}]},
          "left": {}}
        """#, services: Self.refusing)
    let exploration = try explore(sketch, finds: ["stopped-elsewhere left"])
    #expect(try steps(exploration.findings[0]) == [#"{ "event": "user.x" }"#])
  }

  @Test func aKillThatKeepsNothingIsAPlainOne() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}}, "events": {"user.x": {}, "user.y": {}}, "start": "see", "states": {
          "see": {"next": [{"when": "store.n == 1", "goto": "left"}, {"goto": "home"}]},
          "home": {"goal": true, "on": {"user.x": {"do": [{"set": {"n": 1}}], "goto": "on"}}},
          "on": {"goal": true, "on": {"user.y": {"do": [{"set": {"n": 2}}]}}}, "left": {"on": {"user.x": {"goto": "on"}}}}
        """#)
    let exploration = try explore(sketch, finds: ["stopped-elsewhere left"])
    #expect(try steps(exploration.findings[0]) == [#"{ "event": "user.x" }"#, #"{ "relaunch": true }"#])
  }

  @Test func ofTheWaysIntoOneDeadEndTheShortestIsTold() throws {
    func findings(behind second: Int) throws -> [String?] {
      let sketch = Sketch(
        flow: #"""
          "store": {"lost": {"type": "int", "initial": 0}}, "events": {"user.x": {}, "user.y": {}, "user.z": {}}, "start": "see", "states": {
            "see": {"next": [{"when": "store.lost == 1", "goto": "dead"}, {"when": "store.lost == 2", "goto": "deaf"}, {"goto": "home"}]},
            "home": {"goal": true, "on": {"user.x": {"do": [{"set": {"lost": 1}}], "goto": "one"}, "user.y": {"goto": "two"}}},
            "one": {"rest": true}, "dead": {"rest": true}, "deaf": {"rest": true},
            "two": {"goal": true, "on": {"user.z": {"do": [{"set": {"lost": \#(second)}}], "goto": "three"}}}, "three": {"rest": true}}
          """#)
      return Exploration.of(try sketch.load()).findings.filter { $0.kind == .noWayToGoal }.map(\.state)
    }
    #expect(try findings(behind: 1) == ["one"])
    #expect(try findings(behind: 2) == ["one", "three"])
  }

  @Test func whatIsLostWithoutANetworkFromTheStartIsToldOfItsState() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}}, "start": "see", "states": {
          "see": {"next": [
            {"when": "store.n == 2 || store.n == 0 && !device.online", "do": [{"set": {"n": 2}}], "goto": "dead"},
            {"do": [{"set": {"n": 1}}], "goto": "home"}]},
          "dead": {}, "home": {"goal": true}}
        """#)
    let exploration = try explore(sketch, finds: ["no-way-to-goal dead", "stopped-elsewhere dead"])
    let scenario = try #require(exploration.findings[0].scenario)
    #expect(scenario.contains(#""online": false"#) && scenario.contains(#""script": []"#), "\(scenario)")
  }

  @Test func anErrorWhereAStopIsIsNotThatStop() throws {
    // Offline it stops there, but with a network an error comes first.
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "memory": {"n": {"type": "int", "initial": 0}}, "start": "a", "states": {
          "a": {"goal": true, "on": {"user.x": {"goto": "b"}}},
          "b": {"next": [{"when": "device.online && 1 / memory.n == 1", "goto": "a"}], "on": {"user.x": {"goto": "a"}}}}
        """#)
    let exploration = try explore(sketch, finds: ["run-error b division-by-zero", "stopped-elsewhere b"])
    #expect(exploration.findings[1].scenario?.contains("line") == true)
  }

  @Test func anErrorBetweenTwoStatesIsToldOfTheOneThatWasLeft() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "memory": {"n": {"type": "int", "initial": 0}}, "start": "a", "states": {
          "a": {"goal": true, "on": {"user.x": {"do": [{"set": {"n": "${1 / memory.n}"}}], "goto": "b"}}}, "b": {"rest": true}}
        """#)
    _ = try explore(sketch, finds: ["run-error a division-by-zero", "never-entered b"])
  }

  @Test func thatNoGoalIsEverReachedIsFound() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {
          "a": {"request": {"to": "api", "get": "/x"}, "next": [{"when": "response.status == 201", "goto": "c"}, {"goto": "b"}]},
          "b": {"rest": true, "after": [{"wait": "1m", "goto": "a"}]}, "c": {"goal": true}}
        """#,
      services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#])
    let exploration = Exploration.of(try sketch.load(), most: 20_000)
    #expect(exploration.findings.map(\.kind) == [.noWayToGoal, .neverEntered])
    #expect(exploration.findings.first?.state == nil && exploration.findings.first?.moves == 0)
  }

  @Test func anErrorIsToldOfTheStateThatItIsIn() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "memory": {"n": {"type": "int", "initial": 0}}, "start": "a", "states": {
          "a": {"goal": true, "on": {"user.x": {"goto": "b"}}},
          "b": {"next": [{"when": "1 / memory.n == 1", "goto": "a"}, {"goto": "a"}]}}
        """#)
    _ = try explore(sketch, finds: ["run-error b division-by-zero"])
  }

  @Test func ofACircleThatWritesFewKillsAreTried() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "store": {"on": {"type": "bool", "initial": false}}, "start": "a", "states": {
          "a": {"goal": true, "on": {"user.x": {"goto": "b"}}},
          "b": {"next": [{"do": [{"set": {"on": "${!store.on}"}}], "goto": "b"}]}}
        """#)
    let exploration = try explore(sketch, finds: ["run-error b spinning"])
    #expect(exploration.moves < 1000)
  }
}
