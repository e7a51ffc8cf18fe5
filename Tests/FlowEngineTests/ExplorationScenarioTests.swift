import FlowSpec
import Testing

@testable import FlowEngine

/// What an exploration tells of how to come to its findings.
@Suite struct ExplorationScenarioTests {
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
}
