import Expressions

extension Check {
  /// Keys that a `retry` clears and its next try sends where a value is needed: that try ends the run.
  ///
  /// What the sub-flow sets that it calls, and what an event may set meanwhile, is there again.
  static let clearedBetweenTries: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let retried = machine.requests.filter {
      $0.retry?.actions.contains { !$0.cleared.isEmpty || $0.setsNothing } == true
    }
    if retried.isEmpty { return [] }
    let graph = examined.paths?.graph ?? StateGraph(machine)
    let staying = examined.transitions.filter(\.target.isStay).flatMap(\.actions).flatMap(\.assignments)
    let setMeanwhile = Set(staying.compactMap(\.place.nameOfValue))
    let routines = Set(retried.compactMap { $0.retry?.call })
    let set = Dictionary(
      uniqueKeysWithValues: routines.map { routine in
        (routine, graph.actions(calledIn: routine).flatMap(\.assignments).map(\.place))
      })
    return retried.flatMap { request -> [Diagnostic] in
      guard let retry = request.retry else { return [] }
      let called = retry.call.flatMap { set[$0] } ?? []
      let cleared = EmptiedKeys().behind(retry.actions).without(called).without(names: setMeanwhile)
      var told: Set<String> = []
      return request.written.flatMap { placed in
        placed.template.expressions.compactMap { expression in
          guard let (name, site) = cleared.first(in: expression), request.fails(without: name, in: expression, placed),
            told.insert(name).inserted
          else { return nil }
          return Diagnostic(
            "may-be-null", severity: .warning, "\(name) is null in the next try: the \"retry\" has cleared it",
            at: placed.site, "is sent again",
            help: "clear it behind the last answer, or have the \"retry\" \"call\" what sets it anew",
            related: (site, "is cleared here"))
        }
      }
    }
  }
}

extension RequestSpec {
  /// Whether an expression in one of its texts cannot do without a key: null by itself may stand in JSON alone.
  fileprivate func fails(without name: String, in expression: Expression, _ placed: PlacedTemplate) -> Bool {
    if expression.nullableFields(besides: []).contains(name) { return true }
    guard expression.selection == name else { return false }
    guard placed.template.isAlone, case .json(let json) = body else { return true }
    return !json.placed.contains { $0 === placed }
  }
}

extension StateGraph {
  /// What the sub-flow does that a `retry` calls, and what that calls in turn.
  func actionsCalled(by retry: Retry) -> [Action] { retry.call.map { actions(calledIn: $0) } ?? [] }

  /// What a sub-flow does, and what that calls in turn.
  func actions(calledIn routine: Int) -> [Action] {
    active(from: [machine.routines[routine].root]).map { machine.states[$0] }.flatMap {
      $0.entry + $0.transitions.flatMap(\.actions)
    }
  }
}

extension Action {
  fileprivate var setsNothing: Bool { assignments.contains(where: \.value.isNothing) }
}
