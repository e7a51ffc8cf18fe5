import Expressions
import FlowSpec

/// Something that time alone brings.
struct Due {
  enum What {
    /// A held answer arrives, by the number of its flight.
    case answer(Int)
    case timeOut(Int)
    case retry(Step.Actor, level: Int)
    case timer(Step.Actor, level: Int, ArmedTimer)
  }
  var instant: Timestamp
  var what: What

  /// Answers, time-outs, retries, then timers: the order at one instant.
  var rank: Int {
    switch what {
    case .answer: 0
    case .timeOut: 1
    case .retry: 2
    case .timer: 3
    }
  }
}

extension World {
  /// What falls due first; at one instant answers, time-outs, retries, then inner timers, outer timers; the older first.
  func nextDue(in snapshot: Snapshot, timers: Bool = true) -> Due? {
    var first: Due?
    for due in dues(in: snapshot, timers: timers) {
      guard let current = first else {
        first = due
        continue
      }
      if (due.instant, due.rank) < (current.instant, current.rank) { first = due }
    }
    return first
  }

  /// In the order of what goes first among equals.
  private func dues(in snapshot: Snapshot, timers: Bool) -> [Due] {
    var all: [Due] = []
    for flight in snapshot.flights {
      if case .held(let until, _, _, _) = flight.stage { all.append(Due(instant: until, what: .answer(flight.number))) }
      if flight.caller != .nobody {
        all.append(Due(instant: flight.due, what: .timeOut(flight.number)))
      }
    }
    if let run = snapshot.app.run { all += dues(of: run, as: .app, states: flow.app.states, timers: timers) }
    for exchange in snapshot.exchanges {
      guard let machine = flow.services[exchange.service].model?.machine else { continue }
      all += dues(of: exchange.run, as: .exchange(exchange.flight), states: machine.states, timers: timers)
    }
    return all
  }

  private func dues(of run: MachineRun, as actor: Step.Actor, states: [State], timers: Bool) -> [Due] {
    var all: [Due] = []
    for (depth, level) in run.levels.enumerated() {
      if case .retry(let due) = level.waiting { all.append(Due(instant: due, what: .retry(actor, level: depth))) }
    }
    guard timers else { return all }
    for (depth, level) in run.levels.enumerated().reversed() {
      for state in states.enclosing(level.leaf) {
        for timer in level.timers where timer.state == state {
          all.append(Due(instant: timer.due, what: .timer(actor, level: depth, timer)))
        }
      }
    }
    return all
  }
}
