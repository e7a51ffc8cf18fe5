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
  private var places: [String: (walk: Int, number: Int)] = [:]
  /// By walk what is known where each state is entered, before it does anything itself.
  private var entered: [[KeySet?]] = []

  /// Of keys as expressions name them; as many as a set holds are looked for at once.
  init(_ sought: Sought, of names: Set<String>, in machine: Machine) {
    if names.isEmpty { return }
    var presences: [ObjectIdentifier: Presence] = [:]
    let lets = machine.lets
    var rest = names.sorted()[...]
    while !rest.isEmpty {
      let some = rest.prefix(KeySet.most)
      rest = rest.dropFirst(some.count)
      let numbers = Dictionary(uniqueKeysWithValues: some.enumerated().map { ($1, $0) })
      for (name, number) in numbers { places[name] = (entered.count, number) }
      var walk = KeyWalk(sought, numbers, among: names, machine, lets, presences)
      walk.goAllWays()
      presences = walk.presences
      entered.append(walk.entered)
    }
  }

  /// Whether that is known of a key where a state is entered; of one that nothing enters nothing is.
  func know(_ name: String, at state: Int) -> Bool {
    guard let place = places[name], let known = entered[place.walk][state] else { return false }
    return known.contains(place.number)
  }
}

/// Some keys, by their numbers in one walk.
private struct KeySet: Equatable {
  /// A bit for each.
  private var words = SIMD8<UInt64>()
  static let most = 512

  func contains(_ number: Int) -> Bool { words[number / 64] & (1 << (number % 64)) != 0 }
  mutating func insert(_ number: Int) { words[number / 64] |= 1 << (number % 64) }
  mutating func formUnion(_ other: KeySet) { words |= other.words }
  mutating func subtract(_ other: KeySet) { words &= ~other.words }
  mutating func formIntersection(_ other: KeySet) { words &= other.words }

  func union(_ other: KeySet) -> KeySet {
    var copy = self
    copy.formUnion(other)
    return copy
  }
}

/// Goes all ways for some keys at once; states are gone through again as long as something changes.
private struct KeyWalk {
  private(set) var entered: [KeySet?]
  private(set) var presences: [ObjectIdentifier: Presence]
  private let sought: KeyWays.Sought
  private let numbers: [String: Int]
  /// All that are looked for, in other walks too.
  private let names: Set<String>
  private let machine: Machine
  private let lets: [String: Let]
  /// By action what is not known any more behind it, and what is known then.
  private var effects: [ObjectIdentifier: (changed: KeySet, known: KeySet)] = [:]
  /// What is changed without leaving a state, or between two tries.
  private var changedWaiting = KeySet()
  /// By state what it and those in it may change, with all that they call.
  private var changedInside: [KeySet] = []
  private let launching: Set<Int>
  /// The keys of the memory.
  private var ofMemory = KeySet()
  private var isPending: [Bool]
  private var pending: [Int] = []

  init(
    _ sought: KeyWays.Sought, _ numbers: [String: Int], among names: Set<String>, _ machine: Machine,
    _ lets: [String: Let], _ presences: [ObjectIdentifier: Presence]
  ) {
    (self.sought, self.numbers, self.names, self.machine) = (sought, numbers, names, machine)
    (self.lets, self.presences) = (lets, presences)
    entered = Array(repeating: nil, count: machine.states.count)
    isPending = Array(repeating: false, count: machine.states.count)
    launching = sought == .missing ? Set(machine.launching) : []
    ofMemory = set(of: numbers.keys.filter { $0.hasPrefix("memory.") })
  }

  mutating func goAllWays() {
    changedWaiting = changed(by: machine.states.actionsWhileWaiting)
    changedInside = findChangedInside()
    let unset = set(of: machine.keysUnsetAtFirst)
    enter(machine.routines[0].root, from: nil, with: sought == .there ? KeySet() : unset)
    while let state = pending.popLast() {
      isPending[state] = false
      leave(state)
    }
  }

  private mutating func enter(_ target: Int, from source: Int?, with known: KeySet) {
    var known = known
    for state in machine.entered(target, from: source) { known = arrive(state, with: known) }
  }

  /// What is known once a state has done its own.
  private mutating func arrive(_ state: Int, with known: KeySet) -> KeySet {
    var both = known
    if let before = entered[state] {
      if sought == .there { both.formIntersection(before) } else { both.formUnion(before) }
    }
    if entered[state] != both {
      entered[state] = both
      if !isPending[state] { pending.append(state) }
      isPending[state] = true
    }
    return behind(machine.states[state].entry, known)
  }

