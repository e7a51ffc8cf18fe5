import Expressions
import FlowSpec

extension World {
  /// Everything that could happen now, in a fixed order, as an exploration tries it: what a scenario can say.
  ///
  /// Like the driver of a scenario it lets what can be delivered be delivered before anybody acts. That an event comes
  /// before an answer is a move of its own: the answer, or what the device does, is held up. At the first start the
  /// app is launched before anything else, but for the network: a kill may have led back there.
  package func moves(in snapshot: Snapshot, isStart: Bool) -> [Choice] {
    moves(in: snapshot, isStart: isStart, turn: nextTurn(in: snapshot), SometimesNames(flow))
  }

  /// When something may read differently next; `nil` for never.
  func nextTurn(in snapshot: Snapshot) -> Timestamp? { CanonicalEncoding(snapshot, of: flow, times: times).nextTurn }

  /// The same where it is known when something may read differently next, and what is given only sometimes.
  func moves(
    in snapshot: Snapshot, isStart: Bool, turn: @autoclosure () -> Timestamp?, _ sometimes: SometimesNames
  ) -> [Choice] {
    if isStart, startingPoint == nil { return [.launch, snapshot.device.online ? .offline : .online] }
    if let sent = snapshot.indexOfSentFlight {
      let flight = snapshot.flights[sent]
      return moves(of: flight, in: snapshot, sometimes.names(of: flight))
    }
    if asked(in: snapshot) != nil { return performances(in: snapshot) + laterPerformances(in: snapshot) }
    let due = nextDue(in: snapshot)?.instant
    if let due, due <= snapshot.now { return [.tick(timers: true)] }
    var all = personChoices(in: snapshot)
    if snapshot.browser.tab != nil { all.append(.closeBrowser) }
    if triesUnexpected { all += unexpectedArrivals(in: snapshot) }
    all.append(snapshot.device.online ? .offline : .online)
    all.append(snapshot.app.isRunning ? .kill : .launch)
    let turn = turn()
    if let due, due <= turn ?? due {
      all.append(.tick(timers: true))
    } else if let turn {
      all.append(.clock(to: turn))
    }
    return all
  }

  private func moves(of flight: Flight, in snapshot: Snapshot, _ sometimes: [String]) -> [Choice] {
    if flight.isCutOff(by: snapshot.device) { return [.unreachable(flight: flight.number)] }
    var all: [Choice] = []
    all.reserveCapacity(sometimes.count + 4)
    all.append(.deliver(flight: flight.number, reply: nil, .arrives))
    for name in sometimes { all.append(.deliver(flight: flight.number, reply: name, .arrives)) }
    all.append(.unreachable(flight: flight.number))
    all.append(.deliver(flight: flight.number, reply: nil, .lost))
    all.append(.deliver(flight: flight.number, reply: nil, .held(flight.due.since(snapshot.now) / 2)))
    if triesUnexpected, flight.caller == .app { all += unexpectedAnswers(to: flight, in: snapshot, sometimes) }
    return all
  }

  /// What the device does where events or timers stand beside: before, between and behind the timers.
  private func laterPerformances(in snapshot: Snapshot) -> [Choice] {
    guard let run = snapshot.app.run else { return [] }
    let isBeside = run.levels.contains { level in
      !level.timers.isEmpty || flow.app.enclosing(level.leaf).contains { !flow.app.states[$0].on.isEmpty }
    }
    guard isBeside else { return [] }
    let timers = Set(run.levels.flatMap(\.timers).map { $0.due.since(snapshot.now) }).filter { $0 > .zero }.sorted()
    let between = zip([Duration.zero] + timers, timers).map { ($0 + $1) / 2 }
    let delays = between + [(timers.last ?? .zero) + .seconds(Interval.near / 2)]
    let count = asked(in: snapshot).map { flow.capabilities[$0.capability].result.fields.count }
    return performances(in: snapshot).flatMap { performance in
      guard case .perform(let failure, let fields) = performance, failure != nil || fields.count == count else {
        return [Choice]()
      }
      return delays.map { .performLater($0, failure: failure, fields: fields) }
    }
  }
}

/// The names of all `sometimes` that an exchange could come to, by service and route.
struct SometimesNames {
  private let all: [[[String]]]

  init(_ flow: Flow) {
    all = flow.services.map { service in
      service.model.map { model in model.routes.map(model.sometimesNames) } ?? []
    }
  }

  func names(of flight: Flight) -> [String] { flight.route.map { all[flight.request.service][$0] } ?? [] }
}

extension Step.Report {
  /// A reply was asked for that cannot be given here: no move at all.
  var isNoMove: Bool { failure?.isOfReplyAskedFor ?? false }
}

extension Choice {
  /// An answer that no model gives, or an address that nobody here has sent.
  var isUnexpected: Bool {
    switch self {
    case .receive, .visit, .deliver(_, _, .replaced): true
    default: false
    }
  }
}

extension [Choice] {
  /// Which of all moves it is that nobody makes: the world goes on by itself; `nil` where it waits for somebody.
  var byItself: Int? {
    guard let first, let last else { return nil }
    if !first.isFromOutside { return 0 }
    switch last {
    case .tick, .clock: return count - 1
    default: return nil
    }
  }
}
