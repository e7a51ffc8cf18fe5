import Expressions

extension Check {
  /// Requests that a person sends again by doing something while the answer is awaited, as by tapping a button twice.
  ///
  /// What a condition on the store or the memory decides may keep it from that, and is left alone.
  static let doubleTaps: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    return machine.states.indices.flatMap { index -> [Diagnostic] in
      guard case .request(let request) = machine.states[index].activity, ["POST", "PATCH"].contains(request.method),
        request.idempotencyKey == nil
      else { return [] }
      return machine.heard(in: index).compactMap { handler -> Diagnostic? in
        let event = machine.events[handler.event]
        guard event.kind == .person, let (taken, way) = handler.wayBack(to: request, in: machine) else { return nil }
        return Diagnostic(
          "unsafe-retry", severity: .warning,
          "\"\(event.name)\" sends this \(request.method) again while its answer is awaited: "
            + "a double tap does it twice",
          at: taken.site, "is taken then, too",
          help: way.joined(separator: " → ") + ": take it where it is waited for alone, let it stay here "
            + "(\"on\": {\"\(event.name)\": {}}), or send an \"Idempotency-Key\"")
      }
    }
  }
}

extension Machine {
  /// What is heard in a state, by itself, by those around it or by those that call its sub-flow.
  ///
  /// The innermost that names an event takes it.
  fileprivate func heard(in state: Int) -> [EventHandler] {
    var handlers: [EventHandler] = []
    var pending = [state]
    var seen: Set<Int> = []
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      for handler in states[next].on where !handlers.contains(where: { $0.event == handler.event }) {
        handlers.append(handler)
      }
      pending += outside(next)
    }
    return handlers
  }
}

extension EventHandler {
  /// The first of its transitions that leads back to a request, with the states on the way; `nil` where there is none
  /// before one that the app's own state decides.
  fileprivate func wayBack(to request: RequestSpec, in machine: Machine) -> (Transition, [String])? {
    for transition in transitions {
      if let when = transition.when, when.readsOwnState { return nil }
      if case .state(let target) = transition.target,
        let way = machine.wayBack(to: request, from: target, hasWaited: true)
      {
        return (transition, way)
      }
      if transition.when == nil { return nil }
    }
    return nil
  }
}

extension Condition {
  fileprivate var readsOwnState: Bool {
    expressions.contains { placed in
      placed.expression.facts.references.contains { $0.first == "store" || $0.first == "memory" }
    }
  }
}
