/// Cuts CEL text into tokens (CEL specification, "Syntax").
struct Lexer {
  let bytes: [UInt8]
  var position: Int

  init(_ bytes: [UInt8], from position: Int = 0) {
    (self.bytes, self.position) = (bytes, position)
  }

  /// All tokens to the end, the end included; from a `start` on those up to the brace that closes an expression in a
  /// template, and the end where that stands.
  static func tokens(of bytes: [UInt8], from start: Int? = nil) throws(ExpressionProblem) -> [Token] {
    var lexer = Lexer(bytes, from: start ?? 0)
    var tokens: [Token] = []
    tokens.reserveCapacity(start == nil ? 8 + bytes.count / 4 : 8)
    var depth = 0
    while true {
      var token = try lexer.next()
      if let start {
        if case .end = token.kind {
          throw .syntax(
            "a template ends inside \"${\", where \"}\" is missing", at: (start - 2)..<start, label: "opened here",
            help: "a literal \"${\" is written \"$${\"")
        }
        if token.is("{") { depth += 1 }
        if token.is("}") { depth -= 1 }
        if depth < 0 { token.kind = .end }
      }
      tokens.append(token)
      if case .end = token.kind { return tokens }
    }
  }

  func byte(ahead: Int = 0) -> UInt8? { position + ahead < bytes.count ? bytes[position + ahead] : nil }

  mutating func next() throws(ExpressionProblem) -> Token {
    skipBlanks()
    let start = position
    guard let first = byte() else { return Token(kind: .end, range: start..<start) }
    let kind: Token.Kind
    if let prefix = stringPrefix() {
      kind = try string(prefix)
    } else if first.startsIdentifier {
      while let byte = byte(), byte.isIdentifierPart { position += 1 }
      kind = .name(text(start..<position))
    } else if first.isDigit || (first == UInt8(ascii: ".") && byte(ahead: 1)?.isDigit == true) {
      kind = try number()
    } else if first == UInt8(ascii: "`") {
      kind = try quotedName()
    } else {
      kind = .symbol(try symbol(first))
    }
    return Token(kind: kind, range: start..<position)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func skipBlanks() {
    while let byte = byte() {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D: position += 1
      case UInt8(ascii: "/") where self.byte(ahead: 1) == UInt8(ascii: "/"):
        while let byte = self.byte(), byte != 0x0A { position += 1 }
      default: return
      }
    }
  }

  private mutating func symbol(_ first: UInt8) throws(ExpressionProblem) -> Symbol {
    let pair = Symbol(first, byte(ahead: 1) ?? 0)
    switch pair {
    case "==" where byte(ahead: 2) == UInt8(ascii: "="), "!=" where byte(ahead: 2) == UInt8(ascii: "="), "<>", "??":
      throw unknownSign()
    case "&&", "||", "==", "!=", "<=", ">=", ".?", "[?", "{?":
      position += 2
      return pair
    default: break
    }
    let single = Symbol(first)
    switch single {
    case "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ".", ",", "(", ")", "[", "]", "{", "}":
      position += 1
      return single
    default: throw unknownSign()
    }
  }

  private func unknownSign() -> ExpressionProblem {
    let foreign = ForeignWords.signs.first { bytes[position...].starts(with: $0.utf8) }
    var end = position + (foreign?.utf8.count ?? 1)
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    let sign = text(position..<end)
    let isQuote = ["“", "”", "„", "‘", "’", "«", "»"].contains(sign)
    let help = isQuote ? "strings stand in straight quotes" : ForeignWords.help(forSign: sign)
    var shown = sign
    if let scalar = sign.unicodeScalars.first, scalar.properties.generalCategory == .spaceSeparator {
      shown = "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
    return .syntax(
      "\"\(shown)\" means nothing in an expression", at: position..<end, label: "not expected here", help: help)
  }

  private mutating func quotedName() throws(ExpressionProblem) -> Token.Kind {
    let start = position
    position += 1
    while let byte = byte(), byte != UInt8(ascii: "`") { position += 1 }
    guard byte() != nil else {
      throw .syntax("a name in backticks does not end", at: start..<position, label: "opened here")
    }
    position += 1
    return .outside("a field name in backticks")
  }
}

extension UInt8 {
  @inlinable package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  @inlinable package var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
  var startsIdentifier: Bool { isLetter || self == UInt8(ascii: "_") }
  @inlinable package var isIdentifierPart: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
