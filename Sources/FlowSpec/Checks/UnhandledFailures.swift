import Expressions

extension Check {
  /// Failures of the device after which the app goes on as if it had done what was asked: as far as `result.failure`
  /// decides, the same transition is surely taken then.
  ///
  /// A failure that a condition names is meant so, and one that is handed on is told from success later.
  static let unhandledFailures: @Sendable (Examined) -> [Diagnostic] = { examined in
    lazy var scope = examined.scopeOfFailures
    return examined.machine.states.compactMap { state -> Diagnostic? in
      guard case .perform(let spec) = state.activity, let capability = examined.flow?.capabilities[spec.capability],
        !capability.failures.isEmpty
      else { return nil }
      let choices = state.next.map { FailureChoice($0, in: scope) }
      let alike = capability.failures.compactMap { failure -> (failure: String, taken: Transition)? in
        guard let taken = choices.takingAlike(failure), !taken.handsOnFailure else { return nil }
        return (failure, taken)
      }
      guard let first = alike.first else { return nil }
      let names = alike.map { "\"\($0.failure)\"" }.joined(separator: " or ")
      return Diagnostic(
        "unhandled-failure", severity: .remark,
        "\"\(capability.name)\" may fail with \(names), and the app goes on as if it had not",
        at: state.site, "does not tell it from success",
        help: "begin \"next\" with a transition that has \"when\": \"\(condition(alike.map(\.failure)))\"",
        related: (first.taken.siteOfChoice, "is taken then, too"))
    }
  }

  /// Holds where the device has failed in one of these ways.
  private static func condition(_ failures: [String]) -> String {
    let words = failures.map { "'\($0.replacing("'", with: "\\\\'"))'" }.joined(separator: ", ")
    return failures.count == 1 ? "result.failure == \(words)" : "result.failure in [\(words)]"
  }
}

extension Examined {
  /// Where `result.failure` is known and nothing else, but what is made of it.
  fileprivate var scopeOfFailures: Scope { scope(of: "result", at: .result, [("failure", .string)]) }
}

/// A transition behind what the device has done, and what its condition makes of a failure.
private struct FailureChoice {
  let transition: Transition
  /// `nil` where it holds whatever comes.
  let condition: PartialCondition?
  let readsResult: Bool
  /// What its condition writes out.
  let named: Set<String>

  init(_ transition: Transition, in scope: @autoclosure () -> Scope) {
    let facts = transition.when?.expressions.map(\.expression.facts) ?? []
    self.transition = transition
    condition = transition.when.map { PartialCondition($0, in: scope()) }
    readsResult = facts.flatMap(\.references).contains { $0.first == "result" }
    named = Set(
      facts.flatMap(\.written).filter { $0.handedOn.contains("result.failure") }.flatMap(\.value.words))
  }

  /// With `nil` where the device has done what was asked.
  func holds(for failure: String?) -> Bool? {
    condition?.holds(in: Frame(knowing: [failure.map(Value.string) ?? .null], of: .result))
  }
}

extension [FailureChoice] {
  /// The transition that is taken where the device fails so just as where it does not; `nil` where something may tell these
  /// apart.
  fileprivate func takingAlike(_ failure: String) -> Transition? {
    for choice in self {
      if choice.condition == nil { return choice.transition }
      if choice.named.contains(failure) { return nil }
      // What it reads is the same for both.
      if !choice.readsResult { continue }
      guard let holds = choice.holds(for: failure), holds == choice.holds(for: nil) else { return nil }
      if holds { return choice.transition }
    }
    return nil
  }
}

extension Transition {
  /// Whether what it does reads the failure.
  fileprivate var handsOnFailure: Bool {
    actions.handedOn.contains { $0.facts.references.contains(["result", "failure"]) }
  }
}
