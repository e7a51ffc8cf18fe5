import Expressions

/// What is known of some keys of an app where its states are entered, on all ways from its start.
///
/// What a state, those in it or sub-flows may change meanwhile is not known then.
struct KeyWays {
  enum Sought {
    /// What each way has set, or has found to be there.
    case there
    /// What some way leaves null as it was when the app was installed, or as it was cleared.
    case missing
  }

  /// Of each name in which walk it was looked for, and as which of its keys.
  private var places: [String: (walk: Int, bit: UInt64)] = [:]
  /// By walk what is known where each state is entered, before it does anything itself.
  private var entered: [[UInt64?]] = []

  /// Of keys as expressions name them; as many as fit into a word are looked for at once.
  init(_ sought: Sought, of names: Set<String>, in machine: Machine) {
    if names.isEmpty { return }
    var presences: [ObjectIdentifier: Presence] = [:]
    let lets = machine.lets
    var rest = names.sorted()[...]
    while !rest.isEmpty {
      let some = rest.prefix(UInt64.bitWidth)
      rest = rest.dropFirst(some.count)
      let bits = Dictionary(uniqueKeysWithValues: some.enumerated().map { ($1, UInt64(1) << $0) })
      for (name, bit) in bits { places[name] = (entered.count, bit) }
      var walk = KeyWalk(sought, bits, among: names, machine, lets, presences)
      walk.goAllWays()
      presences = walk.presences
      entered.append(walk.entered)
    }
  }

  /// Whether that is known of a key where a state is entered; of one that nothing enters nothing is.
  func know(_ name: String, at state: Int) -> Bool {
    guard let place = places[name], let known = entered[place.walk][state] else { return false }
    return known & place.bit != 0
  }
}

/// Goes all ways for a few keys, each a bit; states are gone through again as long as something changes.
private struct KeyWalk {
  private(set) var entered: [UInt64?]
  private(set) var presences: [ObjectIdentifier: Presence]
  private let sought: KeyWays.Sought
  private let bits: [String: UInt64]
  /// All that are looked for, in other walks too.
  private let names: Set<String>
  private let machine: Machine
  private let lets: [String: Let]
  /// By action what is not known any more behind it, and what is known then.
  private var effects: [ObjectIdentifier: (changed: UInt64, known: UInt64)] = [:]
  /// What is changed without leaving a state, or between two tries.
  private var changedWaiting: UInt64 = 0
  /// By state what it and those in it may change, with all that they call.
  private var changedInside: [UInt64] = []
  private var isPending: [Bool]
  private var pending: [Int] = []

  init(
    _ sought: KeyWays.Sought, _ bits: [String: UInt64], among names: Set<String>, _ machine: Machine,
    _ lets: [String: Let], _ presences: [ObjectIdentifier: Presence]
  ) {
    (self.sought, self.bits, self.names, self.machine) = (sought, bits, names, machine)
    (self.lets, self.presences) = (lets, presences)
    entered = Array(repeating: nil, count: machine.states.count)
    isPending = Array(repeating: false, count: machine.states.count)
  }

  mutating func goAllWays() {
    changedWaiting = changed(by: machine.states.actionsWhileWaiting)
    changedInside = findChangedInside()
    let unset = machine.keysUnsetAtFirst.reduce(0) { $0 | (bits[$1] ?? 0) }
    enter(machine.routines[0].root, from: nil, with: sought == .there ? 0 : unset)
    while let state = pending.popLast() {
      isPending[state] = false
      leave(state)
    }
  }

  private mutating func enter(_ target: Int, from source: Int?, with known: UInt64) {
    var known = known
    for state in machine.entered(target, from: source) { known = arrive(state, with: known) }
  }

  /// What is known once a state has done its own.
  private mutating func arrive(_ state: Int, with known: UInt64) -> UInt64 {
    let both = entered[state].map { sought == .there ? $0 & known : $0 | known } ?? known
    if entered[state] != both {
      entered[state] = both
      if !isPending[state] { pending.append(state) }
      isPending[state] = true
    }
    return behind(machine.states[state].entry, known)
  }

  private mutating func leave(_ index: Int) {
    let state = machine.states[index]
    var left = behind(state.entry, entered[index] ?? 0)
    if !state.decides { left &= ~changedWaiting }
    if state.start != nil { left &= ~changedInside[index] }
    for routine in state.calls {
      let root = machine.routines[routine].root
      enter(root, from: nil, with: left)
      left &= ~changedInside[root]
    }
    for transitions in [state.next] + state.on.map(\.transitions) + state.after.map(\.transition) {
      var left = left
      for transition in transitions {
        let presence = presence(in: transition.when)
        if case .state(let target) = transition.target {
          enter(target, from: index, with: behind(transition.actions, known(left, presence, holds: true)))
        }
        // Whoever comes behind it knows that its condition does not hold.
        left = known(left, presence, holds: false)
      }
    }
  }

