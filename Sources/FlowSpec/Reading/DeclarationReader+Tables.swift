import JSONSyntax

extension DeclarationReader {
  /// Whether a key is declared as a table with its fields in place of its members; if so, that is told once.
  ///
  /// No name is told: of what stands in a wrong place it is not known what is secret.
  mutating func reportForgottenRows(_ members: [JSONMember], of kind: Kind, at range: Range<Int>) -> Bool {
    guard kind == .key, !members.isEmpty, members.allSatisfy({ kind.grammar.member($0.name) == nil }),
      members.contains(where: { $0.value.declaresField }),
      members.allSatisfy({ if case .object = $0.value.kind { true } else { false } })
    else { return false }
    findings.error(
      "unknown-member", "the fields of a table stand in its \"rows\"", at: site(range), "has fields, and no \"rows\"",
      help: "write {\"rows\": {…}} around them")
    return true
  }

  /// Where the fields of a table stand, for who writes that as a type.
  static let tableHelp = "write \"rows\": {…} in place of it: a key with the fields of its rows there is a table"
}

extension JSONNode {
  /// Whether it is an object that says what a field holds.
  fileprivate var declaresField: Bool {
    guard case .object(let members) = kind else { return false }
    return members.contains { ["type", "one of"].contains($0.name) }
  }
}
