import Expressions
import FlowSpec

/// Dead ends that an exploration which was cut short did not go round: snapshots that may be in one are looked at by
/// themselves.
extension Explorer {
  /// So many snapshots are looked at behind one, a sixteenth of what was explored where that is fewer, and behind all of
  /// them a quarter of it; where that is fewer than the least, the least.
  private static let (most, least) = (10_000, 2_000)

  /// So often the world goes on by itself until nothing more comes.
  private static let mostUntilQuiet = 100

  /// The snapshots that lead to no goal and no end, of those from which none was reached so far, each with what it leads
  /// to; no two are told of one state.
  ///
  /// In place of one that may be in a dead end, that is looked at first to which it leads when nobody acts: where there
  /// is no goal behind the one, there is none behind the other, and there are fewer snapshots, as nothing is under way.
  func deadEnds(_ isReal: [Bool], besides told: Set<Int>) -> [DeadEnd] {
    // Who has stopped it waits for no more.
    if isStopped || expanded == nodes.count { return [] }
    var suspects = Suspects(in: self, isReal, besides: told)
    var (trail, found, told, looked) = (Trail(), [DeadEnd](), told, Set<Int>())
    let most = max(Self.least, min(Self.most, nodes.count / 16))
    var left = max(Self.least, nodes.count / 4)
    func probe(_ node: Int) -> DeadEnd? {
      let snapshot = trail.snapshot(of: node, among: nodes, in: world, sometimes)
      let (deadEnd, count) = self.probe(node, snapshot, most: min(most, left), &suspects, isReal, besides: told)
      left -= count
      return deadEnd
    }
    while left > 0, effort.goesOn(), let index = suspects.next() {
      let snapshot = trail.snapshot(of: index, among: nodes, in: world, sometimes)
      let quiet = quiet(behind: snapshot).flatMap { isReal[$0] ? $0 : nil } ?? index
      let isTold = nodes[quiet].leaf.map(told.contains) ?? false
      guard !isTold, looked.insert(quiet).inserted else {
        suspects.takeBack()
        continue
      }
      guard var deadEnd = probe(quiet) else { continue }
      if quiet != index, left > 0, let earlier = probe(index) { deadEnd = earlier }
      // What leads into one that was found before is told in its place.
      found.removeAll { deadEnd.known[$0.fingerprint] != nil }
      found.append(deadEnd)
      told.formUnion(deadEnd.leaves)
      suspects.drop(deadEnd.leaves)
    }
    return found.sorted { $0.node < $1.node }
  }

  /// The node of what a snapshot leads to when nobody acts, or after so many moves; `nil` where that was not come to, or
  /// something goes wrong.
  private func quiet(behind snapshot: Snapshot) -> Int? {
    var snapshot = snapshot
    for _ in 0..<Self.mostUntilQuiet {
      let moves = self.moves(in: snapshot)
      guard let index = moves.byItself else { break }
      let outcome = world.take(moves[index], in: snapshot, recording: false)
      if outcome.failure != nil { return nil }
      snapshot = outcome.snapshot.withoutWhatIsOver
    }
    return known[world.fingerprint(of: snapshot)]
  }

  /// Explores from a snapshot alone; with how many snapshots there were.
  ///
  /// `nil` where a goal or an end is reached, something goes wrong, or there are more than so many: that proves nothing.
  private func probe(
    _ node: Int, _ snapshot: Snapshot, most: Int, _ suspects: inout Suspects, _ isReal: [Bool], besides told: Set<Int>
  ) -> (DeadEnd?, count: Int) {
    let world = World(
      self.world.flow, outside: self.world.outside, settlesOrphans: true, times: self.world.times,
      startingPoint: StartingPoint(snapshot))
    var explorer = Explorer(world: world, most: most)
    explorer.endsAtGoal = true
    explorer.explore { [effort] _, _ in effort.goesOn() }
    let count = explorer.nodes.count
    let isWhole = explorer.expanded == count && explorer.failures.isEmpty
    if explorer.times.isNew || !(explorer.hasGoal || isWhole) { return (nil, count) }
    let leads = explorer.joined(to: explorer.nodes.map(\.isGoal))
    // It is told of what was come to first of all that leads to the same.
    let turns = explorer.joined(to: explorer.nodes.indices.map { $0 == 0 })
    var first = node
    explorer.known.iterate { fingerprint, number in
      guard let same = known[fingerprint] else { return }
      if leads[number] { suspects.note(same) }
      guard turns[number], isReal[same], let leaf = nodes[same].leaf, !told.contains(leaf) else { return }
      first = min(first, same)
    }
    if explorer.hasGoal { return (nil, count) }
    let leaves = Set(explorer.nodes.compactMap(\.leaf))
    let fingerprint = self.world.fingerprint(of: snapshot)
    return (DeadEnd(node: first, fingerprint: fingerprint, known: explorer.known, leaves: leaves), count)
  }

  /// A snapshot that leads to no goal, with all that it leads to.
  struct DeadEnd {
    /// The first that was come to of those that lead to all these.
    let node: Int
    /// Of the one that was begun with.
    let fingerprint: Fingerprint
    let known: FingerprintTable
    let leaves: Set<Int>
  }
}
