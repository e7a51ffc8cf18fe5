extension Check {
  /// States that nothing enters; those that only these lead to are not said again.
  static let unreachableStates: @Sendable (Examined) -> [Diagnostic] = { examined in
    let graph = StateGraph(examined.machine)
    return graph.heads(of: examined.unreached(graph)).map { index in
      let state = examined.machine.states[index]
      return Diagnostic(
        code: "unreachable-state", message: "nothing enters the state \"\(state.name)\"",
        labels: [Diagnostic.Label(site: state.site, text: "no transition leads here")],
        help: "add a transition with \"goto\": \"\(state.name)\", or remove the state")
    }
  }

  /// States in which a run would wait for ever.
  static let statesWithoutWayOut: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return deadEnds(of: examined) }
    return examined.withoutWayOut.map { index in
      let state = examined.machine.states[index]
      return Diagnostic(
        code: "no-way-out", message: "\"\(state.name)\" waits, and nothing leads out of it",
        labels: [Diagnostic.Label(site: state.site, text: "waits for ever")],
        help: "add \"on\" or \"after\"; a state to rest in is \"rest\": true, one to reach is \"goal\": true")
    }
  }

  /// A service's state that neither decides nor asks: the exchange would get no answer.
  private static func deadEnds(of examined: Examined) -> [Diagnostic] {
    examined.machine.states.filter { state in
      if case .none = state.activity { !state.isRoot && state.next.isEmpty } else { false }
    }.map { state in
      Diagnostic(
        code: "no-way-out", message: "\"\(state.name)\" never answers the request",
        labels: [Diagnostic.Label(site: state.site, text: "has no \"next\"")],
        help: "add \"next\" with a \"reply\"")
    }
  }

  /// States from which neither a goal nor an end can be reached.
  static let statesWithoutGoal: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    guard machine.states.contains(where: { $0.isGoal || $0.ends }) else { return [withoutAnyGoal(machine)] }
    let lost = lostStates(of: examined)
    guard let first = lost.first else { return [] }
    let others = lost.dropFirst().prefix(3).map {
      Diagnostic.Label(site: machine.states[$0].site, text: "nor from here")
    }
    return [
      Diagnostic(
        code: "no-way-to-goal",
        message: "from \"\(machine.states[first].name)\" neither a goal nor an end can be reached",
        labels: [Diagnostic.Label(site: machine.states[first].site, text: "leads to no goal")] + others,
        help: "add a transition that leads on, or mark what the flow is for with \"goal\": true")
    ]
  }

  /// States of an app that can be entered and lead neither to a goal nor to an end.
  static func lostStates(of examined: Examined) -> [Int] {
    guard examined.model == nil else { return [] }
    let (machine, graph) = (examined.machine, StateGraph(examined.machine))
    let goals = machine.states.indices.filter { machine.states[$0].isGoal || machine.states[$0].ends }
    // A wait without a way out has been reported; what leads there is no second mistake.
    let leading = graph.leading(to: Set(goals).union(examined.withoutWayOut))
    return graph.reachable(from: examined.starts).subtracting(leading).sorted().filter { !machine.states[$0].isRoot }
  }

  private static func withoutAnyGoal(_ machine: Machine) -> Diagnostic {
    Diagnostic(
      code: "no-way-to-goal", message: "the flow has neither a goal nor an end",
      labels: machine.states.prefix(1).map { Diagnostic.Label(site: $0.site, text: "a run cannot succeed") },
      help: "mark the state that the flow is for with \"goal\": true")
  }
}

extension StateGraph {
  /// Of these states, in order, those that no other leads to; of those that lead to one another the first.
  fileprivate func heads(of states: [Int]) -> [Int] {
    func uncovered(_ states: some Sequence<Int>) -> [Int] {
      var covered: Set<Int> = []
      return states.filter { index in
        if covered.contains(index) { return false }
        reach(from: [index], &covered)
        return true
      }
    }
    // Forwards a state that only a later one leads to is kept; backwards the later one covers it.
    return uncovered(uncovered(states).reversed()).reversed()
  }
}

extension Examined {
  /// Reached states that wait with nothing that leads out: neither goal nor rest, no transition of their own, of what
  /// encloses or of what calls them.
  fileprivate var withoutWayOut: [Int] {
    let graph = StateGraph(machine)
    let reached = graph.reachable(from: starts)
    return machine.states.indices.filter { index in
      let state = machine.states[index]
      guard case .none = state.activity, reached.contains(index), !state.isRoot else { return false }
      return !state.isGoal && !state.isRest && !state.ends && graph.successors[index].isEmpty && !servesEnd(index)
    }
  }

  /// Whether what encloses a state can end the flow.
  private func servesEnd(_ index: Int) -> Bool {
    var parent = machine.states[index].parent
    while let index = parent {
      if machine.states[index].ends { return true }
      parent = machine.states[index].parent
    }
    return false
  }
}

extension Examined {
  /// States that nothing enters, but for those inside one, and in a sub-flow that nothing calls.
  fileprivate func unreached(_ graph: StateGraph) -> [Int] {
    let reached = graph.reachable(from: starts)
    return machine.states.indices.filter { index in
      let state = machine.states[index]
      guard !reached.contains(index), let parent = state.parent else { return false }
      let isInside = !reached.contains(parent) && machine.states[parent].parent != nil
      let isUncalled = state.routine > 0 && !reached.contains(machine.routines[state.routine].root)
      return !isInside && !isUncalled
    }
  }
}
