import Expressions
import FlowSpec

/// A way through the snapshots of an exploration as a scenario.
extension Retelling {
  /// Goes the ways from a start; `nil` where a scenario has no words for one.
  ///
  /// The last so many may go around: what goes wrong on them does so every time. Behind the last step no timers go off, not
  /// even those that are due, unless a step waits for no time, or an answer is awaited.
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

extension Explorer {
  /// The moves to an end in words: what is delivered with the request that it is of.
  func words(of end: End) -> [String] {
    let path = path(to: end.node)
    var (words, snapshot): ([String], Snapshot) = ([], world.starts[path.start])
    for (index, way) in (path.ways + end.last).enumerated() {
      let moves = world.moves(in: snapshot, isStart: index == 0)
      guard moves.indices.contains(way.move) else { return words }
      let choice = moves[way.move].killed(keeping: way.keeping)
      let line = moves[way.move].flight.flatMap { number in
        snapshot.flights.first { $0.number == number }.flatMap { world.line(of: $0) }
      }
      words.append(world.describe(choice, in: snapshot) + (line.map { " (\($0))" } ?? ""))
      snapshot = world.take(choice, in: snapshot, recording: false).snapshot.withoutWhatIsOver
    }
    return words
  }
}

extension World {
  /// As the model has it; `nil` where no route takes it.
  fileprivate func line(of flight: Flight) -> String? {
    flight.route.flatMap { flow.services[flight.request.service].model?.routes[$0].line }
  }
}

extension Choice {
  /// The flight that it is about, by its number.
  fileprivate var flight: Int? {
    switch self {
    case .deliver(let flight, _, _), .unreachable(let flight), .receive(let flight, _, _): flight
    default: nil
    }
  }
}
