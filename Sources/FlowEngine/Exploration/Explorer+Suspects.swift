import Expressions
import FlowSpec

/// Dead ends that an exploration which was cut short did not go round: each is looked at by itself.
extension Explorer {
  /// So many snapshots are begun with: of a state that no goal was reached from, of another, and of all; and so many are
  /// looked at behind each.
  ///
  /// Behind all of them it is a quarter of what was explored, but for the first.
  private static let most = (ofSuspect: 3, ofOther: 1, ofAll: 60, behind: 2_000)

  /// The snapshots that lead to no goal and no end, of those from which none was reached so far, each with what it leads
  /// to; of a state the first that is found.
  func deadEnds(_ isReal: [Bool], besides told: Set<Int>) -> [DeadEnd] {
    // Who has stopped it waits for no more.
    if isStopped || expanded == nodes.count { return [] }
    var trail = Trail()
    var (found, begun, left) = ([DeadEnd](), 0, max(Self.most.behind, nodes.count / 4))
    for (leaf, suspects) in suspects(isReal) where !told.contains(leaf) {
      for index in suspects where begun < Self.most.ofAll && left > 0 {
        begun += 1
        let snapshot = trail.snapshot(of: index, among: nodes, in: world, sometimes)
        let (deadEnd, looked) = deadEnd(at: index, snapshot, most: min(Self.most.behind, left))
        left -= looked
        guard let deadEnd else { continue }
        found.append(deadEnd)
        break
      }
    }
    return found.sorted { $0.node < $1.node }
  }

  /// By the app's innermost state; first the states of which no snapshot has led to a goal.
  private func suspects(_ isReal: [Bool]) -> [(leaf: Int, nodes: [Int])] {
    let leads = joined(to: nodes.map(\.isGoal))
    var byLeaf: [Int: [Int]] = [:]
    var others: Set<Int> = []
    for index in nodes.indices where isReal[index] && passing[index] == nil {
      guard let leaf = nodes[index].leaf else { continue }
      if leads[index] { others.insert(leaf) } else { byLeaf[leaf, default: []].append(index) }
    }
    let all = byLeaf.map { leaf, nodes in
      let most = others.contains(leaf) ? Self.most.ofOther : Self.most.ofSuspect
      // Those that were come to first and last, and between them.
      return (leaf: leaf, nodes: (0..<min(nodes.count, most)).map { nodes[$0 * nodes.count / min(nodes.count, most)] })
    }
    return all.sorted {
      (others.contains($0.leaf) ? 1 : 0, $0.nodes[0]) < (others.contains($1.leaf) ? 1 : 0, $1.nodes[0])
    }
  }

  /// With how many snapshots were looked at; `nil` where a goal or an end is reached, something goes wrong, or there are
  /// more than so many.
  private func deadEnd(at node: Int, _ snapshot: Snapshot, most: Int) -> (DeadEnd?, looked: Int) {
    let world = World(
      self.world.flow, outside: self.world.outside, settlesOrphans: true, times: self.world.times,
      startingPoint: StartingPoint(snapshot))
    var explorer = Explorer(world: world, most: most)
    explorer.explore()
    let isWhole = explorer.expanded == explorer.nodes.count && explorer.failures.isEmpty && !explorer.times.isNew
    guard isWhole, !explorer.nodes.contains(where: \.isGoal) else { return (nil, explorer.nodes.count) }
    let leaves = Set(explorer.nodes.compactMap(\.leaf))
    return (DeadEnd(node: node, known: explorer.known, leaves: leaves), explorer.nodes.count)
  }

  /// A snapshot that leads to no goal, with all that it leads to.
  struct DeadEnd {
    let node: Int
    let known: FingerprintTable
    let leaves: Set<Int>
  }
}
