import Expressions

extension Check {
  /// Failures of the device after which the app goes on as if it had done what was asked.
  ///
  /// Nothing is said where a condition on the result is another than `result.failure == 'NAME'`, or where the failure is
  /// read elsewhere.
  static let unhandledFailures: @Sendable (Examined) -> [Diagnostic] = { examined in
    let asked = examined.machine.states.compactMap { state -> (State, Capability, [PlacedExpression])? in
      guard case .perform(let spec) = state.activity, let capability = examined.flow?.capabilities[spec.capability]
      else { return nil }
      return (state, capability, state.next.compactMap(\.when).flatMap(\.expressions))
    }
    if asked.isEmpty { return [] }
    let sites = asked.flatMap(\.2).map(\.site)
    let isReadElsewhere = examined.expressions.contains { noted in
      noted.expression.readings.contains { $0.name == "result.failure" } && !sites.contains(noted.site)
    }
    if isReadElsewhere { return [] }
    return asked.compactMap { state, capability, conditions in
      let asking = conditions.map(\.expression).filter { $0.readings.contains { $0.name.hasPrefix("result.") } }
        .map(\.source)
      let questions = capability.failures.map { "result.failure == '\($0)'" }
      guard asking.allSatisfy(questions.contains), let index = questions.firstIndex(where: { !asking.contains($0) })
      else { return nil }
      return Diagnostic(
        "unhandled-failure", severity: .remark,
        "\"\(capability.name)\" may fail with \"\(capability.failures[index])\", and the app goes on as if it had not",
        at: state.site, "no condition asks for it",
        help: "begin \"next\" with a transition that has \"when\": \"\(questions[index])\"")
    }
  }
}
