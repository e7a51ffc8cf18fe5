import Expressions

extension Loading {
  /// What is wrong with how scenarios of one flow are named and start from each other: another name than the file's, a
  /// name that none has, a circle.
  ///
  /// `names` are those of all scenarios that the flow has, broken ones too.
  package static func misorder(of scenarios: [Scenario], among names: [String]) -> [Diagnostic] {
    let misnamed = scenarios.compactMap { scenario in
      scenario.name == scenario.document.stem ? nil : Diagnostic.misnamed(scenario)
    }
    // Where names cannot be relied on, those that follow would only confuse.
    if !misnamed.isEmpty { return misnamed }
    return scenarios.compactMap { scenario in
      guard let after = scenario.given.after, let site = scenario.given.afterSite else { return nil }
      if !names.contains(after) { return .unknownScenario(after, at: site, among: names) }
      // A circle is told once, at all its places.
      guard let circle = circle(from: scenario, among: scenarios), circle.min() == scenario.name else { return nil }
      var found = Diagnostic.scenarioCircle(circle, at: site)
      found.labels += circle.dropFirst().dropLast().compactMap { name in
        scenarios.first { $0.name == name }?.given.afterSite.map { Diagnostic.Label(site: $0, text: "is part of it") }
      }
      return found
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

extension Document {
  /// The file's name without its folder and its ending.
  var stem: String { Loading.stem(of: path) }
}

extension Diagnostic {
  /// `--scenario` and `given.after` go by the file, traces by the name.
  fileprivate static func misnamed(_ scenario: Scenario) -> Diagnostic {
    Diagnostic(
      "misnamed-scenario", "the scenario is called \"\(scenario.name)\", its file \"\(scenario.document.stem).json\"",
      at: scenario.nameSite, "not the file's name",
      help: "call both alike: other scenarios and the command line find it by its file")
  }

  /// `given.after` names a scenario that the flow does not have.
  package static func unknownScenario(_ name: String, at site: Site, among names: [String]) -> Diagnostic {
    Diagnostic(
      "unknown-scenario", "\"after\" names scenario \"\(name)\", which this flow does not have", at: site,
      "no scenario has this name",
      help: suggestion(for: name, among: names)
        ?? (names.isEmpty || names.count > 8 ? nil : "there is \(names.joined(separator: ", "))"))
  }

  /// Scenarios that start from each other.
  package static func scenarioCircle(_ names: [String], at site: Site) -> Diagnostic {
    Diagnostic(
      "scenario-circle", "scenarios start from each other in a circle: \(names.joined(separator: " → "))", at: site,
      "closes the circle", help: "let one of them say all that is given itself")
  }
}
