extension Check {
  /// States that nothing enters; those that only these lead to are not said again.
  static let unreachableStates: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let paths = examined.paths else { return [] }
    var reached = paths.reached
    paths.graph.reach(from: examined.machine.uncalledRoots, &reached)
    return paths.graph.heads(of: examined.unreached(reached)).map { index in
      let state = examined.machine.states[index]
      return Diagnostic(
        "unreachable-state", "nothing enters the state \"\(state.name)\"", at: state.site, "no transition leads here",
        help: "add a transition with \"goto\": \"\(state.name)\", or remove the state"
          + unfinished("unreachable-state"))
    }
  }

  /// States in which a run would wait for ever.
  static let statesWithoutWayOut: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return deadEnds(of: examined) }
    return (examined.paths?.withoutWayOut ?? []).map { index in
      let state = examined.machine.states[index]
      return Diagnostic(
        "no-way-out", "\"\(state.name)\" waits, and nothing leads out of it", at: state.site, "waits for ever",
        help: "add \"on\" or \"after\"; a state to rest in is \"rest\": true, one to reach is \"goal\": true"
          + unfinished("no-way-out"))
    }
  }

  /// A service's state that neither decides nor asks: the exchange would get no answer.
  private static func deadEnds(of examined: Examined) -> [Diagnostic] {
    examined.machine.states.filter { state in
      if case .none = state.activity { !state.isRoot && state.next.isEmpty } else { false }
    }.map { state in
      Diagnostic(
        "no-way-out", "\"\(state.name)\" never answers the request", at: state.site, "has no \"next\"",
        help: "add \"next\" with a \"reply\"")
    }
  }

  /// States from which neither a goal nor an end can be reached.
  static let statesWithoutGoal: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    guard machine.states.contains(where: \.isGoal) || !machine.routines[0].ends.isEmpty else {
      return [
        Diagnostic(
          code: "no-way-to-goal", message: "the flow has neither a goal nor an end",
          labels: machine.states.prefix(1).map { Diagnostic.Label(site: $0.site, text: "a run cannot succeed") },
          help: "mark the state that the flow is for with \"goal\": true\(unfinished("no-way-to-goal"))")
      ]
    }
    guard let lost = examined.paths?.lost, let first = lost.first else { return [] }
    let others = lost.dropFirst().prefix(3).map {
      Diagnostic.Label(site: machine.states[$0].site, text: "nor from here")
    }
    return [
      Diagnostic(
        code: "no-way-to-goal",
        message: "from \"\(machine.states[first].name)\" neither a goal nor an end can be reached",
        labels: [Diagnostic.Label(site: machine.states[first].site, text: "leads to no goal")] + others,
        help: "add a transition that leads on, or mark what the flow is for with \"goal\": true"
          + unfinished("no-way-to-goal"))
    ]
  }

  /// How it is run and drawn until then.
  private static func unfinished(_ code: String) -> String {
    "; as long as it is unfinished, \"despite\": {\"\(code)\": \"why\"} at the top of the document lets it run"
  }
}

extension StateGraph {
  /// Of these states, in order, those that no other leads to; of those that lead to one another the first.
  fileprivate func heads(of states: [Int]) -> [Int] {
    func uncovered(_ states: some Sequence<Int>) -> [Int] {
      var covered = Array(repeating: false, count: machine.states.count)
      return states.filter { index in
        if covered[index] { return false }
        reach(from: [index], &covered)
        return true
      }
    }
    // Forwards a state that only a later one leads to is kept; backwards the later one covers it.
    return uncovered(uncovered(states).reversed()).reversed()
  }
}

extension Machine {
  /// For each state whether something leads to it; a sub-flow that nothing calls counts as one that is entered.
  package func mayEnter(from routes: [Transition]) -> [Bool] {
    StateGraph(self).reachable(from: uncalledRoots + StateGraph.targets(of: routes))
  }

  /// Where the flow itself and sub-flows that nothing calls begin.
  fileprivate var uncalledRoots: [Int] {
    let called = Set(states.flatMap(\.calls))
    return routines.indices.filter { !called.contains($0) }.map { routines[$0].root }
  }
}

extension Examined {
  /// States that nothing enters, but for those inside one, and in a sub-flow that nothing calls.
  fileprivate func unreached(_ reached: [Bool]) -> [Int] {
    machine.states.indices.filter { index in
      guard !reached[index], let parent = machine.states[index].parent else { return false }
      let isInside = !reached[parent] && machine.states[parent].parent != nil
      let routine = machine.states[index].routine
      let isUncalled = routine > 0 && !reached[machine.routines[routine].root]
      return !isInside && !isUncalled
    }
  }
}
