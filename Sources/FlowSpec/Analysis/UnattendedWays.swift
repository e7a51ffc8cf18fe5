import Expressions

/// What comes of a transition without anybody's doing, up to the next thing that it leads to.
struct UnattendedWay {
  fileprivate var target: Transition.Target
  /// The state that it is in.
  fileprivate(set) var state: Int
  /// The states from which it went into a sub-flow, from the outside in.
  fileprivate var callers: [Int] = []
  /// Whether some time has passed on it.
  fileprivate(set) var hasWaited: Bool
  /// The names of the states on it.
  fileprivate(set) var names: [String] = []
  /// What is done on it.
  fileprivate(set) var actions: [Action]

  init(_ transition: Transition, of state: Int, hasWaited: Bool = false) {
    (target, self.state, self.hasWaited, actions) = (transition.target, state, hasWaited, transition.actions)
  }

  fileprivate func taking(_ transition: Transition, of state: Int, waits: Bool = false) -> Self {
    var way = self
    way.target = transition.target
    way.state = state
    way.hasWaited = hasWaited || waits
    way.actions += transition.actions
    return way
  }

  fileprivate func calling(_ routine: Int, of machine: Machine) -> Self {
    var way = self
    way.target = .state(machine.routines[routine].root)
    way.callers.append(state)
    return way
  }

  fileprivate mutating func enter(_ target: Int, of machine: Machine) {
    let entered = machine.entered(target, from: state)
    actions += entered.flatMap { machine.states[$0].entry }
    state = entered.last ?? target
    names.append(machine.states[state].name)
  }
}

/// Looks for the requests to which unattended ways lead.
struct UnattendedWalk {
  private static let (mostLookedAt, longestWay) = (32, 8)

  let machine: Machine
  /// Whether it waits for timers and the network.
  ///
  /// Behind a wait another request has looked into what has become of the first. What happens at once goes past requests:
  /// what they are answered is the same as just now.
  let waits: Bool
  /// By routine, the states that call it.
  let callers: [[Int]]
  /// How often something was tried says nothing of what has become of it: what such keys decide is taken either way.
  private let counts: Set<[String]>

  init(_ machine: Machine, waits: Bool) {
    (self.machine, self.waits) = (machine, waits)
    callers = machine.callers
    counts = waits ? machine.counts : []
  }

  /// The nearest request that is sought, with the way there; `nil` where there is none, or it is farther away than anybody
  /// would look.
  func request(
    behind start: UnattendedWay, where isSought: (RequestSpec, UnattendedWay) -> Bool
  ) -> (request: RequestSpec, way: UnattendedWay)? {
    var pending = [start]
    var seen: Set<[Int]> = []
    var index = 0
    while index < min(pending.count, Self.mostLookedAt) {
      var way = pending[index]
      index += 1
      switch way.target {
      case .end(let name): pending += behind(end: name, way)
      case .state(let target):
        way.enter(target, of: machine)
        if case .request(let request) = machine.states[way.state].activity, isSought(request, way) {
          return (request, way)
        }
        guard way.names.count < Self.longestWay,
          seen.insert([way.state, way.hasWaited ? 1 : 0] + way.callers).inserted
        else { continue }
        pending += onward(way)
      case .stay, .reply: continue
      }
    }
    return nil
  }

  private func onward(_ way: UnattendedWay) -> [UnattendedWay] {
    let state = machine.states[way.state]
    switch state.activity {
    case .none:
      let decided = taken(of: state.next).map { way.taking($0, of: way.state) }
      return waits ? decided + later(way) : decided
    case .call(let routine): return [way.calling(routine, of: machine)]
    case .end(let name): return behind(end: name, way)
    case .request(let request) where !waits:
      let called = request.retry.flatMap { $0.when?.readsOwnState == true ? nil : $0.call }
      return state.next.takenAnyway.map { way.taking($0, of: way.state) }
        + (called.map { [way.calling($0, of: machine)] } ?? [])
    default: return []
    }
  }

