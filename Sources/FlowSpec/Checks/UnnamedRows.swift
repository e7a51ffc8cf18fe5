import Expressions

extension Check {
  /// Rows that are named by what may not be there: to set or clear `users[response.json.?id]` ends the run where there is
  /// no `id`.
  ///
  /// Of what a condition looks at that has been asked by then, it may be known that it is there.
  static let unnamedRows: @Sendable (Examined) -> [Diagnostic] = { examined in
    let routes = examined.model.map { $0.routes.map(\.next) } ?? []
    return (routes + examined.machine.states.flatMap { [$0.next] + $0.on.map(\.transitions) }).flatMap(\.unnamedRows)
  }
}

extension [Transition] {
  fileprivate var unnamedRows: [Diagnostic] {
    var asked: Set<String> = []
    return flatMap { transition -> [Diagnostic] in
      let readings = transition.when?.expressions.flatMap(\.expression.readings) ?? []
      asked.formUnion(readings.map(\.name.withoutOptionals))
      return transition.actions.flatMap { $0.assignments.map(\.place) + $0.cleared }.compactMap { place in
        guard case .expression(let key)? = place.row else { return nil }
        return key.unnamedRow(besides: asked)
      }
    }
  }
}

extension PlacedExpression {
  /// What comes with an event, an answer or a request; of keys each way to a state may tell.
  private static let brought = ["event.", "response.", "result.", "request."]

  fileprivate func unnamedRow(besides asked: Set<String>) -> Diagnostic? {
    guard case .optional = expression.type, let name = expression.selection,
      Self.brought.contains(where: name.hasPrefix), !name.withoutOptionals.isOf(asked)
    else { return nil }
    return Diagnostic(
      "may-be-null", severity: .warning, "\"\(name)\" may find nothing, and a row needs a name",
      at: site.inside(expression.range, from: offset), "names no row then",
      help: "come here only where present(\(name)) holds, or write \(name).orValue('…') with a name for what has none")
  }
}

extension String {
  /// Whether it is one of some selections, or a part of one: `response.json.user.id` of `response.json.user`.
  fileprivate func isOf(_ selections: Set<String>) -> Bool {
    selections.contains(self)
      || utf8.indices.contains { index in
        ".[".utf8.contains(utf8[index]) && selections.contains(String(self[..<index]))
      }
  }
}
