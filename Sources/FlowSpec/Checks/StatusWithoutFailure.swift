import Expressions

extension Check {
  /// Conditions that take a request without an answer, whose status is 0, for one with a good answer.
  static let statusWithoutFailure: @Sendable (Examined) -> [Diagnostic] = { examined in
    let retries = examined.machine.requests.compactMap(\.retry?.when)
    return (examined.transitions.compactMap(\.when) + retries).flatMap { condition -> [Diagnostic] in
      let mentions = condition.mentions(of: "status")
      // What holds for no status but 0 asks for just that.
      let excludesFailure = mentions.contains { !$0.comparison.holds(for: 0) }
      if excludesFailure || mentions.isEmpty || condition.asksForFailure { return [] }
      // What has to be in an answer for it to hold is in none that never came.
      if FailureTable(condition)?.asksForAnAnswer == true { return [] }
      return mentions.filter { mention in (100..<600).contains { mention.comparison.holds(for: $0) } }.map { mention in
        let (comparison, site) = mention
        let line = comparison.definition.flatMap { examined.machine.definitions[$0] } ?? site
        let place = line.inside(comparison.range)
        return Diagnostic(
          "status-without-failure",
          "\"response.status\" is 0 when no answer came, and \(comparison.title) holds for it",
          at: comparison.isTurned ? site : place, "also holds without an answer",
          help: (comparison.isNegated
            ? "add response.failure == null outside of what is negated: inside it would turn into its opposite"
            : "add response.failure == null, or a lower bound such as response.status >= 200")
            + "; where no answer is meant too, say so with response.failure != null ||",
          related: comparison.isTurned ? (place, "is negated there") : nil)
      }
    }
  }
}

extension Condition {
  /// What it compares a part of an answer with, and the line that does.
  func mentions(of part: String, isNegated: Bool = false) -> [(comparison: Comparison, site: Site)] {
    switch self {
    case .expression(let placed):
      placed.expression.facts.comparisons.filter { $0.path == ["response", part] }.map { comparison in
        var comparison = comparison
        if isNegated { comparison.isNegated.toggle() }
        return (comparison, placed.site)
      }
    case .all(let parts), .any(let parts): parts.flatMap { $0.mentions(of: part, isNegated: isNegated) }
    case .not(let inner): inner.mentions(of: part, isNegated: !isNegated)
    }
  }

  /// Whether it asks for a failure otherwise than by an `== null` that is negated, and so holds without an answer.
  fileprivate var asksForFailure: Bool {
    let tests = mentions(of: "failure").map(\.comparison)
    if !tests.isEmpty, tests.allSatisfy({ $0.isNegated && $0.holds(for: 0) }) { return false }
    return mentionsFailure
  }

  /// Whether it reads the failure of an answer, however it does.
  var mentionsFailure: Bool {
    expressions.contains { $0.expression.facts.references.contains(["response", "failure"]) }
  }
}
