import JSONSyntax

/// What a session keeps for the next one names its flow as a document does, and is none: all in it may be secret.
extension Loading {
  package static func isKeptStore(_ bytes: [UInt8]) -> Bool {
    guard let root = try? JSONParser.parse(bytes, as: .body), case .object(let members) = root.kind else {
      return false
    }
    return isKeptStore(members.map(\.name))
  }

  /// Whether these are the members of one, in their order; a newer format may have more, but no states.
  static func isKeptStore(_ members: [String]) -> Bool {
    members.prefix(3) == ["format", "flow", "store"] && !members.contains("states")
  }
}
