import Expressions
import FlowSpec

/// Something that time alone brings.
struct Due {
  enum What {
    /// A held answer arrives, by the number of its flight.
    case answer(Int)
    case timeOut(Int)
    /// What the device took its time for.
    case result(failure: String?, [Value])
    case retry(Step.Actor, level: Int)
    case timer(Step.Actor, level: Int, ArmedTimer)
  }
  var instant: Timestamp
  var what: What

  /// Answers, time-outs, retries, then timers: the order at one instant.
  var rank: Int {
    switch what {
    case .answer, .result: 0
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
    for index in snapshot.flights.indices {
      let number = snapshot.flights[index].number
      if case .held(let until, _, _, _) = snapshot.flights[index].stage { first.take(until, .answer(number)) }
      if snapshot.flights[index].caller != .nobody { first.take(snapshot.flights[index].due, .timeOut(number)) }
    }
    if let run = snapshot.app.run { find(&first, in: run, of: flow.app, as: .app, timers: timers) }
    for exchange in snapshot.exchanges {
      guard let machine = flow.services[exchange.service].model?.machine else { continue }
      find(&first, in: exchange.run, of: machine, as: .exchange(exchange.flight), timers: timers)
    }
    return first
  }

  private func find(_ first: inout Due?, in run: MachineRun, of machine: Machine, as actor: Step.Actor, timers: Bool) {
    for depth in run.levels.indices {
      switch run.levels[depth].waiting {
      case .retry(let due): first.take(due, .retry(actor, level: depth))
      case .held(let until, let failure, let fields): first.take(until, .result(failure: failure, fields))
      default: break
      }
    }
    guard timers else { return }
    for depth in run.levels.indices.reversed() where !run.levels[depth].timers.isEmpty {
      for state in machine.enclosing(run.levels[depth].leaf) {
        for timer in run.levels[depth].timers where timer.state == state {
          first.take(timer.due, .timer(actor, level: depth, timer))
        }
      }
    }
  }
}

extension Due? {
  /// Keeps what falls due earlier; what comes later is not the first among equals.
  fileprivate mutating func take(_ instant: Timestamp, _ what: Due.What) {
    let due = Due(instant: instant, what: what)
    if let self, (self.instant, self.rank) <= (due.instant, due.rank) { return }
    self = due
  }
}
