extension Expression {
  /// Whether its text surely stands within one segment of an address: it has no "/", "?" or "#".
  package var staysInSegment: Bool {
    switch type {
    case .int, .bool, .double, .timestamp, .duration: return true
    default: break
    }
    if let allowed { return allowed.allSatisfy(\.staysInSegment) }
    return (try? Parser.parse(Array(source.utf8)))?.staysInSegment ?? false
  }
}

extension SyntaxNode {
  fileprivate var staysInSegment: Bool {
    switch kind {
    case .literal(.string(let text)): text.string.staysInSegment
    case .literal: true
    // What these make is encoded.
    case .call(let name, _) where ["urlEncode", "s256", "base64url", "jwt"].contains(name.text): true
    // What these make has its name in it.
    case .call(let name, let arguments) where ["fresh", "newId", "string"].contains(name.text):
      arguments.allSatisfy(\.staysInSegment)
    case .binary(.add, let left, let right), .conditional(_, let left, let right):
      left.staysInSegment && right.staysInSegment
    default: false
    }
  }
}

extension String {
  fileprivate var staysInSegment: Bool { !utf8.contains { "/?#".utf8.contains($0) } }
}
