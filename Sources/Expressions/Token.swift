/// The smallest pieces of an expression's text.
struct Token: Sendable {
  enum Kind: Sendable, Hashable {
    case name(String)
    /// Without its sign, which is an operator.
    case int(UInt64)
    case double(Double)
    case string(String)
    case symbol(String)
    /// A piece of CEL that the profile leaves out, with its name.
    case outside(String)
    case end
  }

  var kind: Kind
  /// UTF-8 offsets into the source.
  var range: Range<Int>
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
