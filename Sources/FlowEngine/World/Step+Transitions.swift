import Expressions
import FlowSpec

extension Step {
  /// Lets a machine act until it waits.
  mutating func settle(_ actor: Actor) throws(Stop) {
    while let level = levelJustEntered(of: actor) { try act(level, as: actor) }
  }

  /// The innermost level, where what its leaf does has not begun.
  @inline(__always)
  private mutating func levelJustEntered(of actor: Actor) -> Int? {
    change(actor) { run in
      guard !run.levels.isEmpty, case .entered = run.levels[run.levels.count - 1].waiting else { return nil }
      return run.levels.count - 1
    } ?? nil
  }

  /// Begins what the state that was just entered does.
  private mutating func act(_ depth: Int, as actor: Actor) throws(Stop) {
    let leaf = leaf(of: actor, level: depth)
    let state = machine(of: actor).states[leaf]
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
      _ = try takeFirst(of: state.next, state: leaf, level: depth, as: actor)
    }
  }

  /// Takes the first transition whose `when` holds; false when none does.
  mutating func takeFirst(
    of transitions: [Transition], state: Int, level: Int, as actor: Actor
  ) throws(Stop) -> Bool {
    look(as: actor)
    if case .exchange(let flight) = actor, let index = index(ofExchange: flight),
      snapshot.exchanges[index].wanted != nil, let asked = try askedFor(among: transitions, flight: flight)
    {
      return try takeFirst(of: [asked], sometimes: true, state: state, level: level, as: actor)
    }
    return try takeFirst(of: transitions, sometimes: false, state: state, level: level, as: actor)
  }

  private mutating func takeFirst(
    of transitions: [Transition], sometimes: Bool, state: Int, level: Int, as actor: Actor
  ) throws(Stop) -> Bool {
    let start = happened.mark
    for transition in transitions where transition.isSometimes == sometimes {
      let rejected = happened.mark
      if let line = transition.line, !isRecording {
        if try !isTrue(line) { continue }
      } else if let when = transition.when, try !decides(when) {
        continue
      }
      // Where it has no guard of its own, those of the others have decided.
      if happened.decisions.count > rejected.decisions { happened.forget(from: start, to: rejected) }
      try take(transition, since: start, state: state, level: level, as: actor)
      return true
    }
    happened.forget(from: start, to: happened.mark)
    return false
  }

  /// The `sometimes` that was asked for: it is looked at before all others, and must hold.
  private mutating func askedFor(among transitions: [Transition], flight: Int) throws(Stop) -> Transition? {
    guard let index = index(ofExchange: flight), let wanted = snapshot.exchanges[index].wanted,
      let asked = sometimes(wanted, among: transitions, flight: flight)
    else { return nil }
    if let when = asked.when, try !holds(when) {
      throw .failed(.sometimesDoesNotHold(wanted, site: asked.site))
    }
    snapshot.exchanges[index].wanted = nil
    return asked
  }

  private func sometimes(_ name: String, among transitions: [Transition], flight: Int) -> Transition? {
    if let own = transitions.first(where: { $0.isSometimes && $0.name == name }) { return own }
    guard let model = flow.services[service(ofExchange: flight)].model else { return nil }
    return model.sometimes.first { $0.name == name }
  }

  /// Makes a transition that stands on `state` (for a route the machine's root) happen.
  mutating func take(
    _ transition: Transition, since mark: Record.Mark, state: Int, level: Int, as actor: Actor
  ) throws(Stop) {
    try countTransition(transition, from: state, as: actor)
    if reached != nil { tellTaken(transition, as: actor) }
    let spare = isRecording ? refsLeft(by: transition) : transition.refs
    let inMessage = transition.causesMessage
    if isRecording {
      recordTaken(
        transition, since: mark, state: state, as: actor,
        refs: inMessage || transition.repliesItself ? [] : spare)
    }
    switch transition.target {
    case .stay:
      try run(transition.actions, as: actor, refs: spare)
    case .state(let target):
      let machine = machine(of: actor)
      let border = machine.border(source: state, target: target)
      leave(downTo: border, of: machine, level: level, as: actor)
      try run(transition.actions, as: actor, refs: spare)
      try begin(below: border, downTo: target, of: machine, level: level, as: actor)
      try descend(from: target, of: machine, level: level, as: actor)
    case .end(let name):
      let machine = machine(of: actor)
      leave(downTo: machine.routines[machine.states[state].routine].root, of: machine, level: level, as: actor)
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
    if happened.happenings[cause].refs.isEmpty { happened.happenings[cause].refs = transition.refs }
    let carried = happened.happenings[cause].refs
    return transition.refs.filter { !carried.contains($0) }
  }

  static let mostTransitions = 10_000
  /// The sources of the last transitions behind so many are named.
  static let mostUnnamed = 9_900

  /// A world that takes this many transitions at one instant will never let time pass.
  private mutating func countTransition(
    _ transition: Transition, from state: Int, as actor: Actor
  ) throws(Stop) {
    snapshot.transitionsNow += 1
    let named = snapshot.transitionsNow - Self.mostUnnamed
    guard named > 0 else { return }
    if named == 1 { lastStates = [] }
    let state = machine(of: actor).states[state]
    // A service's route has no name to tell: whose circle it is part of takes the next transition.
    guard actor == .app || !state.name.isEmpty else { return }
    if !lastStates.contains(where: { $0 === state }) { lastStates.append(state) }
    guard snapshot.transitionsNow > Self.mostTransitions else { return }
    throw .failed(.spinning(lastStates, by: transition, in: world.flow))
  }

  /// A level reaches one of its ends.
  mutating func end(_ name: String, level: Int, as actor: Actor) throws(Stop) {
    change(actor) { while $0.levels.count > level { $0.levels.removeLast() } }
    guard level > 0 else {
      if actor == .app { snapshot.app.ended = name }
      return
    }
    let caller = level - 1
    let leaf = leaf(of: actor, level: caller)
    if change(actor, { $0.levels[caller].waiting == .retryRoutine }) == true {
      try retryRoutineEnded(name, level: caller, as: actor)
    } else {
      frame.roots[Root.result.rawValue] = [.string(name)]
      _ = try takeFirst(of: machine(of: actor).states[leaf].next, state: leaf, level: caller, as: actor)
    }
  }
}

extension Transition {
  /// Whether its ref goes to the answer that it gives.
  var repliesItself: Bool {
    if case .reply = target { true } else { false }
  }
}
