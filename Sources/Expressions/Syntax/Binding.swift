/// How tight the outermost operator of an expression binds: what binds weaker needs brackets beside what binds tighter.
package enum Binding: Int, Comparable, Sendable {
  case conditional, or, and
  /// Comparisons, `in` and arithmetic.
  case relation
  /// What stands alone: names, calls, what is in brackets or negated.
  case term

  package static func < (left: Binding, right: Binding) -> Bool { left.rawValue < right.rawValue }
}

extension Expression {
  /// Of the source as it is written; a let binds by its name, not by what it is.
  package var binding: Binding { (try? Parser.parse(Array(source.utf8)))?.binding ?? .conditional }
}

extension SyntaxNode {
  fileprivate var binding: Binding {
    // A node in brackets begins with them, before its first part.
    switch kind {
    case .conditional(let first, _, _) where first.range.lowerBound == range.lowerBound: .conditional
    case .binary(let sign, let left, _) where left.range.lowerBound == range.lowerBound:
      switch sign {
      case .or: .or
      case .and: .and
      default: .relation
      }
    default: .term
    }
  }
}
