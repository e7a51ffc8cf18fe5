import Expressions

/// What is written to keys while some passages of a machine are taken, again and again.
///
/// A machine may have many circles, with the same conditions and sub-flows: each is looked into once.
struct KeptWrites {
  /// By key what it is set to.
  private typealias Values = [KeyNumber: Set<KeptValue>]

  let machine: Machine
  private let graph: StateGraph
  private let lets: [String: Let]
  private var conditions: [KeyCondition.Name: KeyCondition] = [:]
  /// What is written in each sub-flow and in those that it calls, by its number.
  private var called: [Int: Values] = [:]
  /// What is written anywhere.
  private lazy var anywhere = Self.values(of: machine.states.flatMap(\.transitions), machine.states)

  init(in examined: Examined, _ graph: StateGraph) {
    (machine, self.graph) = (examined.machine, graph)
    lets = examined.machine.lets
  }

  /// The passages of a circle without those that surely are not taken again once they were.
  ///
  /// The condition of such a one fails for all that is written to a key in the circle, or after a few rounds in which that
  /// is counted, and no way leads back to it without writing to that: with it, in another transition, or in a state that
  /// is entered.
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
    for place in writes.lazy.flatMap(\.values) { places[place.keyName] = place }
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
    return written(by: passages.map(\.transition), around: entered.map { machine.states[$0] })
  }

  private mutating func written(by transitions: [Transition], around: [State], entering: Bool = true) -> Values {
    let stays = around.flatMap(\.unheard).filter(\.target.isStay)
    var values = Self.values(of: transitions + stays, around, entering: entering)
    for routine in Set(around.flatMap(\.calls)) {
      values.merge(written(in: routine)) { $0.union($1) }
    }
    return values
  }

  /// What may be written while a state waits for its answer.
  mutating func writtenMeanwhile(in state: Int) -> Set<KeyNumber> {
    let around = machine.enclosing(state).map { machine.states[$0] }
    return Set(written(by: [], around: around, entering: false).keys)
  }

  private mutating func written(in routine: Int) -> Values {
    if let known = called[routine] { return known }
    let states = graph.active(from: [machine.routines[routine].root]).map { machine.states[$0] }
    let values = Self.values(of: states.flatMap { $0.next + $0.unheard }, states)
    called[routine] = values
    return values
  }

  private static func values(
    of transitions: [Transition], _ states: [State], entering: Bool = true
  ) -> Values {
    let retries = states.compactMap { state -> Retry? in
      if case .request(let request) = state.activity { request.retry } else { nil }
    }
    let entry = entering ? states.flatMap(\.entry) : []
    let actions = transitions.flatMap(\.actions) + entry + retries.flatMap(\.actions)
    return actions.flatMap(\.writes).reduce(into: [:]) { $0[KeyNumber($1.place), default: []].insert($1.value) }
  }

  /// Whether a condition fails while a key has any of some values, whatever else is so.
  private mutating func surelyFails(
    _ when: Condition, _ name: KeyCondition.Name, for values: Set<KeptValue>, of place: Place
  ) -> Bool {
    let steps = values.compactMap { if case .more(let step) = $0 { step } else { nil } }
    let isCounted = steps.isEmpty || ends(when, of: place, countedBy: steps)
    return isCounted
      && values.allSatisfy { value in
        if case .more = value { true } else { holds(when, name, for: value, of: place) == false }
      }
  }

  /// Whether a condition holds while a key has a value, whatever else is so; `nil` where nobody knows.
  mutating func holds(
    _ when: Condition, _ name: KeyCondition.Name, for value: KeptValue, of place: Place
  ) -> Bool? {
    var condition =
      conditions.removeValue(forKey: name)
      ?? KeyCondition(when, of: place, lets, config: name.knowsConfig ? machine.config : [])
    defer { conditions[name] = condition }
    return condition.holds(for: value)
  }

  /// Whether a condition fails once a key was counted a few times in one direction, from the nearest number that it is
  /// set to anywhere: so often who asks again at once may be lucky.
  private mutating func ends(_ when: Condition, of place: Place, countedBy steps: [Int64]) -> Bool {
    let isUp = steps.allSatisfy { $0 > 0 }
    guard isUp || steps.allSatisfy({ $0 < 0 }), let step = isUp ? steps.min() : steps.max() else { return false }
    var starts: [Int64] = []
    for kept in (anywhere[KeyNumber(place)] ?? []).union([.oneOf([place.declared.initial])]) {
      switch kept {
      case .more(let other) where (other > 0) == isUp && other != 0: continue
      case .oneOf(let values):
        for value in values where !value.isNull {
          guard case .int(let number) = value else { return false }
          starts.append(number)
        }
      case .something, .more, .unknown: return false
      }
    }
    guard let start = isUp ? starts.min() : starts.max() else { return false }
    let last = start.addingReportingOverflow(step.multipliedReportingOverflow(by: Int64(Retry.mostAtOnce)).partialValue)
    if last.overflow { return false }
    let name = KeyCondition.Name(when, place, knowsConfig: true)
    // What fails for all of these has a bound.
    return ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1_000, 1_000_000] as [Int64]).allSatisfy { more in
      let number = last.partialValue &+ more * step.signum()
      return holds(when, name, for: .oneOf([.int(number)]), of: place) == false
    }
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

extension State {
  /// What its timers do at once: nobody has to be heard for that.
  fileprivate var unheard: [Transition] { after.filter(\.isAtOnce).flatMap(\.transition) }
}
