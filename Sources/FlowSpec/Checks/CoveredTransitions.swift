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
      let answers = StatusCondition.answers(around: conditions.flatMap(\.bounds))
      var taken: Set<Int> = []
      return conditions.indices.compactMap { index -> Diagnostic? in
        let condition = conditions[index]
        let holds = answers.indices.filter { condition.holds(for: answers[$0]) }
        defer { taken.formUnion(holds) }
        guard !holds.isEmpty, taken.isSuperset(of: holds), condition.leavesNothing(to: conditions[..<index]) else {
          return nil
        }
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
    let readsStatus = condition.expressions.contains(where: \.readsStatus)
    guard let table = FailureTable(condition), table.isOfStatus, mentions.isEmpty != readsStatus,
      mentions.allSatisfy({ !$0.bounds.isEmpty }), let site = condition.expressions.first?.site
    else { return nil }
    (self.table, bounds, self.site) = (table, mentions.flatMap(\.bounds), site)
  }

  /// What is there behind a request: a status, or none and a failure.
  typealias Answer = (status: Int64, failure: String?)

  /// The answers at which conditions with these numbers may come out otherwise.
  static func answers(around bounds: [Int64]) -> [Answer] {
    var statuses: Set<Int64> = [100, 599]
    for bound in bounds where (99...600).contains(bound) { statuses.formUnion([bound - 1, bound, bound + 1]) }
    return statuses.sorted().filter { (100..<600).contains($0) }.map { ($0, nil) } + failures
  }

  private static let failures: [Answer] = FailureTable.failures.map { (0, $0) }

  func holds(for answer: Answer) -> Bool { (try? table.holds(status: answer.status, answer.failure)) == true }

  /// Whether it holds for no answer at all that none of the others holds for: statuses may be looked at otherwise than by
  /// comparisons.
  func leavesNothing(to others: ArraySlice<StatusCondition>) -> Bool {
    let all = (100..<600).map { (status: Int64($0), failure: String?.none) } + Self.failures
    return all.allSatisfy { answer in !holds(for: answer) || others.contains { $0.holds(for: answer) } }
  }
}
