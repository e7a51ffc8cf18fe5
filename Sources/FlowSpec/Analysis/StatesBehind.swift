extension ServiceModel {
  /// With which a route may answer, or a state to which it leads.
  func replies(of route: Route) -> [Reply] {
    let states = graph?.active(from: starts(of: route)).sorted() ?? []
    return (ownTransitions(of: route) + states.flatMap { machine.states[$0].transitions }).replies
  }

  /// Its own, and those of every route.
  func ownTransitions(of route: Route) -> [Transition] { route.next + sometimes }

  fileprivate func starts(of route: Route) -> Set<Int> {
    Set(StateGraph.targets(of: ownTransitions(of: route)))
  }
}

/// The states of models that may answer for their routes, found once for all routes that lead to the same.
struct StatesBehind {
  private struct Lead: Hashable {
    let model: ObjectIdentifier
    let starts: Set<Int>
  }
  private var known: [Lead: [Int]] = [:]
  /// How many may yet be gone through; then all states of a model count as those behind a route.
  private var left = 200_000

  /// The indices of those behind a route, in order; `nil` for all of its model.
  mutating func states(behind route: Route, in model: ServiceModel) -> [Int]? {
    let starts = model.starts(of: route)
    guard let graph = model.graph, !starts.isEmpty else { return [] }
    let lead = Lead(model: ObjectIdentifier(model), starts: starts)
    if let found = known[lead] { return found }
    guard left > 0 else { return nil }
    let found = graph.active(from: starts).sorted()
    left -= found.count
    known[lead] = found
    return found
  }
}
