package enum Condition: Sendable {
  case expression(PlacedExpression)
  case all([Condition])
  case any([Condition])
  indirect case not(Condition)
}

extension Condition {
  /// The expressions it is made of, in order.
  var expressions: [PlacedExpression] {
    switch self {
    case .expression(let placed): [placed]
    case .all(let parts), .any(let parts): parts.flatMap(\.expressions)
    case .not(let part): part.expressions
    }
  }
}
