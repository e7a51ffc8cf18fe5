import Expressions

extension Check {
  /// Things that are declared and that nothing uses.
  static let unusedDeclarations: @Sendable (Examined) -> [Diagnostic] = { examined in
    let remove = "use it or remove it"
    let unused = examined.ledger.unused
    let groups = examined.ledger.used(.group).sorted()
    // A let that others name goes when they go.
    let lets =
      unused.contains { $0.name.family == .definition } ? examined.document["let"].entries.compactMap(\.definition) : []
    let inLets = Set(lets.compactMap(\.string).flatMap(\.freeWords))
    return unused.compactMap { entry in
      let (family, name) = (entry.name.family, entry.name.name)
      if family == .definition, inLets.contains(name) { return nil }
      // An end is listed with its sub-flow.
      let shown = family == .end ? String(name.drop { $0 != "." }.dropFirst()) : name
      return Diagnostic(
        "unused-\(family.rawValue)", severity: .warning, "nothing uses the \(family.title) \"\(shown)\"",
        at: entry.site, "declared here",
        help: family == .end
          ? "let a state end with it, or remove it"
          : family == .group
            ? suggestion(for: name, among: groups) ?? "let a \"clear\" name it where all of it is to go, or remove it"
            : remove)
    }
  }
}

extension String {
  /// Words that are no member of what stands before them, as `a.b` and `a.?b` have one.
  fileprivate var freeWords: [String] {
    let bytes = Array(utf8)
    return bytes.split { !$0.isIdentifierPart }.compactMap { word in
      let before = bytes[..<word.startIndex]
      let isMember = before.last == UInt8(ascii: ".") || before.suffix(2).elementsEqual(".?".utf8)
      return isMember ? nil : String(decoding: word, as: UTF8.self)
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
