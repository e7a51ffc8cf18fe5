/// Which state can follow which, as far as it shows without running.
///
/// What encloses a state serves it with its events and times, and what calls its sub-flow does too: a state's servers.
struct StateGraph: Sendable {
  let machine: Machine
  /// For each state where its `next` leads, and where its own events and times do.
  private let decided: [[Int]]
  private let served: [[Int]]
  /// For each state those that it serves.
  private let clients: [[Int]]
  /// For each state whether some transition enters a state from it, its own or one of a server.
  let leadsOn: [Bool]

  init(_ machine: Machine) {
    self.machine = machine
    decided = machine.states.map { Self.targets(of: $0.next) }
    served = machine.states.map { state in
      state.on.flatMap { Self.targets(of: $0.transitions) } + state.after.flatMap { Self.targets(of: $0.transition) }
    }
    var clients: [[Int]] = Array(repeating: [], count: machine.states.count)
    for index in machine.states.indices {
      if let parent = machine.states[index].parent { clients[parent].append(index) }
      for routine in machine.states[index].calls { clients[index].append(machine.routines[routine].root) }
    }
    self.clients = clients
    var isServed = Array(repeating: false, count: machine.states.count)
    var pending = served.indices.filter { [served] in !served[$0].isEmpty }
    while let index = pending.popLast() {
      guard !isServed[index] else { continue }
      isServed[index] = true
      pending += clients[index]
    }
    leadsOn = zip(decided, isServed).map { !$0.isEmpty || $1 }
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

  /// For each state whether it can become active from these; enclosing states are active with those inside.
  func reachable(from starts: [Int]) -> [Bool] {
    var reached = Array(repeating: false, count: machine.states.count)
    reach(from: starts, &reached)
    return reached
  }

  /// Marks what can become active from these states, where it was not reached before.
  func reach(from starts: [Int], _ reached: inout [Bool]) {
    var pending = starts
    while let index = pending.popLast() {
      guard !reached[index] else { continue }
      reached[index] = true
      if case .compound(let start) = machine.states[index].activity { pending.append(start) }
      if let parent = machine.states[index].parent { pending.append(parent) }
      for routine in machine.states[index].calls { pending.append(machine.routines[routine].root) }
      pending += decided[index] + served[index]
    }
  }

  /// For each state whether one of these can follow it, or is it.
  func leading(to goals: [Int]) -> [Bool] {
    let count = machine.states.count
    // Behind the states stand what they do as servers: it leads there, and so does whatever they serve.
    var before: [[Int]] = Array(repeating: [], count: 2 * count)
    for index in 0..<count {
      for next in decided[index] { before[next].append(index) }
      for next in served[index] { before[next].append(index + count) }
      before[index + count] = clients[index].map { $0 + count } + [index]
      if case .compound(let start) = machine.states[index].activity { before[start].append(index) }
    }
    var leading = Array(repeating: false, count: 2 * count)
    var pending = goals
    while let index = pending.popLast() {
      guard !leading[index] else { continue }
      leading[index] = true
      pending += before[index]
    }
    return Array(leading[..<count])
  }
}

/// What the checks of states share: how far each can be reached, and where it leads.
struct StatePaths: Sendable {
  let graph: StateGraph
  /// For each state whether it can be entered.
  let reached: [Bool]
  /// Reached states that wait with nothing that leads out: neither goal nor rest, no transition of their own, of what
  /// encloses or of what calls them.
  let withoutWayOut: [Int]
  /// States of an app that can be entered and lead neither to a goal nor to an end.
  let lost: [Int]

  init(of examined: Examined) {
    let states = examined.machine.states
    let graph = StateGraph(examined.machine)
    let reached = graph.reachable(from: examined.starts)
    let withoutWayOut = states.indices.filter { index in
      guard case .none = states[index].activity, reached[index], !states[index].isRoot else { return false }
      let mayStay = states[index].isGoal || states[index].isRest || states[index].ends
      return !mayStay && !graph.leadsOn[index] && !graph.servesEnd(index)
    }
    (self.graph, self.reached, self.withoutWayOut) = (graph, reached, withoutWayOut)
    guard examined.model == nil else {
      lost = []
      return
    }
    // A wait without a way out has been reported; what leads there is no second mistake.
    let goals = states.indices.filter { states[$0].isGoal || states[$0].ends }
    let leading = graph.leading(to: goals + withoutWayOut)
    lost = states.indices.filter { reached[$0] && !leading[$0] && !states[$0].isRoot }
  }
}

extension StateGraph {
  /// Whether what encloses a state can end the flow.
  fileprivate func servesEnd(_ index: Int) -> Bool {
    var parent = machine.states[index].parent
    while let index = parent {
      if machine.states[index].ends { return true }
      parent = machine.states[index].parent
    }
    return false
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
    func ends(_ transitions: [Transition]) -> Bool {
      transitions.contains { if case .end = $0.target { true } else { false } }
    }
    return ends(next) || on.contains { ends($0.transitions) } || after.contains { ends($0.transition) }
  }
}

extension Examined {
  var starts: [Int] {
    guard model != nil else { return machine.routines.first.map { [$0.root] } ?? [] }
    let routes = (model?.routes.flatMap(\.next) ?? []) + (model?.sometimes ?? [])
    return StateGraph.targets(of: routes)
  }
}
