import JSONSyntax

/// What a session keeps for the next one names its flow as a document does, and is none: all in it may be secret.
extension Loading {
  package static func isKeptStore(_ bytes: [UInt8]) -> Bool {
    guard let root = try? keptStore(bytes), case .object(let members) = root.kind else { return false }
    return isKeptStore(members.map(\.name))
  }

  /// The tree of one: whatever a run may keep can be read again.
  ///
  /// Values stand deeper than in a document, in rows of a table of the store, and all of them together may be larger.
  package static func keptStore(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
    try JSONParser.parse(bytes, as: .written, maximumDepth: 160, maximumSize: .max)
  }

  /// Whether these are the members of one; a newer format may have more, but nothing else that a flow has.
  static func isKeptStore(_ members: [String]) -> Bool {
    let shared = ["format", "flow", "store"]
    return members.contains("flow") && members.contains("store")
      && !Kind.flow.grammar.names.contains { !shared.contains($0) && members.contains($0) }
  }
}
