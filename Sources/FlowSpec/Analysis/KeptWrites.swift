import Expressions

/// What is written to keys while some passages of a machine are taken, again and again.
///
/// A machine may have many circles, with the same conditions and sub-flows: each is looked into once.
struct KeptWrites {
  /// By key what it is set to; `nil` where only a run knows.
  private typealias Values = [KeyNumber: Set<Value?>]

  private let machine: Machine
  private let graph: StateGraph
  private let lets: [String: Let]
  private var conditions: [KeyCondition.Name: KeyCondition] = [:]
  /// What is written in each sub-flow and in those that it calls, by its number.
  private var called: [Int: Values] = [:]

  init(in examined: Examined, _ graph: StateGraph) {
    (machine, self.graph) = (examined.machine, graph)
    lets = examined.machine.lets
  }

  /// The passages of a circle without those that surely are not taken again once they were.
  ///
  /// The condition of such a one fails for all that is written to a key in the circle, and no way leads back to it without
  /// writing to that: with it, in another transition, or in a state that is entered.
  mutating func withoutBounded(_ passages: [Passage]) -> [Passage] {
    guard passages.contains(where: { $0.transition.when != nil }) else { return passages }
    let writes = passages.map(writtenSurely)
    let failing = failing(among: passages, of: writes)
    var isBounded = [Bool](repeating: false, count: passages.count)
    for (key, indices) in failing {
      for index in indices where writes[index][key] != nil { isBounded[index] = true }
    }
    // What one key ends may end more for the next: always in the same order.
    for (key, indices) in failing.sorted(by: { $0.key < $1.key }) where indices.contains(where: { !isBounded[$0] }) {
      let isOnOther = passages.circling { !isBounded[$0] && writes[$0][key] == nil }
      let ending = indices.filter { !isBounded[$0] && !isOnOther[$0] }
      if ending.isEmpty { continue }
      for index in ending { isBounded[index] = true }
      // What was on circles with these alone ends too: no other key has to be looked at for it.
      isBounded = passages.circling { !isBounded[$0] }.map { !$0 }
    }
    return passages.indices.filter { !isBounded[$0] }.map { passages[$0] }
  }

  /// What a passage sets or clears whenever it is taken, with the state that it enters; but not in tables.
  private func writtenSurely(_ passage: Passage) -> [KeyNumber: Place] {
    (passage.transition.actions + machine.states[passage.target].entry).flatMap(\.writes).map(\.place)
      .reduce(into: [:]) { if !$1.isOfTable { $0[KeyNumber($1)] = $1 } }
  }

  /// By key those passages, of some in circles, whose condition fails for all that is written to it there.
  private mutating func failing(
    among passages: [Passage], of writes: [[KeyNumber: Place]]
  ) -> [KeyNumber: [Int]] {
    let values = written(by: passages)
    var places: [[String]: Place] = [:]
    for place in writes.lazy.flatMap(\.values) { places[[place.area.rawValue, place.declared.name]] = place }
    var failing: [KeyNumber: [Int]] = [:]
    for index in passages.indices {
      guard let when = passages[index].transition.when else { continue }
      for name in when.keys {
        guard let place = places[name] else { continue }
        let key = KeyNumber(place)
        if surelyFails(when, KeyCondition.Name(when, place), for: values[key] ?? [], of: place) {
          failing[key, default: []].append(index)
        }
      }
    }
    return failing
  }

  /// By the transitions of a circle, and by the states between them, with what they call.
  ///
  /// What somebody does on the way each time, or what takes its time, is what the circle waits for.
  private mutating func written(by passages: [Passage]) -> Values {
    let entered = Set(passages.flatMap { machine.enclosing($0.source) })
    let around = entered.map { machine.states[$0] }
    let stays = around.flatMap(\.unheard).filter(\.target.isStay)
    var values = Self.values(of: passages.map(\.transition) + stays, around)
    for routine in Set(around.flatMap(\.calls)) {
      values.merge(written(in: routine)) { $0.union($1) }
    }
    return values
  }

  private mutating func written(in routine: Int) -> Values {
    if let known = called[routine] { return known }
    let states = graph.active(from: [machine.routines[routine].root]).map { machine.states[$0] }
    let values = Self.values(of: states.flatMap { $0.next + $0.unheard }, states)
    called[routine] = values
    return values
  }

