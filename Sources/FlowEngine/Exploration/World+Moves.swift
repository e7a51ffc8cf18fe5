import Expressions
import FlowSpec

extension World {
  /// Everything that an exploration tries in a snapshot, in a fixed order: what a scenario can say.
  ///
  /// Like the driver of a scenario it lets what can be delivered be delivered before anybody acts. That an event comes
  /// before an answer is a move of its own: the answer is held up. At the start the app is launched before anything
  /// else.
  func moves(in snapshot: Snapshot, isStart: Bool) -> [Choice] {
    let stored = CanonicalEncoding(snapshot, of: flow).scope.stored
    return moves(in: snapshot, isStart: isStart, turn: nextTurn(in: snapshot, stored: stored))
  }

  /// The same where it is known when something may read differently next.
  func moves(in snapshot: Snapshot, isStart: Bool, turn: Timestamp?) -> [Choice] {
    if isStart { return [.launch] }
    if let sent = snapshot.indexOfSentFlight { return moves(of: snapshot.flights[sent], in: snapshot) }
    if asked(in: snapshot) != nil { return performances(in: snapshot) }
    let due = nextDue(in: snapshot)?.instant
    if let due, due <= snapshot.now { return [.tick(timers: true)] }
    var all = personChoices(in: snapshot)
    if snapshot.browser.tab != nil { all.append(.closeBrowser) }
    all.append(snapshot.device.online ? .offline : .online)
    all.append(snapshot.app.isRunning ? .kill : .launch)
    if let due, due <= turn ?? due {
      all.append(.tick(timers: true))
    } else if let turn {
      all.append(.clock(to: turn))
    }
    return all
  }

  private func moves(of flight: Flight, in snapshot: Snapshot) -> [Choice] {
    if flight.isCutOff(in: snapshot) { return [.unreachable(flight: flight.number)] }
    var all: [Choice] = [.deliver(flight: flight.number, reply: nil, .arrives)]
    for name in sometimesNames(of: flight) { all.append(.deliver(flight: flight.number, reply: name, .arrives)) }
    all += [.unreachable(flight: flight.number), .deliver(flight: flight.number, reply: nil, .lost)]
    let delay = flight.due.since(snapshot.now) / 2
    return all + [.deliver(flight: flight.number, reply: nil, .held(delay))]
  }

  /// The next instant at which something may read differently: just behind where a stored one matters.
  func nextTurn(in snapshot: Snapshot, stored: [Timestamp]) -> Timestamp? {
    var first: Timestamp?
    for instant in stored {
      for span in flow.spans {
        guard let turn = instant.advanced(by: span + .seconds(1)), turn > snapshot.now else { continue }
        if let known = first, known <= turn { continue }
        first = turn
      }
    }
    return first
  }
}

extension Step.Report {
  /// A reply was asked for that cannot be given here: no move at all.
  var isNoMove: Bool { failure.map { ["reply-does-not-hold", "reply-not-reached"].contains($0.code) } ?? false }
}
