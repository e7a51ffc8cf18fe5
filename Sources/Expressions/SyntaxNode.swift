/// An expression as it is written; every part knows its place.
struct SyntaxNode: Sendable {
  struct Name: Sendable {
    var text: String
    var range: Range<Int>
  }

  struct MapEntry: Sendable {
    var key: SyntaxNode
    var value: SyntaxNode
  }

  indirect enum Kind: Sendable {
    case literal(Value)
    /// `isRoot` with a dot before it, which skips the variables of macros.
    case name(String, isRoot: Bool)
    case select(SyntaxNode, Name, isOptional: Bool)
    case index(SyntaxNode, SyntaxNode, isOptional: Bool)
    case call(Name, [SyntaxNode])
    case method(SyntaxNode, Name, [SyntaxNode])
    case list([SyntaxNode])
    case map([MapEntry])
    case not(SyntaxNode)
    case negate(SyntaxNode)
    case binary(Operator, SyntaxNode, SyntaxNode)
    case conditional(SyntaxNode, SyntaxNode, SyntaxNode)
    /// Something that was reported already.
    case outside
  }

  enum Operator: String, Sendable {
    case or = "||"
    case and = "&&"
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case isIn = "in"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"

    /// Larger binds tighter.
    var precedence: Int {
      switch self {
      case .or: 1
      case .and: 2
      case .equal, .unequal, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn: 3
      case .add, .subtract: 4
      case .multiply, .divide, .remainder: 5
      }
    }
  }

  let kind: Kind
  let range: Range<Int>
  /// Levels of nodes, this one included; long chains of operators are deep, too.
  let depth: Int

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = range
    depth = 1 + Self.children(of: kind).reduce(0) { max($0, $1.depth) }
  }

  private static func children(of kind: Kind) -> [SyntaxNode] {
    switch kind {
    case .literal, .name, .outside: []
    case .select(let base, _, _), .not(let base), .negate(let base): [base]
    case .index(let left, let right, _), .binary(_, let left, let right): [left, right]
    case .call(_, let arguments): arguments
    case .method(let base, _, let arguments): [base] + arguments
    case .list(let elements): elements
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .conditional(let condition, let first, let second): [condition, first, second]
    }
  }

  /// Written without blanks, as a selection is named: `store.users[event.id].status`.
  var rendered: String? {
    switch kind {
    case .name(let name, _): return name
    case .select(let base, let name, let isOptional):
      return base.rendered.map { "\($0)\(isOptional ? ".?" : ".")\(name.text)" }
    case .index(let base, let key, let isOptional):
      guard let base = base.rendered, let key = key.rendered else { return nil }
      return "\(base)[\(isOptional ? "?" : "")\(key)]"
    case .literal(.string(let text)): return "'\(text.string)'"
    case .literal(.int(let number)): return "\(number)"
    case .literal(.bool(let bool)): return "\(bool)"
    default: return nil
    }
  }
}
