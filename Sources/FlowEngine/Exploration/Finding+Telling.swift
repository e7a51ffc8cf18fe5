import FlowSpec

extension Finding.Kind {
  /// Whether what happened on the way tells whether a run comes there.
  fileprivate var isOfHappenings: Bool { [.ignored, .lostByKill, .backAgain].contains(self) }
}

extension Finding {
  /// Of so many ways the first is looked for that a scenario can say.
  static let mostWays = 20
  /// A longer way is not told move by move.
  private static let mostMovesInWords = 200

  /// Looks for a shortest scenario whose run comes to what was found, and gives the outcome of that run.
  ///
  /// The last moves of an end may go around.
  @discardableResult
  mutating func tell(
    _ ends: [Explorer.End], isAround: Bool = false, _ explorer: borrowing Explorer,
    past isSought: ((Snapshot) -> Bool)? = nil, isThere: (_ replay: World.Replay, _ leaf: Int?) -> Bool
  ) -> RunOutcome? {
    let effort = explorer.effort
    var share = effort.share
    for (retelling, moves, leaf) in retellings(of: ends, isAround: isAround, explorer) {
      var shortest = retelling
      var last: RunOutcome?
      share = shortest.shorten(within: share) { shorter in
        guard effort.spend(steps: shorter.length),
          let replay = explorer.world.replay(
            shorter.text(named: kind.rawValue), past: isSought, recording: kind.isOfHappenings),
          isThere(replay, leaf)
        else { return false }
        last = replay.outcome
        return true
      }
      effort.note(leftOfShare: share)
      guard let last else { continue }
      (self.moves, self.retelling) = (moves, shortest)
      state = explorer.name(leaf)
      if kind == .runError {
        diagnostic = last.problems.last
        if explorer.world.named(last.snapshot) != nil { state = explorer.name(last.snapshot.leaf) }
      }
      way = []
      return last
    }
    if retelling == nil, !kind.isOfHappenings, moves <= Self.mostMovesInWords, let first = ends.first {
      way = explorer.words(of: first)
    }
    return nil
  }

  /// Opens an app that the scenario leaves killed once more, since no scenario ends so, where that comes to the same.
  mutating func endWithLaunch(
    _ explorer: borrowing Explorer, past isSought: @escaping (Snapshot) -> Bool, isThere: (World.Replay) -> Bool
  ) {
    guard var opened = retelling else { return }
    opened.steps.append(.launch)
    guard explorer.effort.spend(steps: opened.length),
      let replay = explorer.world.replay(opened.text(named: kind.rawValue), past: isSought), isThere(replay),
      isSought(replay.outcome.snapshot)
    else { return }
    retelling = opened
  }

  /// What its ends say as scenarios, the shortest first; of long ways the first alone.
  private mutating func retellings(
    of ends: [Explorer.End], isAround: Bool, _ explorer: borrowing Explorer
  ) -> [(retelling: Retelling, moves: Int, leaf: Int?)] {
    var told: [(retelling: Retelling, moves: Int, leaf: Int?)] = []
    var left = explorer.effort.share / 4
    if let first = ends.first { moves = explorer.path(to: first.node).ways.count + first.last.count }
    for end in ends.prefix(Self.mostWays) where left > 0 {
      let path = explorer.path(to: end.node)
      let ways = path.ways + end.last
      left -= Effort.cost(ofSteps: ways.count)
      guard explorer.effort.spend(steps: ways.count) else { break }
      let around = isAround ? end.last.count : 0
      if let retelling = Retelling(ways, around: around, from: path.start, of: explorer.world) {
        told.append((retelling, ways.count, end.leaf))
      }
    }
    return told.sorted { $0.retelling.length < $1.retelling.length }
  }
}

extension [Finding] {
  /// Each that has a scenario with its number among them.
  var numbered: [Finding] {
    var (numbered, ordinal) = (self, 0)
    for index in indices where self[index].retelling != nil {
      ordinal += 1
      numbered[index].ordinal = ordinal
    }
    return numbered
  }
}
