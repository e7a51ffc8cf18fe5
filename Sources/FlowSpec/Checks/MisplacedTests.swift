import Expressions

extension Check {
  /// Expressions that ask whether a field is there, and look at it where it is not: `present(a) || a > 3`, where `&&` is
  /// meant.
  static let misplacedTests: @Sendable (Examined) -> [Diagnostic] = { examined in
    lazy var lets = examined.machine.lets
    // What stands in a list, or is done, others may have tested for.
    return examined.transitions.compactMap(\.line).compactMap { placed in
      let problems = placed.expression.problemsUnlessTested
      guard let problem = problems.first(where: { examined.fails(placed, without: $0, lets) }) else { return nil }
      let name = problem.name
      return Diagnostic(
        "may-be-null", severity: .warning,
        "\"\(name)\" is looked at where it is null, though this asks whether it is there",
        at: problem.isOfLet ? placed.site : placed.site.inside(problem.range, from: placed.offset),
        "fails where it is null",
        help:
          "write present(\(name)) && … for where it has to be there, !present(\(name)) || … for where it may be missing"
      )
    }
  }
}

extension Examined {
  /// Whether an expression that reads nothing but one field is an error where that is null.
  fileprivate func fails(
    _ placed: PlacedExpression, without problem: Expression.NullProblem, _ lets: [String: Let]
  ) -> Bool {
    let path = problem.name.withoutOptionals.split(separator: ".").map(String.init)
    let roots: [String: Root] = ["store": .store, "memory": .memory, "event": .event]
    guard path.count == 2, let root = roots[path[0]],
      placed.expression.facts.references.allSatisfy({ $0 == path }),
      var field = placed.expression.readings.first(where: { $0.name.withoutOptionals == problem.name.withoutOptionals }
      )?
      .field
    else { return false }
    field.name = path[1]
    let type = ObjectType(title: path[0], fields: [field])
    let scope = Scope(
      variables: [Scope.Variable(name: path[0], type: .object(type), root: root.rawValue)], lets: lets)
    guard let expression = try? Expression.compile(placed.expression.source, in: scope) else { return false }
    var frame = Frame(knowing: [.null], of: root, budget: 10_000)
    return (try? expression.evaluate(&frame)) == nil
  }
}
