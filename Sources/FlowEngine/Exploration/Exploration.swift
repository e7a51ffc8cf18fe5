import Expressions
import FlowSpec

/// What came of going through every snapshot that a flow can reach.
package struct Exploration: Sendable {
  /// Canonical snapshots that were reached.
  package var snapshots: Int
  /// Those of them whose moves were all tried.
  package var expanded: Int
  package var moves: Int
  package var findings: [Finding]

  /// Every move of every snapshot was tried.
  package var isComplete: Bool { expanded == snapshots }

  /// What is not tried, and what is taken together, in sentences.
  package var limits: [String] {
    [
      "Fields have their example values; of mails with one name the newest is opened.",
      "What can be delivered is delivered before anybody acts, unless its answer is held up, by half of its time-out.",
      "Stored instants more than \(World.nearSpan / 60)m ahead are rounded up; their order stays.",
    ]
  }

  /// So many snapshots are looked at unless more are asked for.
  package static let usualMost = 100_000

  /// Tries every move in every snapshot that can be reached, breadth first, until there are `most` snapshots.
  package static func of(_ flow: Flow, most: Int = usualMost) -> Exploration {
    var explorer = Explorer(world: World(flow), most: most)
    explorer.explore()
    return Exploration(
      snapshots: explorer.nodes.count, expanded: explorer.expanded,
      moves: explorer.edges.count + explorer.failures.count, findings: explorer.findings())
  }
}
