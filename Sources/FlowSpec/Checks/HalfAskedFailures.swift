import Expressions

extension Check {
  /// Conditions that ask for one failure, and by the status hold for the other one too: who asks for a lost answer has
  /// not asked for a server that cannot be reached.
  static let halfAskedFailures: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.machine.states.flatMap { state in
      guard state.next.contains(where: { $0.when?.mentionsFailure == true }) else { return [Diagnostic]() }
      // What an earlier transition takes does not come to a later one.
      var left = Set(FailureTable.failures)
      return state.next.compactMap { transition -> Diagnostic? in
        guard let condition = transition.when else { return nil }
        guard let table = FailureTable(condition) else {
          if condition.mentionsFailure { left = [] }
          return nil
        }
        defer { left.subtract(FailureTable.failures.filter(table.holds)) }
        guard condition.mentionsFailure, let site = condition.expressions.first?.site,
          let failure = FailureTable.failures.first(where: { left.contains($0) && table.holdsUnasked(for: $0) })
        else { return nil }
        return Diagnostic(
          "status-without-failure", severity: .warning,
          "\"response.status\" is 0 when no answer came, and this holds for it where response.failure is '\(failure)'",
          at: site, "asks for another failure, or for none",
          help:
            "add a lower bound such as response.status >= 200, or ask for all of them: response.failure != null || …")
      }
    }
  }
}
