extension Parser {
  /// A primary with its selections, indexes and calls.
  mutating func member(isNegative: Bool = false, from given: Int? = nil) throws(ExpressionProblem) -> SyntaxNode {
    let start = given ?? current.range.lowerBound
    var result = try primary(isNegative: isNegative, from: start)
    while true {
      if current.is(".") || current.is(".?") {
        result = try selection(from: result, start: start)
      } else if current.is("[") || current.is("[?") {
        let isOptional = current.is("[?")
        advance()
        let key = try expression()
        try expect("]")
        result = try node(.index(result, key, isOptional: isOptional), from: start)
      } else if current.is("{"), let name = result.rendered, !name.contains("[") {
        throw .outside("the construction of a message (\"\(name){…}\")", at: start..<current.range.upperBound)
      } else {
        return result
      }
    }
  }

  private mutating func selection(from base: SyntaxNode, start: Int) throws(ExpressionProblem) -> SyntaxNode {
    let isOptional = current.is(".?")
    advance()
    let token = current
    switch token.kind {
    case .outside(let what):
      advance()
      reportOutside(what, at: token.range, help: "write it as an index: ['content-type']")
      return try node(.outside, from: start)
    case .name(let text) where ReservedWords.keywords.index(of: text) == nil:
      advance()
      let name = SyntaxNode.Name(text: text, range: token.range)
      guard !isOptional, take("(") else { return try node(.select(base, name, isOptional: isOptional), from: start) }
      let arguments = try list(until: ")")
      return try node(.method(base, name, arguments), from: start)
    default: throw unexpected("the name of a field")
    }
  }

  private mutating func primary(isNegative: Bool, from start: Int) throws(ExpressionProblem) -> SyntaxNode {
    let token = current
    advance()
    switch token.kind {
    case .int(let magnitude): return try number(magnitude, isNegative: isNegative, at: token.range, from: start)
    case .double(let value): return try node(.literal(.double(isNegative ? -value : value)), from: start)
    case .string(let text): return try node(.literal(.string(text)), from: start)
    case .outside(let what):
      reportOutside(what, at: token.range)
      return try node(.outside, from: start)
    case .symbol("("):
      let inner = try expression()
      guard take(")") else {
        throw unexpected("\")\"", help: current.is(",") ? "a list stands in [ ]: [200, 201]" : nil)
      }
      return try node(inner.kind, from: start)
    case .symbol("["):
      let elements = try list(until: "]", allowsTrailingComma: true)
      return try node(.list(elements), from: start)
    case .symbol("[?"), .symbol("{?"): throw .outside("an optional entry (\"?\")", at: token.range)
    case .symbol("{"):
      let entries = try entries()
      return try node(.map(entries), from: start)
    case .symbol("."):
      guard case .name(let name) = current.kind else { throw unexpected("a name") }
      let place = current.range
      advance()
      return try named(name, at: place, isRoot: true, from: start)
    case .name(let name): return try named(name, at: token.range, isRoot: false, from: start)
    default:
      throw unexpectedBefore("a value")
    }
  }

  private func number(
    _ magnitude: UInt64, isNegative: Bool, at range: Range<Int>, from start: Int
  ) throws(ExpressionProblem) -> SyntaxNode {
    let value: Int64? =
      if isNegative { magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil } else {
        Int64(exactly: magnitude)
      }
    guard let value else { throw .syntax("a number is too large for an int", at: range, label: "too large") }
    return try node(.literal(.int(value)), from: start)
  }

  private mutating func named(
    _ name: String, at range: Range<Int>, isRoot: Bool, from start: Int
  ) throws(ExpressionProblem) -> SyntaxNode {
    switch name {
    case "true" where !isRoot: return try node(.literal(.bool(true)), from: start)
    case "false" where !isRoot: return try node(.literal(.bool(false)), from: start)
    case "null" where !isRoot: return try node(.literal(.null), from: start)
    case _ where (ReservedWords.reserved.index(of: name) ?? ReservedWords.keywords.index(of: name)) != nil:
      throw .syntax(
        "\"\(name)\" is a reserved word of CEL", at: range, label: "reserved", help: ForeignWords.help(forName: name))
    default: break
    }
    guard take("(") else { return try node(.name(name, isRoot: isRoot), from: start) }
    let arguments = try list(until: ")")
    return try node(.call(SyntaxNode.Name(text: name, range: range), arguments), from: start)
  }

  private mutating func list(
    until close: Symbol, allowsTrailingComma: Bool = false
  ) throws(ExpressionProblem) -> [SyntaxNode] {
    try checkDepth()
    var elements: [SyntaxNode] = []
    if take(close) { return elements }
    repeat {
      if allowsTrailingComma, !elements.isEmpty, take(close) { return elements }
      if current.is("?") { throw .outside("an optional element (\"?\")", at: current.range) }
      elements.append(try expression())
    } while take(",")
    guard take(close) else { throw unexpected("\",\" or \"\(close)\"") }
    return elements
  }

  private mutating func entries() throws(ExpressionProblem) -> [SyntaxNode.MapEntry] {
    try checkDepth()
    var entries: [SyntaxNode.MapEntry] = []
    if take("}") { return entries }
    repeat {
      if !entries.isEmpty, take("}") { return entries }
      if current.is("?") { throw .outside("an optional entry (\"?\")", at: current.range) }
      let key = try expression()
      try expect(":")
      entries.append(SyntaxNode.MapEntry(key: key, value: try expression()))
    } while take(",")
    guard take("}") else { throw unexpected("\",\" or \"}\"") }
    return entries
  }
}
