import Expressions

extension Check {
  /// Failures of the device after which the app goes on as if it had done what was asked.
  ///
  /// Only conditions that ask for nothing but `result.failure == 'NAME'` are understood, and none where the failure is
  /// read elsewhere too.
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
      let sources = asking.map(\.source)
      guard asking.allSatisfy(\.lets.isEmpty),
        sources.allSatisfy({ $0.ranges(of: "result.").count == $0.ranges(of: "result.failure == '").count }),
        let failure = capability.failures.first(where: { failure in
          !sources.contains { $0.contains("result.failure == '\(failure)'") }
        })
      else { return nil }
      return Diagnostic(
        "unhandled-failure", severity: .remark,
        "\"\(capability.name)\" may fail with \"\(failure)\", and the app goes on as if it had not",
        at: state.site, "no condition asks for it",
        help: "begin \"next\" with a transition that has \"when\": \"result.failure == '\(failure)'\"")
    }
  }
}
