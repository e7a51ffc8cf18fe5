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
    lazy var scope = examined.scopeOfStatuses
    return examined.machine.states.compactMap { state -> Diagnostic? in
      guard case .request(let request) = state.activity else { return nil }
      let conditions = state.next.compactMap(\.when) + [request.retry?.when].compactMap(\.self)
      let mentions = conditions.flatMap { $0.mentions(of: "status") }
      guard let (status, comparison, site) = mentions.lazy.compactMap(goodStatus(askedBy:_:)).first,
        let (model, route) = examined.surelyAsks(request)
      else { return nil }
      let given = model.goodStatuses(of: route, &known)
      let isAskedFor = given.contains { status in conditions.contains { $0.asks(for: status, in: scope) } }
      if given.isEmpty || isAskedFor { return nil }
      return Diagnostic(
        "strange-status", severity: .warning, "\(route.line) of \"\(model.name)\" never answers \(status)",
        // A let may be right elsewhere.
        at: comparison.definition == nil ? site.inside(comparison.range) : site, "asks for \(status)",
        help: "it answers \(given.sorted().map(String.init).listed)")
    }
  }

  /// The good status that a comparison asks for by itself; `nil` for none.
  private static func goodStatus(
    askedBy comparison: Comparison, _ site: Site
  ) -> (status: Int64, comparison: Comparison, site: Site)? {
    comparison.numbers.first { goodStatuses.contains($0) && comparison.holds(for: $0) }.map { ($0, comparison, site) }
  }

  fileprivate static let goodStatuses: Range<Int64> = 200..<400
}

extension Condition {
  /// Whether it looks at the status of an answer and may hold for this one, whatever else is so.
  ///
  /// In `status == 401 && status != 403` the second holds for many for which the whole does not.
  fileprivate func asks(for status: Int64, in scope: Scope) -> Bool {
    guard mentions(of: "status").contains(where: { $0.comparison.holds(for: status) }) else { return false }
    return PartialCondition(self, in: scope).holds(for: status) != false
  }
}

extension ServiceModel {
  /// Those that a route may answer when it does what is asked; of one that leads on, those of all states.
  fileprivate func goodStatuses(of route: Route, _ known: inout [ObjectIdentifier: Set<Int64>]) -> Set<Int64> {
    let own = Self.goodStatuses(of: route.next + sometimes)
    guard route.goesOn else { return own }
    let ofStates = known[ObjectIdentifier(self)] ?? Self.goodStatuses(of: machine.transitions)
    known[ObjectIdentifier(self)] = ofStates
    return own.union(ofStates)
  }

  private static func goodStatuses(of transitions: [Transition]) -> Set<Int64> {
    Set(transitions.replies.map { Int64($0.status) }.filter(Check.goodStatuses.contains))
  }
}
