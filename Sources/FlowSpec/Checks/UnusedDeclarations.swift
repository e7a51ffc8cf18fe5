extension Check {
  /// Things that are declared and that nothing uses.
  static let unusedDeclarations: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.ledger.unused.map { entry in
      let (family, name) = (entry.name.family, entry.name.name)
      // An end is listed with its sub-flow.
      let shown = family == .end ? String(name.drop { $0 != "." }.dropFirst()) : name
      return Diagnostic(
        "unused-\(family.rawValue)", severity: .warning, "nothing uses the \(family.title) \"\(shown)\"",
        at: entry.site, "declared here",
        help: family == .end ? "let a state end with it, or remove it" : "use it or remove it")
    }
  }
}

extension Ledger.Family {
  /// What a message calls it.
  fileprivate var title: String {
    switch self {
    case .config: "config key"
    case .flow: "sub-flow"
    case .screen: "screen"
    case .action: "list of actions"
    default: rawValue
    }
  }
}
