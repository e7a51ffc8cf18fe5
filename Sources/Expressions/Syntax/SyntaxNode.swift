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

  enum Operator: String, Sendable, CaseIterable {
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

    private static let signs = allCases.map { (sign: $0, symbol: Symbol($0.rawValue)) }

    init?(_ symbol: Symbol) {
      guard let found = Self.signs.first(where: { $0.symbol == symbol }) else { return nil }
      self = found.sign
    }

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
    (self.kind, self.range) = (kind, range)
    depth = 1 + Self.depthInside(kind)
  }

  private static func depthInside(_ kind: Kind) -> Int {
    func deepest(_ nodes: [SyntaxNode]) -> Int { nodes.reduce(0) { max($0, $1.depth) } }
    return switch kind {
    case .literal, .name, .outside: 0
    case .select(let base, _, _), .not(let base), .negate(let base): base.depth
    case .index(let left, let right, _), .binary(_, let left, let right): max(left.depth, right.depth)
    case .call(_, let arguments): deepest(arguments)
    case .method(let base, _, let arguments): max(base.depth, deepest(arguments))
    case .list(let elements): deepest(elements)
    case .map(let entries): entries.reduce(0) { max($0, $1.key.depth, $1.value.depth) }
    case .conditional(let condition, let first, let second): max(condition.depth, first.depth, second.depth)
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
