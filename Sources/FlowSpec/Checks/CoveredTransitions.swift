import Expressions

extension Check {
  /// Transitions behind an answer that are never taken, as earlier ones hold for every status and failure that they hold
  /// for: 423 behind 400 and more.
  ///
  /// Nothing is said of conditions that look at more than these.
  static let coveredTransitions: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.machine.states.flatMap { state -> [Diagnostic] in
      let conditions = state.next.compactMap { transition -> StatusCondition? in
        transition.isSometimes ? nil : transition.when.flatMap { StatusCondition($0) }
      }
      guard conditions.count > 1 else { return [] }
      let bounds = Set(conditions.flatMap(\.bounds))
      let statuses = Set(bounds.flatMap { [$0 - 1, $0, $0 + 1] } + [100, 599]).filter { (100..<600).contains($0) }
      let answers =
        statuses.sorted().map { (status: $0, failure: String?.none) }
        + FailureTable.failures.map { (status: 0, failure: $0) }
      var taken: Set<Int> = []
      return conditions.compactMap { condition -> Diagnostic? in
        let holds = answers.indices.filter { condition.holds(for: answers[$0].status, answers[$0].failure) }
        defer { taken.formUnion(holds) }
        guard !holds.isEmpty, taken.isSuperset(of: holds) else { return nil }
        return Diagnostic(
          "unreachable-transition", severity: .warning, "earlier transitions take every answer that this one asks for",
          at: condition.site, "never taken", help: "put it before them, or let it ask for something else")
      }
    }
  }
}

/// A condition that looks at nothing but status and failure of an answer.
private struct StatusCondition {
  private let table: FailureTable
  /// The numbers at which it may come out otherwise.
  let bounds: [Int64]
  let site: Site

  init?(_ condition: Condition) {
    let mentions = condition.mentions(of: "status").map(\.comparison)
    let readsStatus = condition.expressions.contains {
      $0.expression.facts.references.contains(["response", "status"])
    }
    guard let table = FailureTable(condition), table.isOfStatus, mentions.isEmpty != readsStatus,
      mentions.allSatisfy({ !$0.bounds.isEmpty }), let site = condition.expressions.first?.site
    else { return nil }
    (self.table, bounds, self.site) = (table, mentions.flatMap(\.bounds), site)
  }

  func holds(for status: Int64, _ failure: String?) -> Bool { (try? table.holds(status: status, failure)) == true }
}
