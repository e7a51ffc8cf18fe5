extension Loading {
  /// Warnings for the steps of `source` that neither the flow, its models nor any of these scenarios carries as `ref`.
  ///
  /// Not part of loading a flow, since scenarios carry refs too.
  package static func unusedRefs(of flow: Flow, scenarios: [Scenario]) -> [Diagnostic] {
    let carried = scenarios.reduce(into: flow.carriedRefs) { $0.formUnion($1.refs) }
    var findings = Findings()
    for step in flow.steps where !carried.contains(step.id) {
      let place = flow.namedRefs[step.id]
      findings.add(
        Diagnostic(
          "unused-ref", severity: .warning, "nothing carries the step \"\(step.id)\" of \"source\"", at: step.site,
          place == nil ? "no \"ref\" names it" : "no trace shows what it is named on",
          help: place == nil
            ? "add \"ref\": \"\(step.id)\" to what implements the step"
            : "put it on the state, transition, action or reply that implements the step",
          related: place.map { ($0, "named here") }))
    }
    return findings.diagnostics
  }
}
