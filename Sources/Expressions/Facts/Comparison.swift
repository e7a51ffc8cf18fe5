/// What compares a selection from a variable with something: a number, as in `response.status < 400` and
/// `500 > response.status`, or what may be null with null.
package struct Comparison: Sendable {
  /// The declared names of the selection.
  package let path: [String]
  /// Where the selection stands in the source of the expression, or of the let that it is in.
  package let range: Range<Int>
  package let definition: String?
  /// As if the selection stood on the left.
  private let sign: SyntaxNode.Operator
  /// What is compared with, where it is written out.
  private let other: Value?
  /// The declared names of the selection that it is compared with; empty where it is none.
  package let otherPath: [String]
  /// Whether it counts where it does not hold.
  package var isNegated = false
  /// The same at the end of the let that it is in; `nil` where it is in none.
  private var isNegatedInLet: Bool?

  init(_ selection: Selection, _ sign: SyntaxNode.Operator, _ other: Term, in definition: String?) {
    (path, range, self.definition) = (selection.path, selection.range, definition)
    (self.sign, self.other, otherPath) = (sign, other.constant, other.selection?.path ?? [])
  }

  /// How a message calls it: `"<"`, `the negated "in"`.
  package var title: String { (isNegated ? "the negated " : "") + "\"\(sign.rawValue)\"" }

  /// Whether it is in a let that is negated where it is used.
  package var isTurned: Bool { isNegatedInLet.map { $0 != isNegated } ?? false }

  mutating func leaveLet() { isNegatedInLet = isNegatedInLet ?? isNegated }

  /// The numbers that it is compared with, where they are written out.
  package var bounds: [Int64] {
    let values: [Value] = if case .list(let elements)? = other { elements } else { other.map { [$0] } ?? [] }
    return values.compactMap { if case .int(let number) = $0 { number } else { nil } }
  }

  /// The numbers that it asks for one by one.
  package var numbers: [Int64] { [.isIn, .equal, .unequal].contains(sign) ? bounds : [] }

  /// Whether it holds for a number; what is compared with is taken for a larger one where it is not written out.
  package func holds(for number: Int64) -> Bool {
    let value = Value.int(number)
    let holds: Bool? =
      switch sign {
      case .isIn: try? Value.contains(other ?? .list([]), value, at: range)
      case .equal: other.map(value.celEquals) ?? false
      case .unequal: other.map { !value.celEquals($0) } ?? true
      default: try? Value.compare(value, other ?? .int(.max), sign, at: range)
      }
    return holds != isNegated
  }
}

extension Compiler {
  mutating func noteComparison(_ sign: SyntaxNode.Operator, _ left: Term, _ right: Term) {
    note(left, sign, right)
    note(right, sign.mirrored ?? sign, left)
  }

  private mutating func note(_ term: Term, _ sign: SyntaxNode.Operator, _ other: Term) {
    guard let selection = term.selection else { return }
    let isNumber = if case .int = term.type { true } else { false }
    let isTest = if case .null? = other.constant { true } else { false }
    if isNumber || isTest { facts.comparisons.append(Comparison(selection, sign, other, in: lets.open.last)) }
  }
}
