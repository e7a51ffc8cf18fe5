import Expressions

extension Check {
  /// Rows that are named by what may not be there: to set or clear `users[response.json.?id]` ends the run where there is
  /// no `id`.
  ///
  /// Of what a condition looks at that has been asked by then, it may be known that it is there.
  static let unnamedRows: @Sendable (Examined) -> [Diagnostic] = { examined in
    let routes = examined.model.map { $0.routes.map(\.next) } ?? []
    let machine = examined.machine
    // A state hears an event once those in it have passed it on.
    var inside: [Heard: Set<String>] = [:]
    for (index, state) in machine.states.enumerated() {
      for handler in state.on {
        let asked = handler.transitions.asked
        if asked.isEmpty { continue }
        for outer in machine.enclosing(index).dropFirst() {
          inside[Heard(state: outer, event: handler.event), default: []].formUnion(asked)
        }
      }
    }
    let lists = routes + machine.states.map(\.next)
    return lists.flatMap { $0.unnamedRows(besides: []) }
      + machine.states.enumerated().flatMap { index, state in
        state.on.flatMap { handler in
          handler.transitions.unnamedRows(besides: inside[Heard(state: index, event: handler.event)] ?? [])
        }
      }
  }
}

private struct Heard: Hashable {
  let state, event: Int
}

extension [Transition] {
  /// What their conditions look at.
  fileprivate var asked: Set<String> { reduce(into: []) { $0.formUnion($1.asked) } }

  fileprivate func unnamedRows(besides known: Set<String>) -> [Diagnostic] {
    var asked = known
    return flatMap { transition -> [Diagnostic] in
      asked.formUnion(transition.asked)
      return transition.actions.flatMap { $0.assignments.map(\.place) + $0.cleared }.compactMap { place in
        guard case .expression(let key)? = place.row else { return nil }
        return key.unnamedRow(besides: asked)
      }
    }
  }
}

extension Transition {
  fileprivate var asked: Set<String> {
    Set((when?.expressions ?? []).flatMap(\.expression.readings).map(\.name.withDots))
  }
}

extension PlacedExpression {
  /// What comes with an event, an answer or a request; of keys each way to a state may tell.
  private static let brought = ["event.", "response.", "result.", "request."]

  fileprivate func unnamedRow(besides asked: Set<String>) -> Diagnostic? {
    guard case .optional = expression.type, let name = expression.selection,
      Self.brought.contains(where: name.hasPrefix), !name.withDots.isOf(asked)
    else { return nil }
    return Diagnostic(
      "may-be-null", severity: .warning, "\"\(name)\" may find nothing, and a row needs a name",
      at: site.inside(expression.range, from: offset), "names no row then",
      help: "come here only where present(\(name)) holds, or write \(name).orValue('…') with a name for what has none")
  }
}

extension String {
  /// A selection without the marks of what may be absent, its members behind dots: `['id']` and `.?id` are `.id`.
  fileprivate var withDots: String {
    var (dotted, rest) = ("", Substring(withoutOptionals))
    while let open = rest.firstIndex(of: "[") {
      let inside = rest[open...].dropFirst()
      guard let quote = inside.first, quote == "'" || quote == "\"",
        let end = inside.dropFirst().firstIndex(of: quote), inside[end...].dropFirst().first == "]"
      else {
        dotted += rest[...open]
        rest = inside
        continue
      }
      dotted += rest[..<open] + "." + inside[..<end].dropFirst()
      rest = inside[end...].dropFirst(2)
    }
    return dotted + rest
  }

  /// Whether it is one of some selections, or a part of one: `response.json.user.id` of `response.json.user`.
  fileprivate func isOf(_ selections: Set<String>) -> Bool {
    selections.contains(self)
      || utf8.indices.contains { index in
        ".[".utf8.contains(utf8[index]) && selections.contains(String(self[..<index]))
      }
  }
}
