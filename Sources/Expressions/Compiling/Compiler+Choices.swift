import JSONSyntax

extension Compiler {
  mutating func conditionalTerm(
    _ conditionNode: SyntaxNode, _ firstNode: SyntaxNode, _ secondNode: SyntaxNode, at range: Range<Int>
  ) -> Term {
    let condition = compile(conditionNode, isHandedOn: false)
    expectBool(condition, "\"?:\"")
    let (first, second) = (compile(firstNode, isHandedOn: true), compile(secondNode, isHandedOn: true))
    let holdsNull = (first.type == .null && second.isNullable) || (second.type == .null && first.isNullable)
    if !holdsNull, !first.type.isCompatible(with: second.type) {
      let areScalar = Shape.scalar.isSuperset(of: [first.type.shape, second.type.shape])
      mismatch(
        "\"?:\" chooses between \(first.type.title) and \(second.type.title)", at: range, label: "two types",
        help: Self.optionalHelp(first, second) ?? (areScalar ? nil : "dyn(…) around one of them lets the type open"))
    }
    let (test, yes, no) = (condition.truth("\"?:\"", at: range).run, first.run, second.run)
    let type = holdsNull ? (first.type == .null ? second.type : first.type) : first.type.joined(with: second.type)
    var allowed: [String]?
    if let one = words(of: first, firstNode, where: conditionNode, holds: true),
      let other = words(of: second, secondNode, where: conditionNode, holds: false)
    {
      allowed = one
      allowed?.addMissing(other, by: ScalarString.init)
    }
    return Term(
      type, range, secret: first.secret ?? second.secret, isNullable: first.isNullable || second.isNullable,
      freshness: first.freshness == second.freshness ? first.freshness : .none, allowed: allowed,
      passingOn: Self.handedOn(first, second), choosing: Self.nullable(first, second)
    ) { frame throws(EvaluationError) in
      try test(&frame) ? yes(&frame) : no(&frame)
    }
  }

  /// The only strings that a branch can be, without those that the condition keeps from it.
  private func words(
    of branch: Term, _ node: SyntaxNode, where condition: SyntaxNode, holds: Bool
  ) -> [String]? {
    guard let words = branch.written, let name = branch.selection?.name else { return branch.written }
    // Through a let it is written otherwise, in both places.
    return left(of: words, at: [name, text(node.range)], where: condition, holds: holds)
  }

  /// Selections one of which the choice between two is, and that may be null.
  private static func nullable(_ first: Term, _ second: Term) -> [Term] {
    var found: [Term] = []
    for term in [first, second].flatMap({ $0.selection == nil ? $0.choices : [$0] }) where term.isNullable {
      if !found.contains(where: { $0.selection?.name == term.selection?.name }) { found.append(term) }
    }
    return found
  }

  /// What is left of the words that a selection can be where a condition holds, or does not, which holds it against words
  /// that are written out.
  private func left(of words: [String], at names: [String], where condition: SyntaxNode, holds: Bool) -> [String] {
    switch condition.kind {
    case .not(let inner): left(of: words, at: names, where: inner, holds: !holds)
    case .binary(let sign, let first, let second) where sign == (holds ? .and : .or):
      left(of: left(of: words, at: names, where: first, holds: holds), at: names, where: second, holds: holds)
    case .binary(let sign, let one, let other) where [.equal, .unequal, .isIn].contains(sign):
      switch held(one, against: other, sign, at: names) {
      case let held?: words.filter { held.contains(where: $0.isSame) == ((sign != .unequal) == holds) }
      case nil: words
      }
    default: words
    }
  }

  /// The words that a selection is held against, `nil` where it is another or they are not written out.
  private func held(
    _ one: SyntaxNode, against other: SyntaxNode, _ sign: SyntaxNode.Operator, at names: [String]
  ) -> [String]? {
    if sign == .isIn {
      guard names.contains(text(one.range)), case .list(let elements) = other.kind else { return nil }
      let words = elements.compactMap(\.word)
      return words.count == elements.count ? words : nil
    }
    if names.contains(text(one.range)) { return other.word.map { [$0] } }
    return names.contains(text(other.range)) ? one.word.map { [$0] } : nil
  }
}

extension SyntaxNode {
  /// The string that it is, where that is written out.
  fileprivate var word: String? {
    if case .literal(let value) = kind { value.text?.string } else { nil }
  }
}
