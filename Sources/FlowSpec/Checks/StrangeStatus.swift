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
    var known = KnownStatuses()
    lazy var scope = examined.scopeOfStatuses
    return examined.machine.states.compactMap { state -> Diagnostic? in
      guard case .request(let request) = state.activity else { return nil }
      let conditions = state.next.compactMap(\.when) + [request.retry?.when].compactMap(\.self)
      let mentions = conditions.flatMap { $0.mentions(of: "status") }
      guard let (status, comparison, site) = mentions.lazy.compactMap(goodStatus(askedBy:_:)).first,
        let (model, route) = examined.surelyAsks(request)
      else { return nil }
      let given = known.statuses(of: route, in: model)
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

/// The good answers of routes, worked out once for each state.
private struct KnownStatuses {
  private var behind = StatesBehind()
  /// Of the states of each model, and of all of them.
  private var known: [ObjectIdentifier: (each: [Set<Int64>], all: Set<Int64>)] = [:]

  /// Those that a route may answer when it does what is asked, a state behind it included.
  mutating func statuses(of route: Route, in model: ServiceModel) -> Set<Int64> {
    let own = Self.goodStatuses(of: model.ownTransitions(of: route))
    let states = behind.states(behind: route, in: model)
    if states?.isEmpty == true { return own }
    let ofModel = known[ObjectIdentifier(model)] ?? Self.ofStates(of: model.machine)
    known[ObjectIdentifier(model)] = ofModel
    guard let states else { return own.union(ofModel.all) }
    return states.reduce(into: own) { $0.formUnion(ofModel.each[$1]) }
  }

  private static func ofStates(of machine: Machine) -> (each: [Set<Int64>], all: Set<Int64>) {
    let each = machine.states.map { goodStatuses(of: $0.transitions) }
    return (each, each.reduce(into: []) { $0.formUnion($1) })
  }

  private static func goodStatuses(of transitions: [Transition]) -> Set<Int64> {
    Set(transitions.replies.map { Int64($0.status) }.filter(Check.goodStatuses.contains))
  }
}
