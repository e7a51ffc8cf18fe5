extension Check {
  /// Keys that are read and that nothing sets to more than null: what they hold at first they hold for ever.
  ///
  /// Of a service by itself the scenarios are not known that may give its keys.
  static let unsetKeys: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.flow != nil else { return [] }
    let used = examined.ledger.used(.key)
    let stored = examined.model == nil ? Set(examined.document["store"].entries.map(\.name)) : []
    return (examined.document["store"].entries + examined.document["memory"].entries).compactMap { entry in
      // One of the memory that nothing reads is told as that.
      guard !entry.value.has("initial"), used.contains(entry.name), !examined.ledger.written.contains(entry.name),
        examined.ledger.read.contains(entry.name) || examined.document["store"]?.entry(entry.name) != nil
      else { return nil }
      // What the app around the flow has stored before, a scenario gives.
      let isKept = stored.contains(entry.name)
      let isCollection = entry.value.has("rows") || ["list", "map"].contains(entry.value["type"]?.string)
      return Diagnostic(
        "unset-key", severity: .warning,
        "nothing sets \"\(entry.name)\", so it is always \(isCollection ? "empty" : "unset")", at: entry.nameSite,
        "declared here",
        help: "let a \"set\" give it a value, which null is not, give it an \"initial\", "
          + (isKept ? "put it into a scenario's \"given.store\" where an earlier version has stored it, " : "")
          + "or remove it")
    }
  }

  /// Keys of `memory` that are set and that nothing reads, unless to set them anew; what is stored others may read, and
  /// people do in a trace.
  static let unreadKeys: @Sendable (Examined) -> [Diagnostic] = { examined in
    let used = examined.ledger.used(.key)
    return examined.document["memory"].entries.compactMap { entry in
      guard used.contains(entry.name), !examined.ledger.read.contains(entry.name) else { return nil }
      let besides = examined.ledger.readForThemselves.contains(entry.name) ? " but to set it anew" : ""
      return Diagnostic(
        "unread-key", severity: .warning, "nothing reads \"\(entry.name)\"\(besides)", at: entry.nameSite,
        "declared here", help: "let an expression read it, or remove it and what sets it")
    }
  }
}

extension Loading {
  /// What was found in a flow, without what its scenarios do alone: give keys, read settings, answer members.
  package static func diagnostics(_ found: [Diagnostic], of flow: Flow, given scenarios: [Scenario]) -> [Diagnostic] {
    var given: Set<Site> = []
    var words: [Site: Set<String>] = [:]
    for scenario in scenarios {
      for assignment in scenario.given.store {
        let site = flow.app.store[assignment.place.key].site
        given.insert(site)
        if let word = assignment.value.text { words[site, default: []].insert(word) }
      }
      for service in scenario.given.services {
        guard let model = flow.services[service.service].model else { continue }
        for assignment in service.store { given.insert(model.machine.store[assignment.place.key].site) }
      }
    }
    let settings = Set(scenarios.flatMap(\.readSettings))
    let read = Set(flow.app.config.filter { settings.contains($0.name) }.map(\.site))
    let answers = scenarios.flatMap(\.answers)
    return found.filter { diagnostic in
      switch diagnostic.code {
      case "unset-key": diagnostic.labels.allSatisfy { !given.contains($0.site) }
      case "unset-word":
        !diagnostic.labels.contains { words[$0.site]?.contains(where: diagnostic.labels[0].site.holds) == true }
      case "unused-config": diagnostic.labels.allSatisfy { !read.contains($0.site) }
      case "unanswered-member": !answers.contains { $0.mayHave(whatIsReadIn: diagnostic) }
      default: true
      }
    }
  }

  /// What was found in a flow, without all that its scenarios may do, where they cannot be looked at, or some of them.
  package static func diagnosticsWithoutScenarios(_ found: [Diagnostic]) -> [Diagnostic] {
    found.filter { !["unset-key", "unset-word", "unused-config", "unanswered-member"].contains($0.code) }
  }
}

extension Site {
  /// Whether a text stands there, in quotes.
  fileprivate func holds(_ text: String) -> Bool { document.bytes[range].elementsEqual("\"\(text)\"".utf8) }
}