  private mutating func leave(_ index: Int) {
    let state = machine.states[index]
    var left = behind(state.entry, entered[index] ?? KeySet())
    if !state.decides { left.subtract(changedWaiting) }
    if state.start != nil { left.subtract(changedInside[index]) }
    for routine in state.calls {
      let root = machine.routines[routine].root
      enter(root, from: nil, with: left)
      left.subtract(changedInside[root])
    }
    let isAtLaunch = launching.contains(index)
    for transitions in [state.next] + state.on.map(\.transitions) + state.after.map(\.transition) {
      var left = left
      for transition in transitions {
        let presence = presence(in: transition.when)
        if case .state(let target) = transition.target {
          let known = known(left, presence, holds: true, isAtLaunch)
          enter(target, from: index, with: behind(transition.actions, known))
        }
        // Whoever comes behind it knows that its condition does not hold.
        left = known(left, presence, holds: false, isAtLaunch)
      }
    }
  }

  private func known(_ known: KeySet, _ presence: Presence, holds: Bool, _ isAtLaunch: Bool) -> KeySet {
    var known = known
    switch sought {
    case .there: known.formUnion(set(of: holds ? presence.failsWithout : presence.holdsWithout))
    // Keys that are set together are asked for by one of them: behind what reads any, those alone are surely missing for
    // which it came to that.
    case .missing where presence.readsKeys:
      // At a launch the memory is as it begins, whatever is stored.
      var kept = isAtLaunch && !presence.readsMemory ? ofMemory : KeySet()
      kept.formUnion(set(of: holds ? presence.holdsWithout : presence.failsWithout))
      known.formIntersection(kept)
    case .missing: break
    }
    return known
  }

  /// Those of them that this walk is for.
  private func set(of names: some Sequence<String>) -> KeySet {
    var found = KeySet()
    for name in names { if let number = numbers[name] { found.insert(number) } }
    return found
  }

  private mutating func presence(in condition: Condition?) -> Presence {
    guard let condition, let first = condition.expressions.first else { return Presence() }
    let id = ObjectIdentifier(first)
    if let known = presences[id] { return known }
    let found = Presence(of: names, in: condition, of: machine, lets)
    presences[id] = found
    return found
  }

  private mutating func behind(_ actions: [Action], _ known: KeySet) -> KeySet {
    var known = known
    for action in actions {
      let effect = effect(of: action)
      known.subtract(effect.changed)
      known.formUnion(effect.known)
    }
    return known
  }

  private mutating func changed(by actions: [Action]) -> KeySet {
    var changed = KeySet()
    for action in actions { changed.formUnion(effect(of: action).changed) }
    return changed
  }

  private mutating func effect(of action: Action) -> (changed: KeySet, known: KeySet) {
    let id = ObjectIdentifier(action)
    if let known = effects[id] { return known }
    let effect =
      switch sought {
      case .there: (set(of: action.mayLose), set(of: action.surelySet))
      case .missing:
        (
          set(of: action.assignments.lazy.compactMap(\.place.nameOfValue)),
          set(of: EmptiedKeys().behind(action).sites.keys)
        )
      }
    effects[id] = effect
    return effect
  }

  private mutating func findChangedInside() -> [KeySet] {
    var found = [KeySet](repeating: KeySet(), count: machine.states.count)
    for (index, state) in machine.states.enumerated() {
      found[index] = changed(by: state.entry + state.transitions.flatMap(\.actions) + state.actionsBetweenTries)
    }
    // Sub-flows call others: as deep as they do.
    for _ in machine.routines {
      var isMore = false
      for (index, state) in machine.states.enumerated() {
        var inside = found[index]
        for routine in state.calls { inside.formUnion(found[machine.routines[routine].root]) }
        for outer in machine.enclosing(index) where found[outer].union(inside) != found[outer] {
          found[outer].formUnion(inside)
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
  /// Whether it reads any key, and any of the memory.
  private(set) var (readsKeys, readsMemory) = (false, false)
  /// Those without which it surely holds, and those without which it surely does not, whatever else is.
  private(set) var (holdsWithout, failsWithout): (Set<String>, Set<String>) = ([], [])

  init() {}

  init(of names: Set<String>, in condition: Condition, of machine: Machine, _ lets: [String: Let]) {
    readsKeys = condition.expressions.contains(where: \.readsKeys)
    readsMemory = condition.expressions.contains(where: \.readsMemory)
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

  /// The same of keys that a kill takes away.
  var readsMemory: Bool { expression.facts.references.contains { $0[0] == "memory" } }
}

extension Machine {
  fileprivate var keysUnsetAtFirst: [String] {
    func names(_ area: String, _ keys: [Key]) -> [String] {
      keys.filter { !$0.isTable && $0.initial.isNull }.map { "\(area).\($0.name)" }
    }
    return names("store", store) + names("memory", memory)
  }
}