  private func known(_ known: UInt64, _ presence: Presence, holds: Bool) -> UInt64 {
    switch sought {
    case .there: known | mask(of: holds ? presence.failsWithout : presence.holdsWithout)
    // Keys that are set together are asked for by one of them: behind what reads any, those alone are surely missing for
    // which it came to that.
    case .missing:
      presence.readsKeys ? known & mask(of: holds ? presence.holdsWithout : presence.failsWithout) : known
    }
  }

  private func mask(of names: some Sequence<String>) -> UInt64 { names.reduce(0) { $0 | (bits[$1] ?? 0) } }

  private mutating func presence(in condition: Condition?) -> Presence {
    guard let condition, let first = condition.expressions.first else { return Presence() }
    let id = ObjectIdentifier(first)
    if let known = presences[id] { return known }
    let found = Presence(of: names, in: condition, of: machine, lets)
    presences[id] = found
    return found
  }

  private mutating func behind(_ actions: [Action], _ known: UInt64) -> UInt64 {
    actions.reduce(known) { known, action in
      let effect = effect(of: action)
      return known & ~effect.changed | effect.known
    }
  }

  private mutating func changed(by actions: [Action]) -> UInt64 {
    actions.reduce(0) { $0 | effect(of: $1).changed }
  }

  private mutating func effect(of action: Action) -> (changed: UInt64, known: UInt64) {
    let id = ObjectIdentifier(action)
    if let known = effects[id] { return known }
    let effect =
      switch sought {
      case .there: (mask(of: action.mayLose), mask(of: action.surelySet))
      case .missing:
        (
          mask(of: action.assignments.lazy.compactMap(\.place.nameOfValue)),
          mask(of: EmptiedKeys().behind(action).sites.keys)
        )
      }
    effects[id] = effect
    return effect
  }

  private mutating func findChangedInside() -> [UInt64] {
    var found = [UInt64](repeating: 0, count: machine.states.count)
    for (index, state) in machine.states.enumerated() {
      found[index] = changed(by: state.entry + state.transitions.flatMap(\.actions) + state.actionsBetweenTries)
    }
    // Sub-flows call others: as deep as they do.
    for _ in machine.routines {
      var isMore = false
      for (index, state) in machine.states.enumerated() {
        let inside = state.calls.reduce(found[index]) { $0 | found[machine.routines[$1].root] }
        for outer in machine.enclosing(index) where found[outer] | inside != found[outer] {
          found[outer] |= inside
          isMore = true
        }
      }
      if !isMore { break }
    }
    return found
  }
}

/// The keys whose presence decides a condition, as expressions name them.
private struct Presence {
  /// Whether it reads any key.
  private(set) var readsKeys = false
  /// Those without which it surely holds, and those without which it surely does not, whatever else is.
  private(set) var (holdsWithout, failsWithout): (Set<String>, Set<String>) = ([], [])

  init() {}

  init(of names: Set<String>, in condition: Condition, of machine: Machine, _ lets: [String: Let]) {
    readsKeys = condition.expressions.contains(where: \.readsKeys)
    let tested = Set(condition.expressions.flatMap(\.expression.facts.tested).map(\.withoutOptionals))
    for name in tested.intersection(names) {
      switch Self.holds(condition, without: name, of: machine, lets) {
      case false?: failsWithout.insert(name)
      case true?: holdsWithout.insert(name)
      case nil: break
      }
    }
  }

  /// What a condition comes to where one key is null; `nil` where what else it reads decides.
  private static func holds(
    _ condition: Condition, without name: String, of machine: Machine, _ lets: [String: Let]
  ) -> Bool? {
    let isStored = name.hasPrefix("store.")
    let (area, root) = isStored ? ("store", Root.store) : ("memory", .memory)
    let keys = isStored ? machine.store : machine.memory
    let own = name.dropFirst(area.count + 1)
    guard let field = keys.first(where: { $0.name == own })?.field else { return nil }
    let type = ObjectType(title: area, fields: [field])
    let scope = Scope(
      variables: [Scope.Variable(name: area, type: .object(type), root: root.rawValue)], lets: lets)
    return PartialCondition(condition, in: scope).holds(in: Frame(knowing: [.null], of: root))
  }
}

extension State {
  /// Whether an expression reads one key alone, and no other condition here reads any: one may tell that another is set.
  func readsNoKeys(besides placed: PlacedExpression) -> Bool {
    let own = Set(placed.expression.facts.references.filter { ["store", "memory"].contains($0[0]) })
    let conditions = transitions.compactMap(\.when).flatMap(\.expressions)
    return own.count < 2 && !conditions.contains { $0 !== placed && $0.readsKeys }
  }
}

extension PlacedExpression {
  /// Whether it reads any key, itself or through a let.
  fileprivate var readsKeys: Bool { expression.facts.references.contains { ["store", "memory"].contains($0[0]) } }
}

extension Machine {
  fileprivate var keysUnsetAtFirst: [String] {
    func names(_ area: String, _ keys: [Key]) -> [String] {
      keys.filter { !$0.isTable && $0.initial.isNull }.map { "\(area).\($0.name)" }
    }
    return names("store", store) + names("memory", memory)
  }
}
