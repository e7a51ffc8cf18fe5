extension Check {
  /// Sub-flows that call themselves, directly or through others.
  static let recursiveFlows: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    var calls = Array(repeating: Set<Int>(), count: machine.routines.count)
    for state in machine.states { calls[state.routine].formUnion(state.calls) }
    return machine.routines.indices.compactMap { routine in
      guard let circle = circle(through: routine, in: calls.map { $0.sorted() }), circle.min() == routine else {
        return nil
      }
      let names = (circle + [routine]).map { machine.routines[$0].name }
      let site = machine.states[machine.routines[routine].root].site
      return Diagnostic(
        code: "recursive-flow", message: "the sub-flow \"\(names[0])\" calls itself",
        labels: [Diagnostic.Label(site: site, text: "comes back here")], help: names.joined(separator: " → "))
    }
  }

  /// Circles of requests and decisions: without a network they would go round in no time.
  static let loopsWithoutWait: @Sendable (Examined) -> [Diagnostic] = { examined in
    let (machine, graph) = (examined.machine, StateGraph(examined.machine))
    let successors = machine.states.indices.map { index -> [Int] in
      guard machine.states[index].passesAtOnce else { return [] }
      return StateGraph.targets(of: machine.states[index].next).map(graph.leaf)
    }
    // A circle that leads nowhere has been reported as that.
    var reported = Set(lostStates(of: examined))
    return machine.states.indices.compactMap { index in
      guard !reported.contains(index), let circle = circle(through: index, in: successors) else { return nil }
      reported.formUnion(circle)
      let names = (circle + [index]).map { machine.states[$0].name }
      return Diagnostic(
        code: "loop-without-wait", severity: .warning,
        message: "a circle of requests and decisions has neither an event nor \"after\"",
        labels: [Diagnostic.Label(site: machine.states[index].site, text: "comes back here")],
        help: "\(names.joined(separator: " → ")): when a peer is unreachable this takes no time")
    }
  }

  /// The shortest way from a node back to itself, beginning with it.
  private static func circle(through start: Int, in successors: [[Int]]) -> [Int]? {
    var ways = successors[start].map { [start, $0] }
    var seen: Set<Int> = []
    while !ways.isEmpty {
      var longer: [[Int]] = []
      for way in ways {
        guard let last = way.last else { continue }
        if last == start { return way.dropLast() }
        guard seen.insert(last).inserted else { continue }
        longer += successors[last].map { way + [$0] }
      }
      ways = longer
    }
    return nil
  }
}

extension State {
  /// Whether it may be left at once: a request, a call or a decision, with no event or time of its own.
  fileprivate var passesAtOnce: Bool {
    guard on.isEmpty, after.isEmpty else { return false }
    switch activity {
    case .none, .request, .call: return true
    default: return false
    }
  }
}
