/// What a condition asks for, by how it is written: tests that all have to hold, or any of them.
package indirect enum Demand: Sendable {
  /// What is not looked into, as the bytes of its tokens: strings may be equal that are of other characters.
  case test([[UInt8]])
  case all([Demand])
  case any([Demand])

  /// How much is held against something before it is left.
  private static let mostSteps = 1_000

  /// What an expression asks for; `isNegated` where it is not to hold.
  package init(_ expression: Expression, isNegated: Bool = false) {
    let bytes = Array(expression.source.utf8)
    // It was read before.
    guard let tokens = try? Lexer.tokens(of: bytes), let node = try? Parser.parse(tokens) else {
      self = .test([bytes])
      return
    }
    self.init(node, isNegated) { node in
      let start = tokens.partitioningIndex { $0.range.lowerBound >= node.range.lowerBound }
      let inner = tokens[start...].prefix { node.range.contains($0.range.lowerBound) }.withoutOuterBrackets
      let words = inner.map { Array(bytes[$0.range]) }
      // Where it stands beside something else, its own operators bind tighter.
      return node.isOperation ? [Array("(".utf8)] + words + [Array(")".utf8)] : words
    }
  }

  private init(_ node: SyntaxNode, _ isNegated: Bool, _ words: (SyntaxNode) -> [[UInt8]]) {
    switch node.kind {
    case .not(let inner): self.init(inner, !isNegated, words)
    case .binary(.and, let left, let right), .binary(.or, let left, let right):
      let parts = [left, right].map { Demand($0, isNegated, words) }
      let isAll = if case .binary(.and, _, _) = node.kind { !isNegated } else { isNegated }
      self = isAll ? .all(parts) : .any(parts)
    case .binary(let sign, let left, let right) where [.equal, .unequal].contains(sign):
      // The same with its sides exchanged.
      let sides = [left, right].map(words).sorted { $0.joined().lexicographicallyPrecedes($1.joined()) }
      let isEqual = (sign == .equal) != isNegated
      self = .test(sides[0] + [Array((isEqual ? "==" : "!=").utf8)] + sides[1])
    default: self = .test((isNegated ? [Array("!".utf8)] : []) + words(node))
    }
  }

  /// Whether it surely holds where another does, as that asks for all of it; false also where that takes long to tell.
  package func holds(where other: Demand) -> Bool {
    var steps = 0
    return holds(where: other, &steps)
  }

  private func holds(where other: Demand, _ steps: inout Int) -> Bool {
    steps += 1
    guard steps < Self.mostSteps else { return false }
    switch (self, other) {
    case (_, .any(let others)): return others.allSatisfy { holds(where: $0, &steps) }
    case (.all(let parts), _): return parts.allSatisfy { $0.holds(where: other, &steps) }
    case (.any(let parts), _) where parts.contains { $0.holds(where: other, &steps) }: return true
    case (_, .all(let others)): return others.contains { holds(where: $0, &steps) }
    case (.test(let own), .test(let same)): return own == same
    default: return false
    }
  }
}

extension SyntaxNode {
  fileprivate var isOperation: Bool {
    switch kind {
    case .not, .negate, .binary, .conditional: true
    default: false
    }
  }
}

extension Array {
  /// The first place from which on something holds that holds for none before it.
  package func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension ArraySlice<Token> {
  /// Without brackets around all of it.
  fileprivate var withoutOuterBrackets: ArraySlice<Token> {
    var inner = self
    while let first = inner.first, first.is("("), let end = inner.last, end.is(")") {
      var depth = 0
      let closes = inner.firstIndex { token in
        depth += token.is("(") ? 1 : token.is(")") ? -1 : 0
        return depth == 0
      }
      guard closes == inner.indices.last else { break }
      inner = inner.dropFirst().dropLast()
    }
    return inner
  }
}