  /// The one that is taken whatever holds, or all where counts alone decide.
  func taken(of transitions: [Transition]) -> [Transition] {
    if let only = transitions.only { return [only] }
    return transitions.allSatisfy { $0.when.map(isOfCounts) ?? true } ? transitions : []
  }

  /// The one that surely takes a lost answer; where counts decide, all up to one that something else does.
  func takingLost(of next: [Transition], in scope: Scope) -> [Transition] {
    let sure = next.surelyTaking(.lost).map { [$0] } ?? []
    if !next.contains(where: { $0.when.map(isOfCounts) == true }) { return sure }
    var taking: [Transition] = []
    for transition in next where !transition.isSometimes {
      let holds = transition.when.map { PartialCondition($0, in: scope).holds(for: 0, "lost") } ?? true
      if holds == false { continue }
      if holds == true { return taking + [transition] }
      if transition.when.map(isOfCounts) != true { break }
      taking.append(transition)
    }
    // Where there is a network, more is sure.
    return taking.isEmpty ? sure : taking
  }

  /// Whether it looks at no key but counts.
  private func isOfCounts(_ condition: Condition) -> Bool {
    let keys = condition.ownKeys
    return !keys.isEmpty && keys.isSubset(of: counts)
  }

  private func later(_ way: UnattendedWay) -> [UnattendedWay] {
    var named: Set<Int> = []
    return machine.enclosing(way.state).flatMap { outer in
      let timed = machine.states[outer].after.flatMap { timer in
        taken(of: timer.transition).map { way.taking($0, of: outer, waits: !timer.isAtOnce) }
      }
      let heard = machine.states[outer].on.filter { named.insert($0.event).inserted }
      return timed + machine.ofNetwork(heard).map { way.taking($0, of: outer, waits: true) }
    }
  }

  /// Where a sub-flow that it did not go into itself ends, it goes on in whatever calls that.
  private func behind(end: String, _ way: UnattendedWay) -> [UnattendedWay] {
    let routine = machine.states[way.state].routine
    return (way.callers.last.map { [$0] } ?? callers[routine]).compactMap { caller in
      guard case .call = machine.states[caller].activity,
        let taken = machine.states[caller].next.surelyTaking(.ended(end))
      else { return nil }
      var way = way.taking(taken, of: caller)
      way.callers = way.callers.dropLast()
      return way
    }
  }
}

extension Machine {
  /// The keys that are counted, and set to nothing but numbers that are written out otherwise; as `Condition.keys` has them.
  fileprivate var counts: Set<[String]> {
    let written = Dictionary(grouping: actions.flatMap(\.writes).filter { !$0.place.isOfTable }, by: \.place.keyName)
    return Set(
      written.filter { _, writes in
        writes.contains { if case .more = $0.value { true } else { false } }
          && writes.allSatisfy { write in
            switch write.value {
            case .more, .oneOf: true
            case .something, .unknown: false
            }
          }
      }.keys)
  }

  /// What is taken whatever holds where the network comes or goes.
  func ofNetwork(_ handlers: [EventHandler]) -> [Transition] {
    handlers.compactMap { [.deviceOnline, .deviceOffline].contains(events[$0.event].kind) ? $0.transitions.only : nil }
  }
}

extension [Transition] {
  /// The one that is taken whatever holds; `nil` where a condition decides.
  var only: Transition? { count == 1 && self[0].when == nil ? self[0] : nil }

  /// Those up to one that the app's own state decides.
  var takenAnyway: [Transition] {
    var taken: [Transition] = []
    for transition in self {
      if let when = transition.when, when.readsOwnState { break }
      taken.append(transition)
      if transition.when == nil { break }
    }
    return taken
  }
}

extension Condition {
  var readsOwnState: Bool {
    expressions.contains { placed in
      placed.expression.facts.references.contains { $0.first == "store" || $0.first == "memory" }
    }
  }
}
