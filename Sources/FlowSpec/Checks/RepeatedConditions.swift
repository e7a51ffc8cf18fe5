import Expressions

extension Check {
  /// Transitions that are never taken, as one before them asks for the same or for a part of it:
  /// `response.status == 400 && …` behind `response.status == 400`.
  static let repeatedConditions: @Sendable (Examined) -> [Diagnostic] = { examined in
    let routes = examined.model.map { $0.routes.map(\.next) } ?? []
    return (routes + examined.machine.states.flatMap { [$0.next] + $0.on.map(\.transitions) }).flatMap(\.repeated)
  }
}

extension [Transition] {
  /// Against so many before it each is held.
  private static let mostBefore = 100

  fileprivate var repeated: [Diagnostic] {
    let conditions = compactMap { transition -> (demand: Demand, site: Site)? in
      guard !transition.isSometimes, let when = transition.when, let site = when.expressions.first?.site else {
        return nil
      }
      return (when.demand(), site)
    }
    return conditions.indices.compactMap { index -> Diagnostic? in
      let (demand, site) = conditions[index]
      guard let first = conditions[..<index].suffix(Self.mostBefore).first(where: { $0.demand.holds(where: demand) })
      else { return nil }
      let isSame = demand.holds(where: first.demand)
      return Diagnostic(
        "unreachable-transition", severity: .warning,
        isSame
          ? "an earlier transition has the same condition, and is taken"
          : "an earlier transition holds wherever this one would, and is taken", at: site, "never taken",
        help: isSame ? "remove one of them, or ask for something else" : "put this one before it",
        related: (first.site, isSame ? "the first" : "holds there, too"))
    }
  }
}

extension Condition {
  /// What it asks for, to be held against what others do.
  func demand(isNegated: Bool = false) -> Demand {
    switch self {
    case .expression(let placed): Demand(placed.expression, isNegated: isNegated)
    case .not(let inner): inner.demand(isNegated: !isNegated)
    case .all(let parts), .any(let parts):
      switch (self, isNegated) {
      case (.all, false), (.any, true): .all(parts.map { $0.demand(isNegated: isNegated) })
      default: .any(parts.map { $0.demand(isNegated: isNegated) })
      }
    }
  }
}
