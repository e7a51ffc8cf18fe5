extension Compiler {
  mutating func arithmeticTerm(
    _ sign: SyntaxNode.Operator, _ left: Term, _ right: Term, _ meeting: Meeting?, at range: Range<Int>
  ) -> Term {
    noteNullable(left, meets: "\"\(sign.rawValue)\"")
    noteNullable(right, meets: "\"\(sign.rawValue)\"")
    let type = Self.result(of: sign, left.type, right.type)
    if type == nil {
      let help = help(for: left, right)
      mismatch(
        "\"\(sign.rawValue)\" does not work on \(left.type.title) and \(right.type.title)", at: range,
        label: "\(left.type.title) \(sign.rawValue) \(right.type.title)",
        help: help)
    }
    if sign == .divide || sign == .remainder, left.type == .int, right.constant == .int(0) {
      // It is no error before it runs: `true || 1 / 0 == 1` is true in CEL.
      let problem = ExpressionProblem(
        code: "division-by-zero", message: "an int is divided by 0, which is an error whenever it runs",
        range: place(range), label: "always fails")
      note(problem, of: text(range), at: range)
    }
    let result = type ?? .dyn
    return Term(
      result, range, secret: result.carriesText ? left.secret ?? right.secret : nil,
      freshness: sign != .add ? .none : left.freshness == right.freshness ? left.freshness : .part,
      Self.arithmetic(sign, left, right, meeting, at: range))
  }

  private static func arithmetic(
    _ sign: SyntaxNode.Operator, _ left: Term, _ right: Term, _ meeting: Meeting?, at range: Range<Int>
  ) -> Code {
    let (first, second) = (left.run, right.run)
    return { frame throws(EvaluationError) in
      let value = try first(&frame)
      let other = try second(&frame)
      try frame.spend(on: value, at: range)
      try frame.spend(on: other, at: range)
      if frame.times != nil { meeting?.note(value, other, in: &frame) }
      return try Value.arithmetic(sign, value, other, at: range)
    }
  }

  private func help(for left: Term, _ right: Term) -> String? {
    let types = [left.type, right.type]
    if types.contains(.timestamp) || types.contains(.duration) {
      if types.contains(.int) || types.contains(.double) {
        return EvaluationError.durationOfNumber
      }
      if let string = [left, right].first(where: { $0.type == .string }) { return durationHelp(string) }
    }
    return types.contains(.string) ? "string(…) makes a string of a number" : Self.optionalHelp(left, right)
  }

  static func optionalHelp(_ terms: Term...) -> String? {
    terms.contains { $0.type.isOptional } ? "orValue(…) says what stands where there is nothing" : nil
  }

  /// `nil` when the operator has no such overload.
  private static func result(of sign: SyntaxNode.Operator, _ left: ValueType, _ right: ValueType) -> ValueType? {
    if case .list = left, case .list = right, sign == .add { return left.joined(with: right) }
    let numbers: [ValueType] =
      switch sign {
      case .add: [.int, .double, .string]
      case .remainder: [.int]
      default: [.int, .double]
      }
    switch (left, right) {
    case (.dyn, .dyn): return .dyn
    case (let known, let other) where numbers.contains(known) && (other == known || other == .dyn): return known
    case (.dyn, let known) where numbers.contains(known): return known
    default: break
    }
    guard sign == .add || sign == .subtract else { return nil }
    switch (left, right) {
    case (.list, .dyn) where sign == .add, (.dyn, .list) where sign == .add: return .list(.dyn)
    case (.duration, .duration): return .duration
    case (.timestamp, .duration): return .timestamp
    case (.timestamp, .timestamp) where sign == .subtract, (.dyn, .timestamp) where sign == .subtract: return .duration
    case (.duration, .dyn) where sign == .subtract: return .duration
    case (.duration, .timestamp) where sign == .add, (.timestamp, .dyn) where sign == .add: return .timestamp
    case (.dyn, .timestamp) where sign == .add: return .timestamp
    case (.dyn, .duration), (.duration, .dyn), (.timestamp, .dyn): return .dyn
    default: return nil
    }
  }

  mutating func notTerm(_ node: SyntaxNode, at range: Range<Int>) -> Term {
    let known = facts.comparisons.count
    let operand = compile(node)
    for index in known..<facts.comparisons.count { facts.comparisons[index].isNegated.toggle() }
    expectBool(operand, "\"!\"")
    let test = operand.truth("\"!\"", at: range).run
    return Term(range) { frame throws(EvaluationError) in try !test(&frame) }
  }

  mutating func negateTerm(_ node: SyntaxNode, at range: Range<Int>) -> Term {
    let operand = compile(node)
    noteNullable(operand, meets: "\"-\"")
    if operand.type.shape.isDisjoint(with: [.int, .double]) {
      mismatch("\"-\" does not work on \(operand.type.title)", at: range, label: operand.type.title)
    }
    let run = operand.run
    return Term(operand.type, range) { frame throws(EvaluationError) in try Value.negate(try run(&frame), at: range) }
  }
}
