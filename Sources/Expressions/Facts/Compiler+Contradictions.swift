extension Compiler {
  /// Notes tests of one thing that cannot tell anything together: of `a != 1 || a != 2` one always holds, of
  /// `a == 1 && a == 2`, `a > 5 && a < 3` and `a && !a` never both do.
  mutating func noteContradiction(_ sign: SyntaxNode.Operator, _ left: SyntaxNode, _ right: SyntaxNode) {
    guard let last = test(right, under: sign) else { return }
    var rest = left
    while true {
      var (before, isLast) = (rest, true)
      if case .binary(sign, let more, let other) = rest.kind { (rest, before, isLast) = (more, other, false) }
      if let earlier = test(before, under: sign), earlier.name == last.name, earlier.excludes(last) {
        let areWords = earlier.sign == .equal && last.sign == .equal && !last.isTruth && !earlier.isTruth
        let problem = areWords ? differing(sign, last, at: right.range) : excluding(sign, at: right.range)
        return facts.doubts.append((problem, lets.open.last))
      }
      if isLast { return }
    }
  }

  private func differing(_ sign: SyntaxNode.Operator, _ test: ToldApart, at range: Range<Int>) -> ExpressionProblem {
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

  private func excluding(_ sign: SyntaxNode.Operator, at range: Range<Int>) -> ExpressionProblem {
    let (message, help) =
      sign == .or
      ? ("this holds wherever what stands before does not, so one of them always does", "write && to ask for both")
      : ("this never holds where what stands before does, so both never do", "write || to ask for either")
    return ExpressionProblem(
      code: "constant-condition", message: message, range: range, label: "excluded by what stands before", help: help)
  }

  /// What asks one thing of something: a comparison with what is written out, or whether it is true; under `||` what has
  /// to hold for it not to.
  private func test(_ node: SyntaxNode, under sign: SyntaxNode.Operator) -> ToldApart? {
    var (node, isNegated) = (node, sign == .or)
    while case .not(let inner) = node.kind { (node, isNegated) = (inner, !isNegated) }
    if case .binary(let compares, let left, let right) = node.kind {
      guard let mirrored = compares.mirrored else { return nil }
      for (tested, other, sign) in [(left, right, compares), (right, left, mirrored)] {
        if case .literal(let value) = other.kind, tested.isSelection {
          let sign = isNegated ? sign.opposite : sign
          return ToldApart(name: text(tested.range), isNamed: tested.isName, sign: sign, value: value)
        }
      }
      return nil
    }
    guard node.isSelection || node.isTestOfSelection else { return nil }
    return ToldApart(name: text(node.range), isNamed: node.isName, sign: .equal, value: .bool(!isNegated))
  }
}

/// Something of which one thing is asked.
private struct ToldApart {
  let name: String
  /// Whether it is made of names alone.
  let isNamed: Bool
  let sign: SyntaxNode.Operator
  let value: Value

  var isTruth: Bool { if case .bool = value { true } else { false } }

  /// Whether both never hold of the same thing.
  func excludes(_ other: ToldApart) -> Bool {
    switch (sign, other.sign) {
    case (.equal, .equal): return !value.celEquals(other.value)
    case (.equal, .unequal), (.unequal, .equal): return value.celEquals(other.value)
    default:
      guard let own = numbers, let others = other.numbers else { return false }
      let (low, high) = (max(own.low, others.low), min(own.high, others.high))
      guard low == high else { return low > high }
      return !own.has(low) || !others.has(low)
    }
  }

  /// Between which numbers it lies, and whether these are among them; `nil` where it is held against no number.
  private var numbers: (low: Double, high: Double, has: (Double) -> Bool)? {
    let number: Double
    switch value {
    // Beyond that not every whole number is a double.
    case .int(let int) where int.magnitude <= 1 << 53: number = Double(int)
    case .double(let double): number = double
    default: return nil
    }
    switch sign {
    case .equal: return (number, number, { $0 == number })
    case .less: return (-.infinity, number, { $0 < number })
    case .lessOrEqual: return (-.infinity, number, { $0 <= number })
    case .greater: return (number, .infinity, { $0 > number })
    case .greaterOrEqual: return (number, .infinity, { $0 >= number })
    default: return nil
    }
  }
}

extension SyntaxNode.Operator {
  /// The same with its sides exchanged; `nil` for what compares nothing.
  var mirrored: Self? {
    switch self {
    case .equal, .unequal: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }

  /// What holds where a comparison does not.
  fileprivate var opposite: Self {
    switch self {
    case .equal: .unequal
    case .unequal: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    default: self
    }
  }
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

  /// Whether it asks something of selections: `present(store.token)`; what makes something is another each time.
  fileprivate var isTestOfSelection: Bool {
    guard case .call(let name, let arguments) = kind, Function.Form(rawValue: name.text)?.makesAnew != true else {
      return false
    }
    return arguments.allSatisfy(\.isSettled)
  }

  private var isSettled: Bool { if case .literal = kind { true } else { isSelection } }
}
