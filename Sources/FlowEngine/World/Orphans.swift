import Expressions
import FlowSpec

/// A try for nobody that an exploration has settled before its time.
struct EarlyTry: Sendable {
  let flight: Flight
  /// When a run makes it.
  let due: Timestamp
}

extension Snapshot {
  /// Who waits for a flight, who waits for the exchange that sent it, and so on; ends with `nobody` where one is gone.
  func callers(of flight: Flight) -> [Flight.Caller] {
    var callers = [flight.caller]
    while case .exchange(let outer)? = callers.last {
      callers.append(flights.first { $0.number == outer }?.caller ?? .nobody)
    }
    return callers
  }

  /// Whether nobody waits for a flight, or for the exchange that sent it.
  func isOrphan(_ flight: Flight) -> Bool {
    switch flight.caller {
    case .nobody: true
    case .app, .browser: false
    case .exchange: callers(of: flight).last == .nobody
    }
  }
}

extension World {
  /// The oldest flight that nobody waits for any more and that a model is still to act on: it reaches its service all the
  /// same, before anything else happens, and so does what that one asks in turn.
  func indexOfSentOrphan(in snapshot: Snapshot) -> Int? {
    for index in snapshot.flights.indices
    where snapshot.flights[index].isSent && snapshot.isOrphan(snapshot.flights[index])
      && !isLive(snapshot.flights[index].request.service)
    {
      return index
    }
    return nil
  }
}

extension Step {
  /// In an exploration what nobody waits for any more is settled within the step, and an answer on its way to a service
  /// is not held up any longer: exchanges for nobody would pile up without end.
  mutating func settleOrphans() throws(Stop) {
    cutOffAbandoned()
    guard world.settlesOrphans else { return }
    var due = snapshot.now
    while let index = world.indexOfSentOrphan(in: snapshot) ?? indexOfUnsettledOrphan() {
      let flight = snapshot.flights[index]
      switch flight.stage {
      case .sent:
        earlyTries.append(EarlyTry(flight: flight, due: due))
        try deliver(flight.number, reply: nil, fate: .arrives)
      case .held(let until, let answer, let reply, let refs):
        due = max(due, until)
        try receive(answer, flight: flight.number, reply: reply, refs: refs)
      case .serving, .lost:
        due = max(due, flight.due)
        try loseAnswer(of: flight.number, reason: Answer.Failure.late)
      }
    }
  }

  /// Of those whose answer is still to reach an exchange the one that is settled first in a run.
  private func indexOfUnsettledOrphan() -> Int? {
    var first: (index: Int, instant: Timestamp)?
    for index in snapshot.flights.indices {
      let flight = snapshot.flights[index]
      let instant: Timestamp
      switch (flight.stage, flight.caller) {
      case (.held(let until, _, _, _), .exchange): instant = until
      case (.lost, .exchange): instant = flight.due
      default: continue
      }
      if snapshot.isOrphan(flight), first.map({ instant < $0.instant }) ?? true { first = (index, instant) }
    }
    return first?.index
  }
}
