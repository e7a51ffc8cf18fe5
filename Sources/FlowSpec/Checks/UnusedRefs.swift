extension Loading {
  /// Warnings for the steps of `source` that neither the flow, its models nor any of these scenarios carries as `ref`.
  ///
  /// Not part of loading a flow, since scenarios carry refs too.
  package static func unusedRefs(of flow: Flow, scenarios: [Scenario]) -> [Diagnostic] {
    let carried = scenarios.reduce(into: flow.carriedRefs) { $0.formUnion($1.refs) }
    var findings = Findings()
    for step in flow.steps where !carried.contains(step.id) {
      let place = flow.namedRefs[step.id]
      let own = "\"\(flow.name)#\(step.id)\""
      let isOthers = place.map { $0.document != flow.document && !$0.document.bytes[$0.range].elementsEqual(own.utf8) }
      let help =
        switch isOthers {
        case nil: "add \"ref\": \"\(step.id)\" to what implements the step"
        case true?: "did you mean \(own) there?"
        case false?: "put it on the state, transition, action or reply that implements the step"
        }
      findings.add(
        Diagnostic(
          "unused-ref", severity: .warning, "nothing carries the step \"\(step.id)\" of \"source\"", at: step.site,
          isOthers == false ? "no trace shows what it is named on" : "no \"ref\" names it", help: help,
          related: place.map { ($0, isOthers == true ? "names another flow" : "named here") }))
    }
    return findings.diagnostics
  }
}
