import Expressions

extension Loading {
  /// What is wrong with how scenarios of one flow are named and start from each other: another name than the file's, a
  /// name that none has, a circle, too long a chain.
  ///
  /// `names` are those of all scenarios that the flow has, broken ones too.
  package static func misorder(of scenarios: [Scenario], among names: [String]) -> [Diagnostic] {
    let misnamed = scenarios.compactMap { scenario in
      scenario.name == scenario.document.stem ? nil : Diagnostic.misnamed(scenario)
    }
    // Where names cannot be relied on, those that follow would only confuse.
    if !misnamed.isEmpty { return misnamed }
    let known = Dictionary(scenarios.map { ($0.name, $0) }) { first, _ in first }
    let circles = circles(among: known)
    let late = Set(oneLevelTooMany(among: known))
    let all = Set(names)
    return scenarios.compactMap { scenario in
      guard let after = scenario.given.after, let site = scenario.given.afterSite else { return nil }
      if !all.contains(after) { return .unknownScenario(after, at: site, among: names) }
      if late.contains(scenario.name) { return .scenariosTooDeep(at: site) }
      // A circle is told once, at all its places.
      guard let circle = circles[scenario.name] else { return nil }
      var found = Diagnostic.scenarioCircle(circle, at: site)
      found.labels += circle.dropFirst().dropLast().compactMap { name in
        known[name]?.given.afterSite.map { Diagnostic.Label(site: $0, text: "is part of it") }
      }
      return found
    }
  }

  /// The names of those whose level is the first that is too deep; those that start from them say nothing new.
  ///
  /// A scenario that starts from none here has level 0. None in a circle or behind it has a level.
  private static func oneLevelTooMany(among scenarios: [String: Scenario]) -> [String] {
    var (first, following) = ([Scenario](), [String: [Scenario]]())
    for scenario in scenarios.values {
      if let earlier = scenario.given.after.flatMap({ scenarios[$0] }) {
        following[earlier.name, default: []].append(scenario)
      } else {
        first.append(scenario)
      }
    }
    return (0...Scenario.deepest).reduce(first) { level, _ in
      level.flatMap { following[$0.name] ?? [] }
    }.map(\.name)
  }

  /// The circles in which scenarios start from each other: by the least of its names, from that back to itself.
  private static func circles(among scenarios: [String: Scenario]) -> [String: [String]] {
    var circles: [String: [String]] = [:]
    var seen: Set<String> = []
    for name in scenarios.keys {
      var chain: [String] = []
      var next = Optional(name)
      while let name = next, let scenario = scenarios[name], seen.insert(name).inserted {
        chain.append(name)
        next = scenario.given.after
      }
      guard let start = chain.firstIndex(where: { $0 == next }) else { continue }
      let circle = chain[start...]
      guard let least = circle.indices.min(by: { circle[$0] < circle[$1] }) else { continue }
      circles[circle[least]] = Array(circle[least...] + circle[..<least]) + [circle[least]]
    }
    return circles
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
      help: suggestion(for: name, among: names) ?? (names.isEmpty ? nil : "there is \(names.listed)"))
  }

  /// A scenario that starts from one that starts from another, and so on, one time too often.
  package static func scenariosTooDeep(at site: Site) -> Diagnostic {
    Diagnostic(
      "too-deep", "scenarios start from one another more than \(Scenario.deepest) levels deep", at: site,
      "one level too many", help: "let this one say all that is given itself")
  }

  /// Scenarios that start from each other.
  package static func scenarioCircle(_ names: [String], at site: Site) -> Diagnostic {
    Diagnostic(
      "scenario-circle", "scenarios start from each other in a circle: \(names.joined(separator: " → "))", at: site,
      "closes the circle", help: "let one of them say all that is given itself")
  }
}
