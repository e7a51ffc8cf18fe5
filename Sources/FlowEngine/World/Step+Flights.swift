import Expressions
import FlowSpec

extension Step {
  /// A service receives a flight and acts; `fate` says what becomes of its answer.
  mutating func deliver(_ number: Int, reply: String?, fate: Choice.Fate) throws(Stop) {
    guard let index = index(ofFlight: number) else { return }
    if let reason = snapshot.flights[index].request.whyUnsent {
      return try receive(.failure(.unreachable, reason: reason), flight: number)
    }
    snapshot.flights[index].fate = fate
    try serve(number, reply: reply)
  }

  /// The model's answer is ready: it arrives, is held up, or is gone.
  mutating func answered(
    _ answer: consuming Response.Parts, flight number: Int, reply: String?, refs: [String]
  ) throws(Stop) {
    if number == stopsAtAnswerTo {
      stopped = (Response(answer), reply, refs)
      return
    }
    guard let index = index(ofFlight: number) else { return }
    switch snapshot.flights[index].fate {
    case .arrives:
      let flight = snapshot.flights.remove(at: index)
      mark(&answer, of: flight)
      return try complete(flight, with: .response(Response(answer)), reply: reply, refs: refs)
    case .held(let delay): hold(.response(Response(answer)), flight: number, for: delay, reply: reply, refs: refs)
    case .lost:
      snapshot.flights[index].stage = .lost
      forgetIfOrphan(at: index)
      sendOutgoing()
    case .replaced(let other): try receive(other, flight: number)
    }
  }

  /// An answer is under way for so long; from the time-out on it is lost.
  mutating func hold(
    _ answer: Answer, flight number: Int, for delay: Duration, reply: String? = nil, refs: [String] = []
  ) {
    guard let index = index(ofFlight: number) else { return }
    let due = snapshot.flights[index].due
    let until = snapshot.now.advanced(by: delay) ?? due
    snapshot.flights[index].stage = until < due ? .held(until: until, answer, reply: reply, refs: refs) : .lost
    forgetIfOrphan(at: index)
    sendOutgoing()
  }

  private mutating func forgetIfOrphan(at index: Int) {
    let flight = snapshot.flights[index]
    if flight.caller == .nobody, flight.stage == .lost { forget(flight: flight.number) }
  }

  /// An answer, or the failure of one, reaches who waits for it.
  mutating func receive(
    _ answer: Answer, flight number: Int, reply: String? = nil, refs: [String] = []
  ) throws(Stop) {
    guard let index = index(ofFlight: number) else { return }
    let flight = snapshot.flights.remove(at: index)
    guard case .response(let response) = answer else {
      return try complete(flight, with: answer, reply: reply, refs: refs)
    }
    var marked = response.parts
    mark(&marked, of: flight)
    try complete(flight, with: .response(Response(marked)), reply: reply, refs: refs)
  }

  /// What is marked already reaches who waits for it, of a flight that is not under way any more.
  private mutating func complete(
    _ flight: Flight, with answer: Answer, reply: String? = nil, refs: [String] = []
  ) throws(Stop) {
    if isRecording {
      let isLive = world.isLive(flight.request.service)
      let arrived = AnswerArrived(
        from: lanes.services[flight.request.service], to: flight.from, number: flight.number,
        answer: isLive ? shown(answer, to: flight.caller) : answer,
        fate: flight.caller == .nobody ? .dropped : .taken, reply: reply,
        reason: isLive ? whyNoJSON(in: answer, to: flight.caller) : nil, said: isLive ? answer.said : .null)
      record(.answer(arrived), refs: refs)
    }
    cause = isRecording ? happened.happenings.count - 1 : nil
    defer { cause = nil }
    sendOutgoing()
    switch flight.caller {
    case .nobody: break
    case .browser: try loaded(answer, flight: flight)
    case .app: try hand(answer, of: flight, to: .app)
    case .exchange(let outer): try hand(answer, of: flight, to: .exchange(outer))
    }
  }

  private mutating func hand(_ answer: Answer, of flight: Flight, to actor: Actor) throws(Stop) {
    guard let level = levels(of: actor).firstIndex(where: { $0.waiting == .flight(flight.number) }) else { return }
    let isLive = world.isLive(flight.request.service)
    let slots = slots(of: answer, isLive: isLive, withText: machine(of: actor).readsResponseText)
    try respond(slots, level: level, as: actor)
    try settle(actor)
  }

  /// The answer of a flight will not come: its caller is told at once.
  ///
  /// The server may be at work on it still: what it answers then comes to nobody, unless it `isGone` like this one.
  mutating func loseAnswer(of number: Int, reason: String, isGone: Bool = false) throws(Stop) {
    guard let index = index(ofFlight: number) else { return }
    let flight = snapshot.flights.remove(at: index)
    if flight.stage == .serving {
      // The exchange goes on, for nobody.
      var orphan = flight
      orphan.caller = .nobody
      orphan.fate = isGone || flight.fate == .lost ? .lost : .arrives
      snapshot.flights.insert(orphan, at: index)
    }
    try complete(flight, with: .failure(.lost, reason: reason))
  }

  /// Time moves to the next due instant, and what is due there first happens.
  mutating func tick(timers: Bool) throws(Stop) {
    guard let due = world.nextDue(in: snapshot, timers: timers) else { return }
    moveClock(to: due.instant)
    switch due.what {
    case .answer(let number):
      guard let flight = snapshot.flights.first(where: { $0.number == number }),
        case .held(_, let answer, let reply, let refs) = flight.stage
      else { return }
      try receive(answer, flight: number, reply: reply, refs: refs)
    case .timeOut(let number):
      try loseAnswer(of: number, reason: Answer.Failure.late)
    case .result(let failure, let fields): try performed(failure: failure, fields: fields)
    case .retry(let actor, let level):
      try tryAgain(level: level, as: actor)
      try settle(actor)
    case .timer(let level, let timer):
      try fire(timer, level: level)
      try settle(.app)
    }
  }

  mutating func moveClock(to instant: Timestamp) {
    guard instant > snapshot.now else { return }
    let moved = instant.since(snapshot.now)
    snapshot.now = instant
    lookAtClock()
    snapshot.transitionsNow = 0
    record(.clock(moved))
  }

  /// A timer that is due: its first transition that holds is taken; it is spent either way.
  private mutating func fire(_ timer: ArmedTimer, level: Int) throws(Stop) {
    change(.app, level: level) { level in
      level.timers.removeAll { $0.state == timer.state && $0.index == timer.index }
    }
    let after = flow.app.states[timer.state].after[timer.index]
    _ = try takeFirst(of: after.transition, state: timer.state, level: level, as: .app)
  }
}
