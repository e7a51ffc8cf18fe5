extension Loading {
  /// What stands in most documents and hardly in the settings of other programs.
  private static let signs: Set = ["format", "participants", "states", "routes", "script", "given", "faults"]

  /// Whether a text that may be no JSON, or JSON with comments, is written as a document is: by a member that names it
  /// and another that documents have.
  ///
  /// Other programs have a setting `service` or `flow` too.
  package static func isLikeDocument(_ bytes: [UInt8]) -> Bool {
    let text = LooseText(bytes)
    guard let root = text.nodes.first, root.kind == .object, root.parent == nil else { return false }
    let members = text.nodes.filter { $0.parent == 0 }
    let isNamed = members.contains { member in
      member.kind == .string && text.name(of: member).flatMap(DocumentKind.init(rawValue:)) != nil
    }
    return isNamed
      && members.contains { member in
        guard let name = text.name(of: member) else { return false }
        if name != "$schema" { return signs.contains(name) }
        guard member.kind == .string else { return false }
        return DocumentKind.allCases.contains { text.meant(member.range).hasSuffix("\($0.rawValue).schema.json") }
      }
  }
}
