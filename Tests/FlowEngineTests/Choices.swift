import FlowSpec

@testable import FlowEngine

extension World {
  /// Everything that could happen now, in a fixed order: deliveries, what the person can do, time, faults.
  ///
  /// It is more than an exploration tries, which lets what can be delivered be delivered before anybody acts.
  func choices(in snapshot: Snapshot) -> [Choice] {
    var all: [Choice] = []
    for flight in snapshot.flights where flight.isSent { all += deliveries(of: flight, in: snapshot) }
    all += performances(in: snapshot)
    all += personChoices(in: snapshot)
    if nextDue(in: snapshot) != nil { all.append(.tick(timers: true)) }
    if snapshot.browser.tab != nil { all.append(.closeBrowser) }
    all.append(snapshot.device.online ? .offline : .online)
    all.append(snapshot.app.isRunning ? .kill : .launch)
    return all
  }

  private func deliveries(of flight: Flight, in snapshot: Snapshot) -> [Choice] {
    if flight.caller == .nobody { return [.deliver(flight: flight.number, reply: nil, .arrives)] }
    if flight.isCutOff(by: snapshot.device) { return [.unreachable(flight: flight.number)] }
    let replies = [nil] + SometimesNames(flow).names(of: flight).filter { comesAtOnce($0, flight, in: snapshot) }
    return replies.map { .deliver(flight: flight.number, reply: $0, .arrives) }
      + [.unreachable(flight: flight.number), .deliver(flight: flight.number, reply: nil, .lost)]
  }

  /// Whether a `sometimes` would come at once if it was asked for: of one that stands behind a wait nobody knows.
  private func comesAtOnce(_ name: String, _ flight: Flight, in snapshot: Snapshot) -> Bool {
    let outcome = take(.deliver(flight: flight.number, reply: name, .arrives), in: snapshot, recording: false)
    return outcome.failure == nil && !outcome.snapshot.exchanges.contains { $0.wanted == name }
  }
}
