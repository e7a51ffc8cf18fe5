/// Which state can follow which, as far as it shows without running.
struct StateGraph: Sendable {
  let machine: Machine
  /// For each state where its `next` leads, and where its own events and times do: to a state, or by the number of its
  /// routine behind all states to an end of that.
  fileprivate let decided: [[Int]]
  fileprivate let served: [[Int]]

  /// By all transitions of a machine, or by some.
  init(_ machine: Machine, by isFollowed: (Transition) -> Bool = { _ in true }) {
    self.machine = machine
    let count = machine.states.count
    decided = machine.states.map { state in
      if case .end = state.activity { return [count + state.routine] }
      return Self.targets(of: state.next.filter(isFollowed), endingAt: count + state.routine)
    }
    served = machine.states.map { state in
      let transitions = state.on.flatMap(\.transitions) + state.after.flatMap(\.transition)
      return Self.targets(of: transitions.filter(isFollowed), endingAt: count + state.routine)
    }
  }

  static func targets(of transitions: [Transition], endingAt end: Int? = nil) -> [Int] {
    transitions.compactMap {
      switch $0.target {
      case .state(let index): index
      case .end: end
      case .stay, .reply: nil
      }
    }
  }

  /// For each state whether it can become active from these; enclosing states are active with those inside.
  func reachable(from starts: [Int]) -> [Bool] {
    var reached = Array(repeating: false, count: machine.states.count)
    reach(from: starts, &reached)
    return reached
  }

  /// Marks what can become active from these states, where it was not reached before.
  func reach(from starts: [Int], _ reached: inout [Bool]) {
    var entered = Array(repeating: false, count: machine.states.count)
    follow(
      starts,
      enters: { index in
        defer { entered[index] = true }
        return !entered[index]
      },
      activates: { index in
        defer { reached[index] = true }
        return !reached[index]
      })
  }

  /// The states that can become active from these; without a look at all others, for many small parts of a machine.
  func active(from starts: Set<Int>) -> Set<Int> {
    var (entered, active) = (Set<Int>(), Set<Int>())
    follow(Array(starts), enters: { entered.insert($0).inserted }, activates: { active.insert($0).inserted })
    return active
  }

  /// Goes on from these states; both say whether they hear of a state for the first time.
  private func follow(_ starts: [Int], enters: (Int) -> Bool, activates: (Int) -> Bool) {
    var pending = starts
    while let index = pending.popLast() {
      guard enters(index) else { continue }
      if case .compound(let start) = machine.states[index].activity { pending.append(start) }
      for active in machine.enclosing(index) where activates(active) {
        pending += machine.states[active].calls.map { machine.routines[$0].root }
        pending += (decided[active] + served[active]).filter(machine.states.indices.contains)
      }
    }
  }
}

/// What the checks of states share: how far each can be reached, and where it leads.
///
/// What encloses a state serves it with its events and times, and what calls its sub-flow does too: a state's servers.
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
    (self.graph, self.reached) = (graph, reached)
    guard examined.model == nil else {
      (withoutWayOut, lost) = ([], [])
      return
    }
    let clients = graph.clients(among: reached)
    let isServed = clients.spread(from: states.indices.filter { reached[$0] && !graph.served[$0].isEmpty })
    let withoutWayOut = states.indices.filter { index in
      guard case .none = states[index].activity, reached[index], !states[index].isRoot else { return false }
      return !states[index].isGoal && !states[index].isRest && graph.decided[index].isEmpty && !isServed[index]
    }
    self.withoutWayOut = withoutWayOut
    // A wait without a way out has been reported; what leads there is no second mistake.
    let goals = states.indices.filter { reached[$0] && states[$0].isGoal } + withoutWayOut
    let leading = graph.leading(to: goals, clients, among: reached)
    // Of a compound state that is entered past its start nobody asks where that leads.
    lost = states.indices.filter { reached[examined.machine.leaf(of: $0)] && !leading[$0] && !states[$0].isRoot }
  }
}

extension StateGraph {
  /// For each reached state those that it serves.
  fileprivate func clients(among reached: [Bool]) -> [[Int]] {
    var clients: [[Int]] = Array(repeating: [], count: machine.states.count)
    for (index, state) in machine.states.enumerated() where reached[index] {
      if let parent = state.parent { clients[parent].append(index) }
      clients[index] += state.calls.map { machine.routines[$0].root }
    }
    return clients
  }

  /// For each reached state whether one of these or the end of the flow can follow it, or whether it is one.
  fileprivate func leading(to goals: [Int], _ clients: [[Int]], among reached: [Bool]) -> [Bool] {
    // Behind the states stand the ends of the routines; then that one of these is in a routine, which leads there
    // whatever calls it; then what states do as servers: it leads there, and so does whatever they serve.
    let ends = machine.states.count
    let holders = ends + machine.routines.count
    let servers = holders + machine.routines.count
    var before: [[Int]] = Array(repeating: [], count: servers + machine.states.count)
    for (index, state) in machine.states.enumerated() where reached[index] {
      for next in decided[index] { before[next].append(index) }
      for next in served[index] { before[next].append(servers + index) }
      before[servers + index] = clients[index].map { servers + $0 } + [index]
      if case .compound(let start) = state.activity { before[start].append(index) }
      for routine in state.calls {
        before[index].append(ends + routine)
        before[holders + routine] += [index, holders + state.routine]
      }
    }
    return before.spread(from: [ends] + goals + goals.map { holders + machine.states[$0].routine })
  }
}

extension [[Int]] {
  /// For each node of a graph whether it is one of these, or edges lead to it from one.
  fileprivate func spread(from starts: [Int]) -> [Bool] {
    var isReached = [Bool](repeating: false, count: count)
    var pending = starts
    while let index = pending.popLast() {
      guard !isReached[index] else { continue }
      isReached[index] = true
      pending += self[index]
    }
    return isReached
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
}

extension Examined {
  var starts: [Int] {
    guard model != nil else { return machine.routines.first.map { [$0.root] } ?? [] }
    let routes = (model?.routes.flatMap(\.next) ?? []) + (model?.sometimes ?? [])
    return StateGraph.targets(of: routes)
  }
}

extension Machine {
  /// The states that call each sub-flow, by its number.
  var callers: [[Int]] {
    var callers = routines.map { _ in [Int]() }
    for (index, state) in states.enumerated() {
      for called in state.calls { callers[called].append(index) }
    }
    return callers
  }

  /// What is around a state: its parent, or who calls all of which it is the whole.
  func outside(_ state: Int, _ callers: [[Int]]) -> [Int] {
    states[state].parent.map { [$0] } ?? callers[states[state].routine]
  }

  /// Some states, those around them, and what calls their sub-flows.
  func around(_ states: [Int]) -> Set<Int> {
    let callers = callers
    var (found, pending) = (Set<Int>(), states)
    while let state = pending.popLast() {
      if found.insert(state).inserted { pending += outside(state, callers) }
    }
    return found
  }
}