  private static func values(of transitions: [Transition], _ states: [State]) -> Values {
    let retries = states.compactMap { state -> Retry? in
      if case .request(let request) = state.activity { request.retry } else { nil }
    }
    let actions = transitions.flatMap(\.actions) + states.flatMap(\.entry) + retries.flatMap(\.actions)
    return actions.flatMap(\.writes).reduce(into: [:]) { $0[KeyNumber($1.place), default: []].insert($1.value) }
  }

  /// Whether a condition fails while a key has any of some values, whatever else is so.
  private mutating func surelyFails(
    _ when: Condition, _ name: KeyCondition.Name, for values: Set<Value?>, of place: Place
  ) -> Bool {
    var condition = conditions.removeValue(forKey: name) ?? KeyCondition(when, of: place, lets)
    defer { conditions[name] = condition }
    return values.allSatisfy { $0.map { condition.surelyFails(for: $0) } ?? false }
  }
}

/// A key of the store or of memory.
struct KeyNumber: Hashable, Comparable {
  let area: Place.Area
  let number: Int

  init(_ place: Place) { (area, number) = (place.area, place.key) }

  static func < (left: KeyNumber, right: KeyNumber) -> Bool {
    (left.area.rawValue, left.number) < (right.area.rawValue, right.number)
  }
}

/// A condition that is looked at where one key is known, and the rest may be anything.
struct KeyCondition {
  /// Conditions of the same words are the same, as the names in them are those of one document.
  struct Name: Hashable {
    let words: [String]
    let key: KeyNumber

    init(_ condition: Condition, _ place: Place) { (words, key) = (condition.words, KeyNumber(place)) }
  }

  private let condition: PartialCondition
  private let root: Root
  private var known: [Value: Bool] = [:]

  init(_ condition: Condition, of place: Place, _ lets: [String: Let]) {
    let area = ObjectType(title: place.area.rawValue, fields: [place.declared.field])
    let variable = Scope.Variable(name: place.area.rawValue, type: .object(area), root: place.root)
    self.condition = PartialCondition(condition, in: Scope(variables: [variable], lets: lets))
    root = place.area.root
  }

  mutating func surelyFails(for value: Value) -> Bool {
    if let known = known[value] { return known }
    let fails = condition.holds(in: Frame(knowing: [value], of: root)) == false
    known[value] = fails
    return fails
  }
}

extension [Passage] {
  /// For each whether it lies on a circle of those that are left.
  fileprivate func circling(_ isLeft: (Int) -> Bool) -> [Bool] {
    let circles = CircularPassages(indices.filter(isLeft).map { self[$0] }).components
    let circling = Set(circles.joined().map { ObjectIdentifier($0.transition) })
    return map { circling.contains(ObjectIdentifier($0.transition)) }
  }
}

extension Condition {
  /// What it is made of, so that no two different ones have the same.
  fileprivate var words: [String] {
    switch self {
    case .expression(let placed): ["", placed.expression.source]
    case .all(let parts): ["all", "\(parts.count)"] + parts.flatMap(\.words)
    case .any(let parts): ["any", "\(parts.count)"] + parts.flatMap(\.words)
    case .not(let inner): ["not"] + inner.words
    }
  }

  /// What it looks at: a key as `["memory", "who"]`, and all else by its first two names as well.
  fileprivate var keys: Set<[String]> {
    Set(expressions.flatMap { $0.expression.facts.references.map { Array($0.prefix(2)) } })
  }
}

extension State {
  /// What its timers do at once: nobody has to be heard for that.
  fileprivate var unheard: [Transition] { after.filter(\.isAtOnce).flatMap(\.transition) }
}

extension Action {
  /// The keys that it sets or clears, with what they hold then; `nil` where only a run knows.
  var writes: [(place: Place, value: Value?)] {
    assignments.map { ($0.place, $0.literal) } + cleared.map { ($0, $0.isOfTable ? nil : $0.declared.initial) }
  }
}

extension Assignment {
  /// What is written out, where the key holds just that.
  fileprivate var literal: Value? { if case .literal(let literal) = value { literal } else { nil } }
}
