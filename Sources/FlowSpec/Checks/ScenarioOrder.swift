import Expressions

extension Loading {
  /// What is wrong with how scenarios of one flow start from each other: a name that none has, a circle.
  package static func misorder(of scenarios: [Scenario]) -> [Diagnostic] {
    let names = scenarios.map(\.name)
    return scenarios.compactMap { scenario in
      guard let after = scenario.given.after, let site = scenario.given.afterSite else { return nil }
      if !names.contains(after) { return .unknownScenario(after, at: site, among: names) }
      return circle(from: scenario, among: scenarios).map { .scenarioCircle($0, at: site) }
    }
  }

  /// The names from a scenario back to itself; `nil` when it starts from no circle of which it is part.
  private static func circle(from scenario: Scenario, among scenarios: [Scenario]) -> [String]? {
    var chain = [scenario.name]
    var current = scenario
    while let after = current.given.after, let earlier = scenarios.first(where: { $0.name == after }) {
      if after == scenario.name { return chain + [after] }
      if chain.contains(after) { return nil }
      chain.append(after)
      current = earlier
    }
    return nil
  }
}

extension Diagnostic {
  /// `given.after` names a scenario that the flow does not have.
  package static func unknownScenario(_ name: String, at site: Site, among names: [String]) -> Diagnostic {
    Diagnostic(
      code: "unknown-scenario", message: "\"after\" names scenario \"\(name)\", which this flow does not have",
      labels: [Label(site: site, text: "no scenario has this name")],
      help: nearestName(to: name, among: names).map { "did you mean \"\($0)\"?" })
  }

  /// Scenarios that start from each other.
  package static func scenarioCircle(_ names: [String], at site: Site) -> Diagnostic {
    Diagnostic(
      code: "scenario-circle",
      message: "scenarios start from each other in a circle: \(names.joined(separator: " → "))",
      labels: [Label(site: site, text: "closes the circle")], help: "let one of them say all that is given itself")
  }
}
