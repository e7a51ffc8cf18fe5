/// Reads tokens by CEL's grammar, the parts outside the profile included, so that these get their names.
struct Parser {
  static let deepest = 200
  static let longest = 32_768

  private let tokens: [Token]
  private var index = 0
  private(set) var current: Token
  private var depth = 0
  /// What is CEL but not in the profile; reading went on.
  private(set) var outside: [ExpressionProblem] = []

  init(_ tokens: [Token]) {
    self.tokens = tokens
    current = tokens[0]
  }

  /// Reads a whole expression.
  static func parse(_ bytes: [UInt8]) throws(ExpressionProblems) -> SyntaxNode {
    let tokens: [Token]
    do throws(ExpressionProblem) {
      try checkLength(0..<bytes.count)
      tokens = try Lexer.tokens(of: bytes)
    } catch { throw ExpressionProblems([error]) }
    return try parse(tokens)
  }

  static func checkLength(_ range: Range<Int>) throws(ExpressionProblem) {
    guard range.count > longest else { return }
    throw ExpressionProblem(
      code: "too-long", message: "an expression has \(range.count) bytes, and at most \(longest) are read",
      range: range, label: "too long")
  }

  static func parse(_ tokens: [Token]) throws(ExpressionProblems) -> SyntaxNode {
    var parser = Parser(tokens)
    let node: SyntaxNode
    do throws(ExpressionProblem) {
      node = try parser.expression()
      guard case .end = parser.current.kind else { throw parser.unexpected("the end of the expression") }
    } catch { throw ExpressionProblems(parser.outside + [error]) }
    guard parser.outside.isEmpty else { throw ExpressionProblems(parser.outside) }
    return node
  }

  /// Where the last token that was taken ends.
  var previousEnd: Int { index > 0 ? tokens[index - 1].range.upperBound : 0 }

  mutating func advance() {
    index += 1
    current = tokens[min(index, tokens.count - 1)]
  }

  mutating func take(_ symbol: Symbol) -> Bool {
    guard current.is(symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: Symbol) throws(ExpressionProblem) {
    guard take(symbol) else { throw unexpected("\"\(symbol)\"") }
  }

  mutating func reportOutside(_ what: String, at range: Range<Int>, help: String? = nil) {
    outside.append(.outside(what, at: range, help: help))
  }

  func unexpected(_ expected: String, help: String? = nil) -> ExpressionProblem {
    let found =
      switch current.kind {
      case .end: "the expression ends"
      case .name(let name): "\"\(name)\" stands"
      case .symbol(let symbol): "\"\(symbol)\" stands"
      case .int, .double: "a number stands"
      case .string: "a string stands"
      case .outside(let what): "\(what) stands"
      }
    return .syntax(
      "\(found) where \(expected) was expected", at: current.range, label: "expected \(expected)",
      help: help ?? foreignHelp ?? (current.kind == .end ? "complete it, or leave out what stands last" : nil))
  }

  /// What stands wrong where the last token that was taken stands.
  func unexpectedBefore(_ expected: String) -> ExpressionProblem {
    var copy = self
    copy.index -= 1
    copy.current = tokens[copy.index]
    return copy.unexpected(expected)
  }

  /// What an author may have meant who writes another language.
  private var foreignHelp: String? {
    if case .name(let name) = current.kind, let help = ForeignWords.help(forName: name) { return help }
    if index > 0, case .name(let name) = tokens[index - 1].kind, !isValue(name) {
      return ForeignWords.help(forName: name)
    }
    let question = tokens.prefix(index + 1).contains { $0.is("?") }
    let isConditional = tokens.contains { $0.is(":") }
    if question, current.is(":") { return ForeignWords.help(forSign: "?:") }
    if question, !isConditional { return "a field that may be missing is selected with \"a.?b\"" }
    return nil
  }

  private func isValue(_ name: String) -> Bool { !["not", "NOT", "if", "is"].contains(name) }

  func node(_ kind: SyntaxNode.Kind, from start: Int) throws(ExpressionProblem) -> SyntaxNode {
    let node = SyntaxNode(kind, start..<max(start, previousEnd))
    guard node.depth <= Self.deepest else { throw tooDeep("\(Self.deepest) levels") }
    return node
  }

  private func tooDeep(_ most: String) -> ExpressionProblem {
    ExpressionProblem(
      code: "too-deep", message: "an expression has more than \(most)", range: current.range,
      label: "one level too many", help: "split it with \"let\"")
  }

  /// Empty brackets count as well.
  func checkDepth() throws(ExpressionProblem) {
    guard depth <= Self.deepest / 2 else { throw tooDeep("\(Self.deepest / 2) brackets or conditions in one another") }
  }

  mutating func expression() throws(ExpressionProblem) -> SyntaxNode {
    try checkDepth()
    depth += 1
    defer { depth -= 1 }
    let start = current.range.lowerBound
    let condition = try binary(above: 0)
    let question = current.range
    guard take("?") else { return condition }
    // `a?.b` is no choice.
    let isChoice = current.range.lowerBound > question.upperBound
    let first = try binary(above: 0)
    guard take(":") else {
      let isHalf = isChoice && !tokens.contains { $0.is(":") }
      throw unexpected("\":\"", help: isHalf ? ForeignWords.help(forName: "if") : nil)
    }
    let second = try expression()
    return try node(.conditional(condition, first, second), from: start)
  }

  private mutating func binary(above precedence: Int) throws(ExpressionProblem) -> SyntaxNode {
    let start = current.range.lowerBound
    var left = try unary()
    while let sign = binaryOperator, sign.precedence > precedence {
      advance()
      let right = try binary(above: sign.precedence)
      left = try node(.binary(sign, left, right), from: start)
    }
    return left
  }

  private var binaryOperator: SyntaxNode.Operator? {
    switch current.kind {
    case .symbol(let symbol): SyntaxNode.Operator(symbol)
    case .name(let name) where name == "in": .isIn
    default: nil
    }
  }

  private mutating func unary() throws(ExpressionProblem) -> SyntaxNode {
    var starts: [Int] = []
    guard case .symbol(let sign) = current.kind, sign == "!" || sign == "-" else { return try member() }
    while current.is(sign) {
      starts.append(current.range.lowerBound)
      advance()
    }
    guard sign == "-" else {
      var result = try member()
      for start in starts.reversed() { result = try node(.not(result), from: start) }
      return result
    }
    let isLiteral = if case .int = current.kind { true } else if case .double = current.kind { true } else { false }
    if isLiteral { starts.removeLast() }
    // The sign is a part of a number, and of nothing else that it stands before.
    var result = try member(isNegative: isLiteral, from: isLiteral ? previousStart : nil)
    for start in starts.reversed() { result = try node(.negate(result), from: start) }
    return result
  }

  private var previousStart: Int { tokens[index - 1].range.lowerBound }
}
