extension Expression {
  /// What makes one type of another, as help where one is needed.
  static let conversions =
    "string(…), int(…), double(…), timestamp(…), duration(…) make one type of another; a == b and present(a) are bool"

  /// Parses, type-checks and compiles an expression; `expecting` is the type that its place needs, `nil` for any.
  ///
  /// Without `checked` mistakes of type and unknown names are errors when it runs, as CEL without a checker has it.
  package static func compile(
    _ source: String, in scope: Scope, expecting: ValueType? = nil, checked: Bool = true
  ) throws(ExpressionProblems) -> Expression {
    let bytes = Array(source.utf8)
    let node = try Parser.parse(bytes)
    return try compile(node, of: bytes, text: source, in: scope, expecting: expecting, checked: checked)
  }

  static func compile(
    _ node: SyntaxNode, of bytes: [UInt8], text: String, in scope: Scope, expecting: ValueType?, checked: Bool = true
  ) throws(ExpressionProblems) -> Expression {
    var compiler = Compiler(scope: scope, source: bytes, isChecked: checked)
    var term = compiler.compile(node)
    if let expecting { term = compiler.expect(expecting, term) }
    guard compiler.problems.isEmpty else { throw ExpressionProblems(compiler.problems) }
    // Taken out, they are not copied.
    var facts = Facts()
    swap(&facts, &compiler.facts)
    return Expression(text, term, facts)
  }

  /// Things worth saying that are no errors: a field that may be null, untested, meets order, arithmetic or logic.
  ///
  /// What `others` names is known to be there. Of one that meets a function it is told where `isMissing` says so of its name.
  package func warnings(
    testedElsewhere others: [String] = [], isMissing: (String) -> Bool = { _ in true }
  ) -> [ExpressionProblem] {
    if facts.nullables.isEmpty { return [] }
    var seen = Set(others + facts.tested)
    return facts.nullables.filter { nullable in
      if nullable.isOfCall, !nullable.names.allSatisfy(isMissing) { return false }
      defer { seen.formUnion(nullable.names) }
      return seen.isDisjoint(with: nullable.names)
    }.map(\.problem)
  }

  /// The names of the fields that may be null where null is an error, unless the expression asks whether they are there;
  /// `others` are known to be.
  package func nullableFields(besides others: [String]) -> Set<String> {
    Set(facts.nullables.flatMap(\.names)).subtracting(facts.tested).subtracting(others)
  }

  /// What would go wrong where a field is null, and is not told since the expression asks whether that is there.
  package struct NullProblem {
    /// Of the field: `store.until`.
    package let name: String
    /// Where it is looked at; of what stands in a let, where that is used.
    package let range: Range<Int>
    package let isOfLet: Bool
  }

  /// Of each such field, in the order in which they are looked at.
  package var problemsUnlessTested: [NullProblem] {
    facts.nullables.compactMap { nullable in
      nullable.names.first(where: facts.tested.contains).map {
        NullProblem(name: $0, range: nullable.problem.range, isOfLet: nullable.problem.cause != nil)
      }
    }
  }
}

extension Compiler {
  /// Checks the type of the whole; a condition that turns out to be no bool fails when it runs.
  mutating func expect(_ expected: ValueType, _ term: Term) -> Term {
    if expected == .bool { noteNullable(term, meets: "a condition") }
    let isNull = term.type == .null && expected != .bool
    if !isNull, !term.type.isCompatible(with: expected), !expected.isCompatible(with: term.type.unwrapped) {
      mismatch(
        "the expression gives \(term.type.title), where \(expected.title) is expected", at: term.range,
        label: term.type.title, help: expected.conversion)
    }
    if expected == .bool, case .optional = term.type {
      mismatch(
        "the expression gives an optional, where bool is expected", at: term.range, label: "optional",
        help: ".orValue(false) says what stands where there is nothing")
    }
    guard expected == .bool, term.type != .bool || term.isNullable else { return term }
    let run = term.run
    let range = term.range
    return Term(term, as: .bool) { frame throws(EvaluationError) in
      .bool(try Value.truth(run(&frame), "a condition", at: range))
    }
  }
}

extension ValueType {
  /// What gives a value of this type, as help where there is one of another.
  package var conversion: String {
    switch self {
    case .bool: "a == b, a < b and present(a) are bool"
    case .string: "string(…) makes a text of a number, a bool or a time"
    case .int: "int(…) makes a whole number of a text or of a double"
    case .double: "double(…) makes a double of a text or of an int"
    case .timestamp: "timestamp(…) makes one of a text or of seconds, and now + duration('10m') is one"
    case .duration: "duration('10m'), seconds(600) and the time between two timestamps, a - b, are durations"
    default: Expression.conversions
    }
  }
}
