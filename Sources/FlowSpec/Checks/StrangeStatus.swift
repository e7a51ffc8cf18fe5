import Expressions

extension Check {
  /// Numbers that no answer has as its status: what asks for one is decided before it runs.
  static let strangeStatuses: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.expressions.flatMap { placed in
      placed.expression.facts.comparisons.compactMap { comparison in
        let strange = comparison.numbers.first { $0 != 0 && !(100..<600).contains($0) }
        guard let strange, comparison.path == ["response", "status"] else { return nil }
        let definition = comparison.definition.flatMap { examined.machine.definitions[$0] }
        return Diagnostic(
          "strange-status", severity: .warning, "no answer has the status \(strange)",
          at: (definition ?? placed.site).inside(comparison.range, from: definition == nil ? placed.offset : 0),
          "compared with \(strange)", help: "a status is 100 to 599, and 0 where no answer came")
      }
    }
  }
}

extension Check {
  /// A good answer that is asked for, where the route gives another: 200 for 201.
  ///
  /// A real service may refuse in more ways than its model does, but what it gives when all is well is known.
  static let statusesOfOthers: @Sendable (Examined) -> [Diagnostic] = { examined in
    var known: [ObjectIdentifier: Set<Int64>] = [:]
    return examined.machine.states.compactMap { state -> Diagnostic? in
      guard case .request(let request) = state.activity, case .segments(let path) = request.path,
        let model = examined.model(for: Visit(request)), let route = model.route(request.method, path)
      else { return nil }
      let given = known[ObjectIdentifier(route)] ?? model.goodStatuses(of: route)
      known[ObjectIdentifier(route)] = given
      let asked = goodStatuses(askedBy: state.next.compactMap(\.when) + [request.retry?.when].compactMap(\.self))
      guard let first = asked.first, !given.isEmpty, !asked.contains(where: { given.contains($0.status) }) else {
        return nil
      }
      let (placed, comparison) = (first.placed, first.comparison)
      return Diagnostic(
        "strange-status", severity: .warning, "\(route.line) of \"\(model.name)\" never answers \(first.status)",
        // A let may be right elsewhere.
        at: comparison.definition == nil ? placed.site.inside(comparison.range, from: placed.offset) : placed.site,
        "asks for \(first.status)", help: "it answers \(given.sorted().map(String.init).listed)")
    }
  }

  /// Those that conditions ask for one by one, and where.
  private static func goodStatuses(
    askedBy conditions: [Condition]
  ) -> [(status: Int64, comparison: Comparison, placed: PlacedExpression)] {
    conditions.flatMap(\.expressions).flatMap { placed in
      placed.expression.facts.comparisons.filter { $0.path == ["response", "status"] }.flatMap { comparison in
        comparison.numbers.filter(goodStatuses.contains).map { ($0, comparison, placed) }
      }
    }
  }

  fileprivate static let goodStatuses: Range<Int64> = 200..<400
}

extension ServiceModel {
  /// Those that a route may answer when it does what is asked; of one that leads on, those of all states.
  fileprivate func goodStatuses(of route: Route) -> Set<Int64> {
    let isDone = route.next.allSatisfy { if case .reply = $0.target { true } else { false } }
    let replies = (route.next + sometimes + (isDone ? [] : machine.transitions)).replies
    return Set(replies.map { Int64($0.status) }.filter(Check.goodStatuses.contains))
  }
}
