import Expressions
import FlowSpec

/// A way through the snapshots of an exploration as a scenario.
extension Retelling {
  /// Goes the ways from a start; `nil` where a scenario has no words for one.
  ///
  /// The last so many may go around: what goes wrong on them does so every time. Behind the last step no timers go off, not
  /// even those that are due, unless a step waits for no time.
  init?(_ ways: [Explorer.Way], around: Int = 0, from start: Int, of world: World) {
    self.init(world)
    isOffline = start == 1
    var snapshot = world.starts[start]
    var before = faults.count
    var early: [EarlyTry] = []
    // Before the first step, kills that keep less could strike.
    var killsAtFirst = 0
    for (index, way) in ways.enumerated() {
      if index == ways.count - around { before = faults.count }
      for tried in early where tried.due <= snapshot.now { count(tried.flight) }
      early.removeAll { $0.due <= snapshot.now }
      let moves = world.moves(in: snapshot, isStart: index == 0)
      guard moves.indices.contains(way.move), tell(moves[way.move], in: snapshot, isStart: index == 0) else {
        return nil
      }
      if let keeping = way.keeping { arm(keeping, killsAtFirst) }
      let choice = moves[way.move].killed(keeping: way.keeping)
      let outcome = world.take(choice, in: snapshot, recording: false)
      early += outcome.earlyTries
      if steps.isEmpty { killsAtFirst = max(killsAtFirst, outcome.kills.upperBound) }
      if outcome.failure != nil {
        guard index == ways.count - 1 else { return nil }
        if case .tick = moves[way.move] { steps.append(.advance(.zero)) }
        return
      }
      snapshot = outcome.snapshot.withoutWhatIsOver
    }
    guard around > 0 else { return }
    steps.append(.advance(.zero))
    for var fault in faults[before...] {
      faults.removeAll { $0.subject == fault.subject && $0.to == fault.to }
      fault.nth = nil
      faults.append(fault)
    }
  }

  /// The kill waits, from the last step on, for a step that writes so much; as the first it waits from the launch on.
  private mutating func arm(_ keeping: Int, _ killsAtFirst: Int) {
    if steps.count == 1, keeping < killsAtFirst { steps.insert(.advance(.zero), at: 0) }
    steps.insert(.kill(keeping: keeping), at: max(0, steps.count - 1))
  }
}
