import Expressions
import FlowSpec

extension Step {
  /// Lets a machine act until it waits.
  mutating func settle(_ actor: Actor) throws(Stop) {
    while let level = run(of: actor).levels.last, level.waiting == .entered {
      try act(level, as: actor)
    }
  }

  /// Begins what the state that was just entered does.
  private mutating func act(_ level: Level, as actor: Actor) throws(Stop) {
    let state = machine(of: actor).states[level.leaf]
    let depth = run(of: actor).levels.count - 1
    switch state.activity {
    case .request(let request): try ask(request, refs: state.refs, level: depth, as: actor)
    case .perform(let perform): try ask(perform, refs: state.refs, level: depth, as: actor)
    case .call(let routine):
      change(actor, level: depth) { $0.waiting = .routine }
      try enterRoutine(routine, as: actor)
    case .end(let name): try end(name, level: depth, as: actor)
    case .none, .compound:
      change(actor, level: depth) { $0.waiting = .events }
      guard !state.next.isEmpty else { return }
      _ = try takeFirst(of: state.next, state: level.leaf, level: depth, as: actor)
    }
  }

  /// Takes the first transition whose `when` holds; false when none does.
  mutating func takeFirst(
    of transitions: [Transition], state: Int, level: Int, as actor: Actor
  ) throws(Stop) -> Bool {
    look(as: actor)
    var rejected: [Decision] = []
    for transition in try candidates(transitions, as: actor) {
      var decisions: [Decision] = []
      if let when = transition.when, try !holds(when, decisions: &decisions) {
        rejected += decisions
        continue
      }
      try take(transition, decisions: decisions.isEmpty ? rejected : decisions, state: state, level: level, as: actor)
      return true
    }
    return false
  }

  /// The transitions to look at: a `sometimes` only when it was asked for, and then before all others.
  private mutating func candidates(_ transitions: [Transition], as actor: Actor) throws(Stop) -> [Transition] {
    let usual = transitions.filter { !$0.isSometimes }
    guard case .exchange(let flight) = actor, let wanted = exchange(flight).wanted else { return usual }
    guard let asked = try sometimes(wanted, among: transitions, flight: flight) else { return usual }
    var decisions: [Decision] = []
    if let when = asked.when, try !holds(when, decisions: &decisions) {
      throw .failed(.sometimesDoesNotHold(wanted, site: asked.site))
    }
    guard let index = snapshot.exchanges.firstIndex(where: { $0.flight == flight }) else { return usual }
    snapshot.exchanges[index].wanted = nil
    return [asked]
  }

  private func sometimes(_ name: String, among transitions: [Transition], flight: Int) throws(Stop) -> Transition? {
    if let own = transitions.first(where: { $0.isSometimes && $0.name == name }) { return own }
    guard let model = flow.services[exchange(flight).service].model else { return nil }
    return model.sometimes.first { $0.name == name }
  }

  /// Makes a transition that stands on `state` (for a route the machine's root) happen.
  mutating func take(
    _ transition: Transition, decisions: [Decision], state: Int, level: Int, as actor: Actor
  ) throws(Stop) {
    try countTransition(state, as: actor)
    let spare = refsLeft(by: transition)
    let inMessage = transition.actions.contains { $0.causesMessage && $0.refs.isEmpty }
    recordTaken(
      transition, decisions: decisions, state: state, as: actor,
      refs: inMessage || transition.repliesItself ? [] : spare)
    switch transition.target {
    case .stay:
      try run(transition.actions, as: actor, refs: spare)
    case .state(let target):
      let border = machine(of: actor).states.border(source: state, target: target)
      leave(downTo: border, level: level, as: actor)
      try run(transition.actions, as: actor, refs: spare)
      try enter(target, below: border, level: level, as: actor)
    case .end(let name):
      leave(downTo: machine(of: actor).routines[run(of: actor).levels[level].routine].root, level: level, as: actor)
      try run(transition.actions, as: actor, refs: spare)
      try end(name, level: level, as: actor)
    case .reply(let reply):
      try run(transition.actions, as: actor, refs: inMessage ? spare : [])
      try answer(with: reply, transition: transition, refs: inMessage ? [] : spare, as: actor)
    }
  }

  /// The transition's refs, unless the answer or event that led to it takes them.
  private mutating func refsLeft(by transition: Transition) -> [String] {
    defer { cause = nil }
    guard let cause, !transition.refs.isEmpty else { return transition.refs }
    if happenings[cause].refs.isEmpty { happenings[cause].refs = transition.refs }
    let carried = happenings[cause].refs
    return transition.refs.filter { !carried.contains($0) }
  }

  private mutating func recordTaken(
    _ transition: Transition, decisions: [Decision], state: Int, as actor: Actor, refs: [String]
  ) {
    guard isRecording else { return }
    let machine = machine(of: actor)
    var service: Int?
    var source = machine.states[state].name
    if case .exchange(let flight) = actor {
      service = exchange(flight).service
      if source.isEmpty { source = routeLine(of: flight) ?? source }
    }
    let target: TransitionTaken.Target =
      switch transition.target {
      case .stay: .stay
      case .state(let index): .state(machine.states[index].name)
      case .end(let name): .end(name)
      case .reply: .reply
      }
    var all = refs
    for ref in decisions.flatMap(\.refs) where !all.contains(ref) { all.append(ref) }
    let taken = TransitionTaken(
      lane: lane(of: actor), source: source, name: transition.name, target: target, decisions: decisions,
      service: service, id: transition.id)
    record(.transition(taken), refs: all)
  }

  private static let mostTransitions = 10_000
  /// The sources of so many last transitions are named.
  private static let transitionsNamed = 100

  /// A world that takes this many transitions at one instant will never let time pass.
  private mutating func countTransition(_ state: Int, as actor: Actor) throws(Stop) {
    snapshot.transitionsNow += 1
    guard snapshot.transitionsNow > Self.mostTransitions - Self.transitionsNamed else { return }
    let state = machine(of: actor).states[state]
    if !state.name.isEmpty, !lastStates.contains(state.name) { lastStates.append(state.name) }
    guard snapshot.transitionsNow > Self.mostTransitions else { return }
    throw .failed(.spinning(state, among: lastStates))
  }

  /// A level reaches one of its ends.
  mutating func end(_ name: String, level: Int, as actor: Actor) throws(Stop) {
    abandon(level: level, as: actor)
    change(actor) { $0.levels.removeLast($0.levels.count - level) }
    guard level > 0 else {
      if actor == .app { snapshot.app.ended = name }
      return
    }
    let caller = run(of: actor).levels[level - 1]
    let state = machine(of: actor).states[caller.leaf]
    if case .retryRoutine = caller.waiting {
      try retryRoutineEnded(name, level: level - 1, as: actor)
    } else {
      frame.roots[Root.result.rawValue] = [.string(name)]
      _ = try takeFirst(of: state.next, state: caller.leaf, level: level - 1, as: actor)
    }
  }
}

extension Transition {
  /// Whether its ref goes to the answer that it gives.
  var repliesItself: Bool {
    if case .reply = target { true } else { false }
  }
}
