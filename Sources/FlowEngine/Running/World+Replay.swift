import Expressions
import FlowSpec

extension World {
  /// The path of a scenario that is replayed.
  static let replayed = "replayed.json"

  /// A run of a scenario, and the first snapshot of those that were sought that it came past; `nil` for none.
  typealias Replay = (outcome: RunOutcome, passed: Snapshot?)

  /// Runs a scenario from its text, `from` where the one has ended that it goes on after, unless this world begins there;
  /// `nil` when it is none of this flow.
  func replay(
    _ text: String, from start: Snapshot? = nil, past isSought: ((Snapshot) -> Bool)? = nil, recording: Bool = false
  ) -> Replay? {
    var shelf = OneDocument(bytes: Array(text.utf8))
    guard let scenario = Loading.scenario(at: Self.replayed, for: flow, reader: &shelf).value else { return nil }
    let world = outside.isNothing ? World(replaying: self) : World(flow, times: times)
    guard
      let start = try? world.laid(
        out: scenario.given, over: start ?? startingPoint?.snapshot ?? world.initial(now: .start))
    else { return nil }
    var driver = Driver(world: world, snapshot: start, scenario: scenario, recording: recording)
    driver.isSought = isSought
    driver.run()
    let passed = driver.passed
    return (driver.outcome(), passed)
  }
}

private struct OneDocument: DocumentReader {
  let bytes: [UInt8]

  mutating func read(_ path: String) -> [UInt8]? { bytes }
}
