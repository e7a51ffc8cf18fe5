import Expressions

/// Where an app comes by itself when it is opened: past decisions, into sub-flows, up to requests.
struct LaunchWays {
  /// One way is as long as there are states; to each so many are looked at, as another way may do something else.
  private static let mostToState = 4

  private struct Step {
    let state: Int
    /// Index into `steps`, `nil` for the first.
    let before: Int?
    /// What was taken, `nil` where a sub-flow was called.
    let transition: Transition?
    /// What was done by it, and on entering.
    let actions: [Action]
  }

  private let machine: Machine
  private var steps: [Step] = []
  /// By state.
  private var arrivals: [Int: [Int]] = [:]
  private var conditions: [KeyCondition.Name: KeyCondition] = [:]
  /// By state, which of its decisions read a key, and under `[]` those without a condition.
  private var readers: [Int: [[String]: [Int]]] = [:]

  init(_ machine: Machine) {
    self.machine = machine
    enter(machine.routines[0].root, before: nil, nil)
    var index = 0
    while index < steps.count {
      let state = machine.states[steps[index].state]
      switch state.activity {
      case .call(let routine): enter(machine.routines[routine].root, before: index, nil)
      case .none where state.decides:
        for transition in state.next {
          if case .state(let target) = transition.target { enter(target, before: index, transition) }
        }
      default: break
      }
      index += 1
    }
  }

  private mutating func enter(_ target: Int, before: Int?, _ transition: Transition?) {
    let entered = machine.entered(target, from: transition == nil ? nil : before.map { steps[$0].state })
    let leaf = entered.last ?? target
    guard arrivals[leaf, default: []].count < Self.mostToState else { return }
    arrivals[leaf, default: []].append(steps.count)
    let actions = (transition?.actions ?? []) + entered.flatMap { machine.states[$0].entry }
    steps.append(Step(state: leaf, before: before, transition: transition, actions: actions))
  }

  func lead(to state: Int) -> Bool { arrivals[state] != nil }

  /// By each way to a state that may be gone where these keys hold this: the first decision that comes there only where
  /// one of them does, and what is done on it.
  mutating func decisions(to state: Int, by mark: Mark, among marks: [Mark]) -> [(Transition, actions: [Action])] {
    let steps = steps
    return (arrivals[state] ?? []).compactMap { last in
      let way = sequence(first: last) { steps[$0].before }.reversed()
      var values = Dictionary(marks.map { (KeyNumber($0.place), $0) }) { first, _ in first }
      var first: Transition?
      var source: Int?
      for step in way.map({ steps[$0] }) {
        if let transition = step.transition, let source {
          guard let isByMark = takes(transition, in: source, where: values, by: mark) else { return nil }
          if isByMark, first == nil { first = transition }
        }
        for write in step.actions.flatMap(\.writes) {
          // What is marked anew on the way is another mark.
          if KeyNumber(write.place) == KeyNumber(mark.place) { return nil }
          values[KeyNumber(write.place)] = Mark(place: write.place, value: write.value)
        }
        source = step.state
      }
      return first.map { ($0, way.flatMap { steps[$0].actions }) }
    }
  }

  /// Whether a transition is taken only as a mark is there; `nil` where it is not taken.
  private mutating func takes(
    _ sought: Transition, in state: Int, where values: [KeyNumber: Mark], by mark: Mark
  ) -> Bool? {
    let without = Mark(place: mark.place, value: .oneOf([mark.place.declared.initial]))
    var mayComeWithout = true
    for transition in decisions(of: state, upTo: sought, reading: [mark] + values.values) {
      let isThere = holds(transition, where: values)
      let isWithout = holds(transition, where: [KeyNumber(mark.place): without])
      if transition === sought { return isThere == false ? nil : !mayComeWithout || isWithout == false }
      if isThere == true { return nil }
      if isWithout == true { mayComeWithout = false }
    }
    return nil
  }

  /// Those before one that these keys have a say in, and that one.
  private mutating func decisions(of state: Int, upTo sought: Transition, reading marks: [Mark]) -> [Transition] {
    let next = machine.states[state].next
    guard let last = next.firstIndex(where: { $0 === sought }) else { return [] }
    let known =
      readers[state]
      ?? next.enumerated().reduce(into: [:]) { known, decision in
        for key in decision.element.when?.keys ?? [[]] { known[key, default: []].append(decision.offset) }
      }
    readers[state] = known
    let before = Set(([[]] + marks.map(\.place.keyName)).flatMap { known[$0] ?? [] }.filter { $0 < last })
    return before.sorted().map { next[$0] } + [sought]
  }

  private mutating func holds(_ transition: Transition, where values: [KeyNumber: Mark]) -> Bool? {
    guard let when = transition.when else { return true }
    let read = when.keys
    for mark in values.values where read.contains(mark.place.keyName) {
      let name = KeyCondition.Name(when, mark.place)
      var condition = conditions[name] ?? KeyCondition(when, of: mark.place, machine.lets)
      let holds = condition.holds(for: mark.value)
      conditions[name] = condition
      if let holds { return holds }
    }
    return nil
  }
}

/// A key with what it holds.
struct Mark {
  let place: Place
  let value: KeptValue
}
