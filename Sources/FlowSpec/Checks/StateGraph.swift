/// Which state can follow which, as far as it shows without running.
struct StateGraph {
  let machine: Machine
  /// For each state the states that its transitions enter, own and of what encloses or calls it.
  private(set) var successors: [[Int]]

  init(_ machine: Machine) {
    self.machine = machine
    successors = Array(repeating: [], count: machine.states.count)
    var callers: [Int: [Int]] = [:]
    for (index, state) in machine.states.enumerated() {
      for routine in state.calls { callers[routine, default: []].append(index) }
    }
    for index in machine.states.indices {
      var targets = Self.targets(of: machine.states[index].next)
      var pending = [index]
      var seen: Set<Int> = []
      // What encloses a state serves it, and so does what calls its sub-flow.
      while let server = pending.popLast() {
        guard seen.insert(server).inserted else { continue }
        let state = machine.states[server]
        targets += Self.targets(of: state.on.flatMap(\.transitions) + state.after.flatMap(\.transition))
        if let parent = state.parent { pending.append(parent) } else { pending += callers[state.routine] ?? [] }
      }
      successors[index] = targets
    }
  }

  static func targets(of transitions: [Transition]) -> [Int] {
    transitions.compactMap { if case .state(let index) = $0.target { index } else { nil } }
  }

  /// The state that is waited in after entering this one: compound states are entered down to a leaf.
  func leaf(of state: Int) -> Int {
    var state = state
    while case .compound(let start) = machine.states[state].activity { state = start }
    return state
  }

  /// Everything that can become active from these states; enclosing states are active with those inside.
  func reachable(from starts: [Int]) -> Set<Int> {
    var reached: Set<Int> = []
    reach(from: starts, &reached)
    return reached
  }

  /// Adds what can become active from these states, where it was not reached before.
  func reach(from starts: [Int], _ reached: inout Set<Int>) {
    var pending = starts
    while let index = pending.popLast() {
      guard reached.insert(index).inserted else { continue }
      let state = machine.states[index]
      if case .compound(let start) = state.activity { pending.append(start) }
      if let parent = state.parent { pending.append(parent) }
      pending += state.calls.map { machine.routines[$0].root }
      pending += Self.targets(of: state.next + state.on.flatMap(\.transitions) + state.after.flatMap(\.transition))
    }
  }

  /// Every state from which one of these can follow, these included.
  func leading(to goals: Set<Int>) -> Set<Int> {
    var predecessors: [[Int]] = Array(repeating: [], count: machine.states.count)
    for index in machine.states.indices {
      for next in successors[index] { predecessors[next].append(index) }
      if case .compound(let start) = machine.states[index].activity { predecessors[start].append(index) }
    }
    var leading: Set<Int> = []
    var pending = Array(goals)
    while let index = pending.popLast() {
      if leading.insert(index).inserted { pending += predecessors[index] }
    }
    return leading
  }
}

extension State {
  /// Sub-flows that it calls.
  var calls: [Int] {
    switch activity {
    case .call(let routine): [routine]
    case .request(let request): request.retry?.call.map { [$0] } ?? []
    default: []
    }
  }

  var isRoot: Bool { parent == nil }

  /// Whether some transition of the state ends its flow.
  var ends: Bool {
    if case .end = activity { return true }
    return (next + on.flatMap(\.transitions) + after.flatMap(\.transition)).contains {
      if case .end = $0.target { true } else { false }
    }
  }
}

extension Examined {
  var starts: [Int] {
    guard model != nil else { return machine.routines.first.map { [$0.root] } ?? [] }
    let routes = (model?.routes.flatMap(\.next) ?? []) + (model?.sometimes ?? [])
    return StateGraph.targets(of: routes)
  }
}
