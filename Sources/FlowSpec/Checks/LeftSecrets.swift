import Expressions

extension Check {
  /// Secrets of a group of the store that a `clear` leaves there, though nothing reads or clears them from then on before
  /// they are set anew: who signs out clears all that belongs together.
  ///
  /// What a sub-flow leaves, who calls it may use.
  static let leftSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    guard examined.model == nil, let root = machine.routines.first?.root else { return [] }
    var told: Set<Site> = []
    var left = mostLooks
    return machine.states.indices.filter { machine.states[$0].routine == 0 }.flatMap { index in
      let state = machine.states[index]
      let lists = [(state.entry, index)] + state.transitions.map { ($0.actions, $0.target.state ?? index) }
      return lists.compactMap { actions, target -> Diagnostic? in
        guard let clearing = PartialClear(actions, of: machine), !told.contains(clearing.site) else { return nil }
        for key in clearing.left where left > 0 {
          left -= 1
          if examined.uses(key, behind: clearing, from: [target, root]) { continue }
          told.insert(clearing.site)
          return leftSecret(machine.store[key], by: clearing)
        }
        return nil
      }
    }
  }

  /// Each goes through all of the flow.
  private static let mostLooks = 200

  private static func leftSecret(_ key: Key, by clearing: PartialClear) -> Diagnostic {
    let group = key.groups.first(where: clearing.groups.contains) ?? ""
    return Diagnostic(
      "split-group", severity: .warning,
      "this clears a part of the group \"\(group)\" and leaves the secret \"\(key.name)\", which nothing reads before it "
        + "is set again",
      at: clearing.site, "leaves \"\(key.name)\"", help: "clear \"\(group)\"")
  }
}

/// A list of actions that clears some keys of a group and leaves secret ones of it.
private struct PartialClear {
  /// Where the first of them is named.
  let site: Site
  /// Names of what it clears.
  let cleared: Set<String>
  let groups: Set<String>
  /// Indices into `Machine.store`.
  let left: [Int]

  init?(_ actions: [Action], of machine: Machine) {
    let places = actions.flatMap(\.cleared).filter { $0.isDurable && !$0.isOfTable }
    guard let first = places.first else { return nil }
    let keys = places.map(\.declared)
    let (cleared, groups) = (Set(keys.map(\.name)), Set(keys.flatMap(\.groups)))
    let kept = cleared.union(actions.flatMap(\.assignments).map(\.place.declared.name))
    left = machine.store.indices.filter { index in
      let key = machine.store[index]
      return !key.isTable && key.keeping.field.secret != nil && !groups.isDisjoint(with: key.groups)
        && !kept.contains(key.name)
    }
    if left.isEmpty { return nil }
    (site, self.cleared, self.groups) = (first.site, cleared, groups)
  }
}

extension Examined {
  /// Whether something reads or clears a key that may come at some time behind a list that clears others, before the key is
  /// set; so where those others are set without it.
  fileprivate func uses(_ key: Int, behind clearing: PartialClear, from starts: [Int]) -> Bool {
    let name = machine.store[key].name
    func isFollowed(_ transition: Transition) -> Bool {
      if transition.actions.set(name) { return false }
      return transition.when.map { FailureTable.surelyFails($0, without: clearing.cleared, of: machine) } != true
    }
    let reached = StateGraph(machine, by: isFollowed).reachable(from: starts)
    let states = machine.states.indices.filter { reached[$0] }.map { machine.states[$0] }
    for actions in states.map(\.entry) + states.flatMap(\.transitions).map(\.actions) {
      if actions.emptied.contains(where: { $0.isDurable && $0.key == key }) { return true }
      if !actions.set(name), clearing.cleared.contains(where: actions.set) { return true }
    }
    let others = machine.states.indices.filter { !reached[$0] && machine.states[$0].start == nil }
    let sites = others.map { machine.states[$0].extent } + [document["let"]?.site].compactMap(\.self)
    return expressions.contains { placed in
      placed.expression.facts.references.contains { $0.prefix(2) == ["store", name] }
        && !sites.contains { $0.encloses(placed.site) }
    }
  }
}

extension [Action] {
  /// Whether they give a key of the store something.
  fileprivate func set(_ name: String) -> Bool {
    flatMap(\.assignments).contains {
      $0.place.isDurable && $0.place.declared.name == name && !$0.value.isNothing
    }
  }
}

extension Transition.Target {
  fileprivate var state: Int? { if case .state(let state) = self { state } else { nil } }
}
