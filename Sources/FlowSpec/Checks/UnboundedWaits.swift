import Expressions

extension Check {
  /// Waits for as long as a header of an answer says, were it years: a wrong one, or one of somebody else's making, holds up
  /// the app for good.
  ///
  /// It is worked out for a header that says the year 2100, or as many seconds.
  static let unboundedWaits: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let timers = machine.states.flatMap(\.after).flatMap(\.placed.template.expressions)
    let waited = Set(timers.flatMap(\.facts.references).filter { $0[0] == "memory" || $0[0] == "store" })
    if waited.isEmpty { return [] }
    let scope = examined.scopeOfAnswers
    return examined.transitions.flatMap { transition in
      transition.actions.flatMap(\.assignments).compactMap { assignment in
        guard waited.contains(assignment.place.reference), case .template(let placed) = assignment.value,
          placed.template.isAlone, let expression = placed.template.expressions.first,
          let frame = examined.framesOfFarHeader(in: expression).first(where: { frame in
            transition.when.map { PartialCondition($0, in: scope).holds(in: frame) != false } ?? true
          }),
          let span = examined.span(of: expression.source, in: scope, frame), span > aYear
        else { return nil }
        return Diagnostic(
          "long-wait", severity: .warning, "this waits for as long as a header of the answer says, were it years",
          at: placed.site, "has no bound",
          help: "take a time that is near, as reset <= now + duration('10m') asks, or the smaller of it and that")
      }
    }
  }

  private static let aYear = Duration.seconds(366 * 24 * 60 * 60)
}

extension Examined {
  /// Answers of a busy server whose headers say the year 2100, in seconds, wherever an expression reads one; none where it
  /// reads none.
  fileprivate func framesOfFarHeader(in expression: Expression) -> [Frame] {
    var headers = ValueMap()
    for reading in expression.readings {
      guard let path = MemberPath(reading.name, below: "response.headers"), case .member(let name)? = path.parts.first
      else { continue }
      headers[name] = .string("4102444800")
    }
    return headers.count == 0 ? [] : [429, 503].map { frame(ofAnswer: $0, headers: headers) }
  }
}
