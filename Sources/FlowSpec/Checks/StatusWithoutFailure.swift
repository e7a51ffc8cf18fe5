import Expressions

extension Check {
  /// Conditions that take a request without an answer, whose status is 0, for one with an answer.
  static let statusWithoutFailure: @Sendable (Examined) -> [Diagnostic] = { examined in
    lazy var scope = examined.scopeOfStatuses
    let decisions = examined.machine.states.flatMap { state -> [Condition] in
      var left = Set(FailureTable.failures)
      var earlier = state.next[...]
      return state.next.indices.compactMap { index -> Condition? in
        guard let condition = state.next[index].when else { return nil }
        var outcomes = FailureOutcomes(of: condition, in: scope)
        guard condition.holdsUnasked(&outcomes) else { return nil }
        // What earlier transitions take does not come to a later one.
        while !left.isEmpty, let first = earlier.first, earlier.startIndex < index {
          earlier = earlier.dropFirst()
          guard !first.isSometimes, let when = first.when else { continue }
          var outcomes = FailureOutcomes(of: when, in: scope)
          left.subtract(FailureTable.failures.filter { outcomes[$0] == true })
        }
        return left.isEmpty ? nil : condition
      }
    }
    let retries = examined.machine.requests.compactMap(\.retry?.when).filter { condition in
      var outcomes = FailureOutcomes(of: condition, in: scope)
      return condition.holdsUnasked(&outcomes)
    }
    return (decisions + retries).flatMap { condition -> [Diagnostic] in
      guard let reading = condition.expressions.first(where: \.readsStatus) else { return [] }
      let mentions = condition.mentions(of: "status")
      let remedy = condition.remedy(for: mentions.map(\.comparison))
      let told = mentions.filter { mention in
        mention.comparison.holds(for: 0) && (100..<600).contains { mention.comparison.holds(for: $0) }
      }
      if told.isEmpty { return [missingFailure(at: reading.site, remedy: remedy)] }
      return told.map { comparison, site in
        let line = comparison.definition.flatMap { examined.machine.definitions[$0] } ?? site
        let place = line.inside(comparison.range)
        return missingFailure(
          comparison, at: comparison.isTurned ? site : place, remedy: remedy,
          related: comparison.isTurned ? (place, "is negated there") : nil)
      }
    }
  }

  private static func missingFailure(
    _ comparison: Comparison? = nil, at site: Site, remedy: String?, related: (Site, String)? = nil
  ) -> Diagnostic {
    let remedy =
      comparison?.isNegated == true
      ? "add response.failure == null outside of what is negated: inside it would turn into its opposite"
      : remedy ?? "add response.failure == null, or a lower bound such as response.status >= 200"
    return Diagnostic(
      "status-without-failure",
      "\"response.status\" is 0 when no answer came, and \(comparison?.title ?? "this condition") holds for it",
      at: site, "also holds without an answer",
      help: "\(remedy); where no answer is meant too, say so with response.failure != null ||", related: related)
  }
}

extension Condition {
  /// What makes it hold for no request without an answer; `nil` where each of its comparisons can do that by itself.
  fileprivate func remedy(for comparisons: [Comparison]) -> String? {
    // What excludes it in one part holds by another: no bound there helps.
    if !comparisons.isEmpty, comparisons.allSatisfy({ $0.holds(for: 0) }) { return nil }
    if case .expression = self { return "write response.failure == null && (…) around all of it" }
    return "put it into {\"all\": [\"response.failure == null\", …]}"
  }
}

/// What a condition comes to without an answer, whatever else is so; it is compiled only if that has to be known.
private struct FailureOutcomes {
  private let condition: Condition
  private let scope: () -> Scope
  /// `nil` where it looks at more than an answer.
  let table: FailureTable?
  private lazy var partial = PartialCondition(condition, in: scope())

  init(of condition: Condition, in scope: @escaping @autoclosure () -> Scope) {
    (self.condition, self.scope, table) = (condition, scope, FailureTable(condition))
  }

  /// `nil` where what is unknown decides.
  subscript(failure: String) -> Bool? {
    mutating get {
      if let table { return try? table.holds(status: 0, failure) }
      guard condition.readsOutcome else { return nil }
      return partial.holds(for: 0, failure)
    }
  }

  /// Whether there is an answer for which it may hold.
  var mayHoldForAnAnswer: Bool {
    mutating get {
      if let table { return table.mayHoldForAnAnswer }
      return FailureTable.statuses.contains { partial.holds(for: $0) != false }
    }
  }
}

extension PlacedExpression {
  /// Whether it reads the status of an answer, itself or through a let.
  var readsStatus: Bool { expression.facts.references.contains(["response", "status"]) }
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

  /// Whether it holds without an answer as it does for some, and does not ask for that.
  fileprivate func holdsUnasked(_ outcomes: inout FailureOutcomes) -> Bool {
    guard expressions.contains(where: \.readsStatus) else { return false }
    let mentions = mentions(of: "status").map(\.comparison)
    if !mentions.isEmpty, !mentions.contains(where: { $0.holds(for: 0) }) { return false }
    // What holds for no status but 0 asks for just that.
    let asksForNone = mentions.contains { comparison in
      !comparison.isNegated && comparison.holds(for: 0)
        && (comparison.numbers.contains(0) || !(100..<600).contains { comparison.holds(for: $0) })
    }
    if asksForNone { return false }
    // What has to be in an answer for it to hold is in none that never came.
    if let table = outcomes.table {
      if table.asksForAnAnswer || !table.mayHoldForAnAnswer { return false }
      if !mentionsFailure { return true }
    } else if !mentionsFailure {
      // So it is by a comparison that holds for answers too; what asks for none otherwise is understood.
      let isLax = mentions.contains { comparison in
        comparison.holds(for: 0) && (100..<600).contains { comparison.holds(for: $0) }
      }
      guard isLax || !mentions.isEmpty && mentions.allSatisfy({ $0.holds(for: 0) }) else { return false }
      // What else it reads decides nothing where this is sure.
      let known = FailureTable.failures.map { outcomes[$0] }
      if known.allSatisfy({ $0 == false }) { return false }
      if known.contains(true) { return isLax && outcomes.mayHoldForAnAnswer }
    }
    return !mentions.isEmpty && mentions.allSatisfy { $0.holds(for: 0) } && !asksForFailure
  }

  /// Whether it asks for a failure otherwise than by an `== null` that is negated, and so holds without an answer.
  fileprivate var asksForFailure: Bool {
    let tests = mentions(of: "failure").map(\.comparison)
    if !tests.isEmpty, tests.allSatisfy({ $0.isNegated && $0.holds(for: 0) }) { return false }
    return mentionsFailure
  }

  /// Whether it reads whether an answer came, or its status.
  fileprivate var readsOutcome: Bool { mentionsFailure || expressions.contains(where: \.readsStatus) }

  /// Whether it reads the failure of an answer, however it does.
  var mentionsFailure: Bool {
    expressions.contains { $0.expression.facts.references.contains(["response", "failure"]) }
  }
}
