import Expressions
import FlowSpec

extension Step {
  /// Asks the device to perform a capability.
  mutating func ask(_ spec: PerformSpec, refs: [String], level: Int, as actor: Actor) throws(Stop) {
    look(as: actor)
    let capability = flow.capabilities[spec.capability]
    let given = try values(spec.input)
    let input = capability.input.filled(
      capability.input.fields.map { field in given.first { $0.name == field.name }?.value ?? .null })
    try askBehindWrites()
    record(
      .perform(
        from: lane(of: actor), to: lanes.device, capability: capability.name,
        input: capability.input.named(input)), refs: refs)
    change(actor, level: level) { $0.waiting = .device(input) }
  }

  /// The device does what the app's top level waits for, and says so only later.
  mutating func perform(after delay: Duration, failure: String?, fields: [Value]) {
    guard let level = snapshot.app.run?.levels.indices.last else { return }
    let until = snapshot.now.advanced(by: delay) ?? snapshot.now
    change(.app, level: level) { $0.waiting = .held(until: until, failure: failure, fields) }
  }

  /// The device has done, or not done, what the app's top level waits for.
  mutating func performed(failure: String?, fields: [Value]) throws(Stop) {
    guard let level = snapshot.app.run?.levels.indices.last,
      case .perform(let spec) = stateOfLevel(level, as: .app).activity
    else { return }
    let capability = flow.capabilities[spec.capability]
    // So it is done by whoever has no example of it.
    if failure == nil, fields.isEmpty, !capability.result.fields.isEmpty,
      let (index, input) = world.asked(in: snapshot),
      case .failure(let refusal) = world.example(of: index, input: input, in: snapshot)
    {
      throw .failed(refusal.diagnostic)
    }
    let values = capability.result.filled(
      failure == nil
        ? zip(capability.result.fields, fields).map { field, value in
          field.marked(value)
        } : capability.result.fields.map { _ in .null })
    record(
      .result(
        from: lanes.device, to: lanes.app, capability: capability.name, failure: failure,
        fields: failure == nil ? capability.result.named(values) : []))
    cause = isRecording ? happened.happenings.count - 1 : nil
    look(as: .app)
    frame.roots[Root.result.rawValue] = values + [failure.map { .string($0) } ?? .null]
    change(.app, level: level) { $0.waiting = .events }
    let leaf = leaf(of: .app, level: level)
    _ = try takeFirst(of: stateOfLevel(level, as: .app).next, state: leaf, level: level, as: .app)
    try settle(.app)
  }

  /// The fact, then what is in flight to app and browser is lost at once, then the event.
  ///
  /// Where the network is gone already nothing happens.
  mutating func goOffline() throws(Stop) {
    guard snapshot.device.online else { return }
    snapshot.device.online = false
    lookAtDevice()
    record(.event(deviceEvent(.deviceOffline)))
    let line = happened.happenings.count - 1
    let cutOff = snapshot.flights.filter { $0.caller == .app || $0.caller == .browser }
    for flight in cutOff {
      if flight.isSent, !world.isLive(flight.request.service) {
        try deliver(flight.number, reply: nil, fate: .lost)
      }
      guard snapshot.flights.contains(where: { $0.number == flight.number && $0.caller != .nobody }) else { continue }
      try loseAnswer(of: flight.number, reason: "the device went offline", isGone: true)
    }
    loseAnswersToNobody()
    try deviceChanged(.deviceOffline, line: line)
  }

  /// What app or browser has left is answered on the same network, and nobody is told of that.
  private mutating func loseAnswersToNobody() {
    for index in snapshot.flights.indices.reversed() where snapshot.flights[index].caller == .nobody {
      guard [lanes.app, lanes.browser].contains(snapshot.flights[index].from) else { continue }
      switch snapshot.flights[index].stage {
      case .serving: snapshot.flights[index].fate = .lost
      case .held: snapshot.flights.remove(at: index)
      case .sent, .lost: break
      }
    }
  }

  mutating func goOnline() throws(Stop) {
    guard !snapshot.device.online else { return }
    snapshot.device.online = true
    lookAtDevice()
    record(.event(deviceEvent(.deviceOnline)))
    try deviceChanged(.deviceOnline, line: happened.happenings.count - 1)
  }

  /// A fact of the device alone where no app runs that could hear of it.
  private func deviceEvent(_ kind: Event.Kind) -> EventHappening {
    let name = kind == .deviceOnline ? "device.online" : "device.offline"
    let isHeard = snapshot.app.isRunning
    return EventHappening(
      from: isHeard ? lanes.device : nil, to: isHeard ? lanes.app : lanes.device, name: name, fields: [],
      outcome: isHeard ? .ignored : .taken)
  }

  /// Offers the event; what nothing takes is kept for the next wait that names it.
  private mutating func deviceChanged(_ kind: Event.Kind, line: Int) throws(Stop) {
    snapshot.app.unheard = nil
    guard let event = flow.app.events.firstIndex(where: { $0.kind == kind }), snapshot.app.isRunning else { return }
    // A run that is cut off while it is taken has taken it.
    setOutcome(.taken, line: line)
    let outcome = try offer(event, fields: [], line: isRecording ? line : nil)
    if outcome == .ignored {
      snapshot.app.unheard = UnheardEvent(event: event)
    }
    setOutcome(outcome == .ignored ? .kept : outcome, line: line)
  }

  /// Says on an event's line what became of it.
  mutating func setOutcome(_ outcome: EventHappening.Outcome, line: Int) {
    guard isRecording, case .event(var event) = happened.happenings[line].fact else { return }
    event.outcome = outcome
    happened.happenings[line].fact = .event(event)
  }
}

extension ObjectType {
  /// Marks values in field order as their fields keep them.
  func mark(_ values: inout [Value]) {
    for index in 0..<min(fields.count, values.count) {
      if let secret = fields[index].secret { values[index].mark(secret: secret) }
    }
  }

  /// Values in field order with their names, as a trace shows them.
  func named(_ values: [Value]) -> [NamedValue] {
    zip(fields, values).map { NamedValue(name: $0.name, value: $0.shown($1)) }
  }
}
