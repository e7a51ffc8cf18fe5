import Expressions
import FlowSpec

extension Explorer {
  /// Errors of a run, then snapshots that lead to no goal, then stops, then states; of each the shortest first.
  func findings(_ isReal: [Bool]) -> [Finding] {
    runErrors(isReal) + traps(trapped(), isReal) + stops(isReal)
      + neverEntered.names.map { Finding(kind: .neverEntered, state: $0) }
  }

  /// Which nodes a run can come to: a `sometimes` that was asked for is given later on.
  func real() -> [Bool] {
    nodes.contains(where: \.isAsked) ? reaching { !$0.isAsked } : Array(repeating: true, count: nodes.count)
  }

  /// Errors of one kind at one place are one finding.
  private func runErrors(_ isReal: [Bool]) -> [Finding] {
    var groups: [Diagnostic: [Failure]] = [:]
    var order: [Diagnostic] = []
    for failure in failures where isReal[failure.node] {
      var place = failure.diagnostic
      place.message = ""
      place.help = nil
      if groups[place] == nil { order.append(place) }
      groups[place, default: []].append(failure)
    }
    return order.compactMap { groups[$0] }.map { same in
      var finding = Finding(
        kind: .runError, state: name(same[0].leaf), diagnostic: same[0].diagnostic, snapshots: same.count)
      finding.tell(same.map { (node: $0.node, last: [$0.way], leaf: $0.leaf) }, self) { outcome, _ in
        outcome.problems.contains { $0.code == same[0].diagnostic.code && $0.labels == same[0].diagnostic.labels }
      }
      return finding
    }
  }

  /// By the state in which the way to a goal is lost; where all goes wrong, errors of a run say it.
  private func traps(_ trapped: [Bool], _ isReal: [Bool]) -> [Finding] {
    var entries = nodes.indices.filter { index in
      trapped[index] && isReal[index] && !(nodes[index].parent.map { trapped[$0] && isReal[$0] } ?? false)
    }
    if entries.isEmpty { return [] }
    let failing = failing(isReal)
    entries.removeAll(where: failing.contains)
    return byLeaf(entries).map { leaf, entries in
      var finding = Finding(kind: .noWayToGoal, state: name(leaf), snapshots: entries.count)
      finding.tell(entries.map { (node: $0, last: [], leaf: leaf) }, self) { outcome, hasPassed in
        hasPassed && outcome.isAsTold
      }
      return finding
    }
  }

  private func stops(_ isReal: [Bool]) -> [Finding] {
    byLeaf(nodes.indices.filter { isReal[$0] && nodes[$0].isStop }).map { leaf, stops in
      var finding = Finding(kind: .stop, state: name(leaf), snapshots: stops.count)
      finding.tell(stops.map { (node: $0, last: [], leaf: leaf) }, self) { outcome, _ in
        outcome.snapshot.app.run?.levels.last?.leaf == leaf && world.isStop(outcome.snapshot) && outcome.isAsTold
      }
      return finding
    }
  }

  private func byLeaf(_ indices: [Int]) -> [(leaf: Int?, nodes: [Int])] {
    var groups: [(leaf: Int?, nodes: [Int])] = []
    for index in indices {
      let leaf = nodes[index].leaf
      if let group = groups.firstIndex(where: { $0.leaf == leaf }) {
        groups[group].nodes.append(index)
      } else {
        groups.append((leaf, [index]))
      }
    }
    return groups
  }

  fileprivate func name(_ leaf: Int?) -> String? { leaf.map { world.flow.app.states[$0].name } }

  /// Which nodes lead to no goal and no end.
  private func trapped() -> [Bool] {
    // A flow that has no goal misses none.
    let hasGoal = world.flow.app.states.contains(where: \.isGoal) || nodes.contains(where: \.isGoal)
    guard hasGoal || expanded < nodes.count else {
      return Array(repeating: false, count: nodes.count)
    }
    return reaching(\.isGoal).map { !$0 }
  }
}

extension Finding {
  /// Of so many ways the first is looked for that a scenario can say.
  private static let mostWays = 20

  fileprivate init(kind: Kind, state: String?, diagnostic: Diagnostic? = nil, snapshots: Int = 0) {
    self.kind = kind
    self.state = state
    self.diagnostic = diagnostic
    self.snapshots = snapshots
  }

  /// Looks for a scenario whose run comes to what was found.
  fileprivate mutating func tell(
    _ ends: [(node: Int, last: [Explorer.Way], leaf: Int?)], _ explorer: borrowing Explorer,
    isThere: (_ outcome: RunOutcome, _ hasPassed: Bool) -> Bool
  ) {
    for (index, end) in ends.prefix(Self.mostWays).enumerated() {
      let path = explorer.path(to: end.node)
      let ways = path.ways + end.last
      if index == 0 { moves = ways.count }
      var retelling = Retelling(explorer.world, isOffline: path.start == 1)
      guard retelling.follow(ways) else { continue }
      let text = retelling.text(named: kind.rawValue)
      guard let (outcome, hasPassed) = explorer.world.replay(text, past: retelling.snapshot),
        isThere(outcome, hasPassed)
      else { continue }
      scenario = text
      moves = ways.count
      state = explorer.name(end.leaf)
      if diagnostic != nil { diagnostic = outcome.problems.last }
      return
    }
  }
}

extension RunOutcome {
  /// No step or fault of the scenario was in vain: what went wrong is the flow's.
  fileprivate var isAsTold: Bool {
    problems.allSatisfy { problem in
      ["stopped-elsewhere", "endless-run"].contains(problem.code)
        || !problem.labels.contains { $0.site.document.path == World.replayed }
    }
  }
}
