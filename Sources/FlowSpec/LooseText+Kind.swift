extension Loading {
  /// Whether a text that may be no JSON, or JSON with comments, is written as a document is: by a member that names it.
  package static func isLikeDocument(_ bytes: [UInt8]) -> Bool {
    if kind(of: bytes) != nil { return true }
    let text = LooseText(bytes)
    guard let root = text.nodes.first, root.kind == .object, root.parent == nil else { return false }
    return text.nodes.contains { node in
      node.parent == 0 && node.kind == .string && text.name(of: node).map { DocumentKind(rawValue: $0) != nil } == true
    }
  }
}
