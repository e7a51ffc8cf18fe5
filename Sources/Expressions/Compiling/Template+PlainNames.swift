extension Template.Piece {
  /// Whether it is text with a sign that `PlainNames` looks for.
  var mayNamePlainly: Bool {
    guard case .literal(let text) = self else { return false }
    return text.utf8.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "$") }
  }
}

extension Template {
  /// Names in plain text that look as if their author meant an expression: `{event.code}`, `$event.code}`,
  /// `$(event.code)`, and `event.code` or `fresh('code')` when it is all of the text, quoted or not.
  struct PlainNames {
    let scope: Scope
    /// The source, blank where expressions and literal `${` stand.
    private let bytes: [UInt8]
    /// For each bracket behind a dollar sign the one that closes it.
    private let closings: [Int: Int]

    init(_ source: [UInt8], _ pieces: [Piece], in scope: Scope) {
      self.scope = scope
      var bytes = source
      for piece in pieces { Self.blank(&bytes, piece.place ?? 0..<0) }
      var position = 0
      while position + 3 <= bytes.count {
        if bytes[position...].starts(with: "$${".utf8) {
          let end = bytes[position...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.count - 1
          Self.blank(&bytes, position..<(end + 1))
        }
        position += 1
      }
      self.bytes = bytes
      closings = Self.closings(in: bytes)
    }

    private static func closings(in bytes: [UInt8]) -> [Int: Int] {
      var closings: [Int: Int] = [:]
      var open: [Int] = []
      for (position, byte) in bytes.enumerated() {
        if byte == UInt8(ascii: "(") {
          open.append(position)
        } else if byte == UInt8(ascii: ")"), let start = open.popLast(), start > 0,
          bytes[start - 1] == UInt8(ascii: "$")
        {
          closings[start] = position
        }
      }
      return closings
    }

    private static func blank(_ bytes: inout [UInt8], _ range: Range<Int>) {
      for position in range.clamped(to: 0..<bytes.count) { bytes[position] = UInt8(ascii: " ") }
    }

    var problems: [ExpressionProblem] {
      var found: [ExpressionProblem] = []
      var position = 0
      while position < bytes.count {
        let range = bytes[position] == UInt8(ascii: "{") ? braces(at: position) : dollar(at: position)
        if let range {
          found.append(problem(range))
          position = range.upperBound
        } else {
          position += 1
        }
      }
      return found
    }

    /// A name or an expression in single or double braces.
    private func braces(at start: Int) -> Range<Int>? {
      let isDouble = bytes[start...].starts(with: "{{".utf8)
      let inner = isDouble ? start + 2 : start + 1
      // What another brace opens is looked at by itself.
      guard let close = bytes[inner...].firstIndex(where: { "{}".utf8.contains($0) }), bytes[close] == UInt8(ascii: "}")
      else { return nil }
      let text = String(decoding: bytes[inner..<close], as: UTF8.self)
      let name = text.filter { $0 != " " }
      let isName = name.utf8.allSatisfy { $0.isIdentifierPart || $0 == UInt8(ascii: ".") }
      guard isName && isKnown(name.prefix { $0 != "." }) || scope.isMeant(by: text) else { return nil }
      return start..<min(bytes.count, close + (isDouble ? 2 : 1))
    }

    /// A dollar sign with a name and what makes an expression of it: a dot or a bracket.
    private func dollar(at start: Int) -> Range<Int>? {
      guard bytes[start] == UInt8(ascii: "$") else { return nil }
      if let range = brackets(at: start) { return range }
      let name = bytes[(start + 1)...].prefix(while: \.isIdentifierPart)
      guard name.endIndex < bytes.count, !name.isEmpty else { return nil }
      let text = String(decoding: name, as: UTF8.self)
      let isSelection = bytes[name.endIndex] == UInt8(ascii: ".") && isKnown(text[...])
      let isCall = bytes[name.endIndex] == UInt8(ascii: "(") && Function.called.contains(text)
      guard isSelection || isCall else { return nil }
      let rest = bytes[name.endIndex...].prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: " ") }
      return start..<rest.endIndex
    }

    /// A dollar sign with a name or an expression in round brackets, as shells have it.
    private func brackets(at start: Int) -> Range<Int>? {
      guard let close = closings[start + 1], close - start < Parser.longest else { return nil }
      let inner = String(decoding: bytes[(start + 2)..<close], as: UTF8.self)
      return scope.isMeant(by: inner) ? start..<(close + 1) : nil
    }

    /// A text that is all an expression and no more: `event.email`, `'event.email'`.
    static func alone(_ source: String, in scope: Scope) -> [ExpressionProblem] {
      let quotes = ["'", "\""].filter { source.utf8.first == $0.utf8.first }
      let quote = quotes.first { source.count > 2 && source.hasPrefix($0) && source.hasSuffix($0) }
      let inner = quote == nil ? source : String(source.dropFirst().dropLast())
      guard scope.isMeant(by: inner) else { return [] }
      return [problem(source, naming: inner, at: 0..<source.utf8.count)]
    }

    private func isKnown(_ name: Substring) -> Bool {
      let name = String(name)
      return scope.variables.contains { $0.name == name } || scope.elsewhere[name] != nil || scope.lets[name] != nil
    }

    private func problem(_ range: Range<Int>) -> ExpressionProblem {
      let text = String(decoding: bytes[range], as: UTF8.self)
      let inBraces = text.drop { "{$ ".contains($0) }.prefix { $0 != "}" }.filter { $0 != " " }
      let inner = text.hasPrefix("$(") ? String(text.dropFirst(2).dropLast()) : inBraces
      return Self.problem(text, naming: inner, at: range)
    }

    /// What is quoted in an expression may be a secret.
    private static func problem(_ text: String, naming inner: String, at range: Range<Int>) -> ExpressionProblem {
      let isQuoted = !inner.contains("'") && !inner.contains("\"")
      return ExpressionProblem(
        code: "plain-name", message: "\(isQuoted ? "\"\(text)\"" : "this") is plain text here, not an expression",
        range: range, label: "stays as it is",
        help: isQuoted ? "did you mean \"${\(inner)}\"?" : "put it in ${ }")
    }
  }
}
