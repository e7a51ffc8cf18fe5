/// The smallest pieces of an expression's text.
struct Token: Sendable {
  enum Kind: Sendable, Hashable {
    case name(String)
    /// Without its sign, which is an operator.
    case int(UInt64)
    case double(Double)
    case string(String)
    case symbol(Symbol)
    /// A piece of CEL that the profile leaves out, with its name.
    case outside(String)
    case end
  }

  var kind: Kind
  /// UTF-8 offsets into the source.
  var range: Range<Int>

  func `is`(_ symbol: Symbol) -> Bool {
    if case .symbol(let own) = kind { own == symbol } else { false }
  }
}

/// An operator or a bracket: at most two bytes, held as a number because the parser compares little else.
struct Symbol: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let bytes: UInt16

  /// Without a second byte it is zero.
  init(_ first: UInt8, _ second: UInt8 = 0) { bytes = UInt16(first) | UInt16(second) << 8 }

  init(stringLiteral text: StaticString) {
    precondition((1...2).contains(text.utf8CodeUnitCount), "A symbol has one or two bytes.")
    self.init(text.utf8Start[0], text.utf8CodeUnitCount == 2 ? text.utf8Start[1] : 0)
  }

  init(_ text: String) { bytes = text.utf8.reversed().reduce(0) { $0 << 8 | UInt16($1) } }

  var description: String {
    let both = [UInt8(truncatingIfNeeded: bytes), UInt8(truncatingIfNeeded: bytes >> 8)]
    return String(decoding: both.prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension ExpressionProblem {
  static func syntax(
    _ message: String, at range: Range<Int>, label: String, help: String? = nil
  ) -> ExpressionProblem {
    ExpressionProblem(code: "expression-syntax", message: message, range: range, label: label, help: help)
  }

  static func outside(_ what: String, at range: Range<Int>, help: String? = nil) -> ExpressionProblem {
    ExpressionProblem(
      code: "outside-profile", message: "\(what) is part of CEL, but outside the profile that flowrun reads",
      range: range, label: "outside the profile", help: help)
  }
}
