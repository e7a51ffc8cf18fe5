extension Compiler {
  /// Notes tests of one thing that cannot tell anything together: of `a != 1 || a != 2` one always holds, of
  /// `a == 1 && a == 2` never both do.
  mutating func noteContradiction(_ sign: SyntaxNode.Operator, _ left: SyntaxNode, _ right: SyntaxNode) {
    guard let last = test(right, under: sign) else { return }
    var rest = left
    while true {
      var (before, isLast) = (rest, true)
      if case .binary(sign, let more, let other) = rest.kind { (rest, before, isLast) = (more, other, false) }
      if let earlier = test(before, under: sign), earlier.name == last.name, !earlier.value.celEquals(last.value) {
        return facts.doubts.append((contradiction(sign, last, at: right.range), lets.open.last))
      }
      if isLast { return }
    }
  }

  private func contradiction(
    _ sign: SyntaxNode.Operator, _ test: ToldApart, at range: Range<Int>
  ) -> ExpressionProblem {
    // What is written out in it may be a secret.
    let name = test.isNamed ? "\"\(test.name)\"" : "this"
    let (message, help) =
      sign == .or
      ? ("\(name) always differs from one of two, so this holds at all times", "write && where it shall be neither")
      : ("\(name) is never two things at once, so this holds at no time", "write || where it may be either")
    return ExpressionProblem(
      code: "constant-condition", message: message, range: range, label: "compared with something else before",
      help: help)
  }

  /// What compares with something that is written out, such that two of them say nothing together.
  private func test(_ node: SyntaxNode, under sign: SyntaxNode.Operator) -> ToldApart? {
    let compares: SyntaxNode.Operator = sign == .or ? .unequal : .equal
    guard case .binary(compares, let left, let right) = node.kind else { return nil }
    for (tested, other) in [(left, right), (right, left)] {
      if case .literal(let value) = other.kind, tested.isSelection {
        return ToldApart(name: text(tested.range), isNamed: tested.isName, value: value)
      }
    }
    return nil
  }
}

/// Something that is compared with what is written out.
private struct ToldApart {
  let name: String
  /// Whether it is made of names alone.
  let isNamed: Bool
  let value: Value
}

extension SyntaxNode {
  fileprivate var isName: Bool {
    switch kind {
    case .name: true
    case .select(let base, _, _): base.isName
    default: false
    }
  }

  /// Whether it is a name or something of it, which is the same wherever it stands in an expression.
  fileprivate var isSelection: Bool {
    switch kind {
    case .name: true
    case .select(let base, _, _): base.isSelection
    case .index(let base, let key, _): base.isSelection && key.isSettled
    case .method(let base, _, let arguments): base.isSelection && arguments.allSatisfy(\.isSettled)
    default: false
    }
  }

  private var isSettled: Bool { if case .literal = kind { true } else { isSelection } }
}
