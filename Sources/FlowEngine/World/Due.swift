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
    /// Of the app: a service has none.
    case timer(level: Int, ArmedTimer)
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
  ///
  /// Of timers that are overdue the one that should have come first does, on whatever level it stands.
  func nextDue(in snapshot: Snapshot, timers: Bool = true) -> Due? {
    var first: Due?
    for index in snapshot.flights.indices {
      let number = snapshot.flights[index].number
      if case .held(let until, _, _, _) = snapshot.flights[index].stage { first.take(until, .answer(number)) }
      if snapshot.flights[index].caller != .nobody { first.take(snapshot.flights[index].due, .timeOut(number)) }
    }
    if let run = snapshot.app.run {
      find(&first, in: run, as: .app)
      if timers, let timer = firstTimer(in: run) {
        first.take(timer.instant, .timer(level: timer.level, timer.timer))
      }
    }
    for index in snapshot.exchanges.indices {
      find(&first, in: snapshot.exchanges[index].run, as: .exchange(snapshot.exchanges[index].flight))
    }
    return first
  }

  private func find(_ first: inout Due?, in run: MachineRun, as actor: Step.Actor) {
    for depth in run.levels.indices {
      switch run.levels[depth].waiting {
      case .retry(let due): first.take(due, .retry(actor, level: depth))
      case .held(let until, let failure, let fields): first.take(until, .result(failure: failure, fields))
      default: break
      }
    }
  }

  private func firstTimer(in run: MachineRun) -> DueTimer? {
    var first: DueTimer?
    for depth in run.levels.indices.reversed() where !run.levels[depth].timers.isEmpty {
      for state in flow.app.enclosing(run.levels[depth].leaf) {
        for timer in run.levels[depth].timers where timer.state == state { first.take(timer, level: depth) }
      }
    }
    return first
  }
}

extension [Level] {
  /// How many timers that are due come before one that is.
  func dueTimers(before timer: ArmedTimer, at now: Timestamp) -> Int {
    reduce(0) { count, level in
      count + level.timers.count { $0.due <= now && $0.since < timer.since }
    }
  }
}

/// The timer that comes first, and when the first one falls due.
private struct DueTimer {
  var level: Int
  var timer: ArmedTimer
  var instant: Timestamp
}

extension DueTimer? {
  /// Keeps what should come earlier; what comes later is not the first among equals.
  fileprivate mutating func take(_ timer: ArmedTimer, level: Int) {
    let instant = self.map { Swift.min($0.instant, timer.due) } ?? timer.due
    if let first = self, first.timer.since <= timer.since {
      self?.instant = instant
    } else {
      self = DueTimer(level: level, timer: timer, instant: instant)
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
