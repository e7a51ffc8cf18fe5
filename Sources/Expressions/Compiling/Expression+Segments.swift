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
    case .call(let name, let arguments):
      switch Function.segment(ofCallsOf: name.text) {
      case .always: true
      case .ofArguments: arguments.allSatisfy(\.staysInSegment)
      case .unknown: false
      }
    case .binary(.add, let left, let right), .conditional(_, let left, let right):
      left.staysInSegment && right.staysInSegment
    default: false
    }
  }
}

extension Function {
  fileprivate static func segment(ofCallsOf name: String) -> Segment {
    // What is made anew has its name in it.
    if let form = Form(rawValue: name) { return form.makesAnew ? .ofArguments : .unknown }
    return global[name]?.traits.segment ?? .unknown
  }
}

extension String {
  fileprivate var staysInSegment: Bool { !utf8.contains { "/?#".utf8.contains($0) } }
}
