import Expressions

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

  /// Warnings for the refs of a service that name other flows than those that have it as a model, which are these.
  package static func strayRefs(of model: ServiceModel, flows: [String]) -> [Diagnostic] {
    var findings = Findings()
    for ref in model.otherRefs where !flows.contains(ref.flow) {
      let near = nearestName(to: ref.flow, among: flows)
      findings.warning(
        "unknown-ref",
        "\"ref\" names a step of \"\(ref.flow)\", and no flow that was checked has this model and is called so",
        at: ref.site, "no such flow",
        help: near.map { "did you mean \"\($0)\(ref.text.dropFirst(ref.flow.count))\"?" }
          ?? "the model is that of \(flows.listed), as far as was checked")
    }
    return findings.diagnostics
  }
}
