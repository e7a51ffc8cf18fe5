import Expressions
import FlowSpec

extension Step {
  /// Enters a routine on a new level: its start, and the starts within.
  mutating func enterRoutine(_ routine: Int, as actor: Actor) throws(Stop) {
    let machine = machine(of: actor)
    let root = machine.routines[routine].root
    let level =
      change(actor) { run in
        run.levels.append(Level(routine: routine, leaf: root))
        return run.levels.count - 1
      } ?? 0
    try begin(root, of: machine, level: level, as: actor)
    try descend(from: root, of: machine, level: level, as: actor)
  }

  /// Drops what the states below `border` on this level, and every level above it, were waiting for.
  mutating func leave(downTo border: Int, of machine: Machine, level: Int, as actor: Actor) {
    abandon(level: level, as: actor)
    change(actor) { run in
      while run.levels.count - 1 > level { run.levels.removeLast() }
      if !run.levels[level].timers.isEmpty {
        run.levels[level].timers.removeAll { !machine.encloses($0.state, border) }
      }
      run.levels[level].leaf = border
      run.levels[level].waiting = .events
    }
  }

  /// Nobody waits any more for the answers to what this level and those above it asked.
  mutating func abandon(level: Int, as actor: Actor) {
    if snapshot.flights.isEmpty { return }
    let levels = levels(of: actor)
    for index in levels.indices where index >= level {
      if case .flight(let number) = levels[index].waiting { forget(flight: number) }
    }
  }

  /// The caller of a flight gives up; a flight whose answer can no longer matter is gone, and so is one that was never
  /// sent, for want of a network.
  mutating func forget(flight number: Int) {
    guard let index = index(ofFlight: number) else { return }
    let flight = snapshot.flights[index]
    snapshot.flights[index].caller = .nobody
    let isUnsent = flight.isSent && flight.isCutOff(by: snapshot.device)
    if isUnsent {
      record(
        .answer(
          AnswerArrived(
            from: lanes.services[flight.request.service], to: flight.from, number: flight.number,
            answer: .failure(.unreachable, reason: nil), fate: .dropped, reply: nil)))
    }
    if isUnsent || flight.stage == .lost { snapshot.flights.remove(at: index) }
  }

  /// Enters the states below `border` down to `target`, from the outside in.
  mutating func begin(
    below border: Int, downTo target: Int, of machine: Machine, level: Int, as actor: Actor
  ) throws(Stop) {
    guard target != border else { return }
    if let parent = machine.states[target].parent {
      try begin(below: border, downTo: parent, of: machine, level: level, as: actor)
    }
    try begin(target, of: machine, level: level, as: actor)
  }

  /// Enters one state: its line, its `do`, its timers.
  private mutating func begin(_ index: Int, of machine: Machine, level: Int, as actor: Actor) throws(Stop) {
    let state = machine.states[index]
    change(actor, level: level) { level in
      level.leaf = index
      level.waiting = .entered
      level.attempts = 0
      level.lastResponse = nil
      level.callEnded = nil
    }
    if actor == .app {
      snapshot.app.unheard?.isDue = true
      if state.isGoal, state.parent != nil { enteredGoal = true }
    }
    if reached != nil { tellEntered(index, as: actor) }
    let isLaunch = isRecording && state.parent != nil && recordEntry(state, as: actor)
    if !state.entry.isEmpty { try run(state.entry, as: actor, refs: isLaunch ? [] : state.refsOfEntry) }
    if !state.after.isEmpty { try arm(state.after, state: index, level: level, as: actor) }
  }

  /// Enters the starts within a state that was entered.
  mutating func descend(from state: Int, of machine: Machine, level: Int, as actor: Actor) throws(Stop) {
    var current = state
    while let start = machine.states[current].start {
      try begin(below: current, downTo: start, of: machine, level: level, as: actor)
      current = start
    }
  }

  /// True when the line of the launch takes the state's refs.
  private mutating func recordEntry(_ state: State, as actor: Actor) -> Bool {
    let entered = StateEntered(state, of: machine(of: actor), lane: lane(of: actor))
    let isLaunch = takeLaunchRefs(state, as: actor)
    record(.state(entered), refs: isLaunch ? [] : state.refsOfLine)
    return isLaunch
  }

  /// On the state that the flow starts in, a ref is the message person → app of the launch.
  private mutating func takeLaunchRefs(_ state: State, as actor: Actor) -> Bool {
    guard actor == .app, let launch = launchLine else { return false }
    launchLine = nil
    guard !state.refs.isEmpty else { return false }
    happened.happenings[launch].refs = state.refs
    return true
  }

  private mutating func arm(_ timers: [Timer], state: Int, level: Int, as actor: Actor) throws(Stop) {
    look(as: actor)
    var armed: [ArmedTimer] = []
    for index in timers.indices {
      let instant = try instant(of: timers[index].due)
      if case .wait = timers[index].due { frame.times?.note(wait: instant.since(snapshot.now)) }
      armed.append(ArmedTimer(state: state, index: index, due: max(instant, snapshot.now), since: instant))
    }
    change(actor, level: level) { $0.timers += armed }
  }

  private mutating func instant(of due: Timer.Due) throws(Stop) -> Timestamp {
    switch due {
    case .wait(let placed):
      let value = try evaluate(placed)?.unwrapped ?? .null
      guard case .duration(let duration) = value.read(as: .duration) else {
        throw .failed(.wrongType(value, expected: .duration, site: placed.site))
      }
      guard let instant = snapshot.now.advanced(by: duration) else { throw .failed(.beyondCalendar(placed.site)) }
      return max(instant, snapshot.now)
    case .at(let placed):
      let value = try evaluate(placed)?.unwrapped ?? .null
      guard case .timestamp(let instant) = value.read(as: .timestamp) else {
        throw .failed(.wrongType(value, expected: .timestamp, site: placed.site))
      }
      return instant
    }
  }
}
