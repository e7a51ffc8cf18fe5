import Expressions

extension Check {
  /// Keys that are cleared before a list of actions with a name that reads them, in one and the same list.
  ///
  /// What a list clears and reads without such a name is told where it is read.
  static let clearedInLists: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    let lists =
      machine.states.map { ($0.extent, $0.entry) } + examined.transitions.map { ($0.site, $0.actions) }
      + machine.requests.compactMap { request in request.retry.map { (request.site, $0.actions) } }
    return lists.flatMap { extent, actions in
      var cleared = EmptiedKeys()
      return actions.compactMap { action -> Diagnostic? in
        defer { cleared = cleared.behind(action) }
        // What stands in this very place is told there.
        if extent.encloses(action.site) { return nil }
        return action.written.lazy.compactMap { readNull($0, cleared) }.first
      }
    }
  }

  private static func readNull(_ placed: PlacedTemplate, _ cleared: EmptiedKeys) -> Diagnostic? {
    let found = placed.template.expressions.lazy.compactMap { cleared.first(in: $0) }.first
    return found.map { name, site in
      Diagnostic(
        "may-be-null", severity: .warning, "\(name) is cleared before what stands behind this reads it", at: site,
        "is null from here on", help: "let this stand behind the list that reads it", related: (placed.site, "reads it")
      )
    }
  }
}
