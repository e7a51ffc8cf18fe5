extension Check {
  /// What a person does and nothing comes of, whatever is the case: a button that is dead.
  ///
  /// Where a state around it, or one that calls the sub-flow, would take the event, it keeps it from doing so.
  static let idleEvents: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    let callers = machine.callers
    return machine.states.indices.flatMap { state in
      machine.states[state].on.compactMap { handler -> Diagnostic? in
        let event = machine.events[handler.event]
        guard event.kind == .person, handler.transitions.allSatisfy(\.isIdle), let first = handler.transitions.first,
          !machine.isTaken(handler.event, around: state, callers)
        else { return nil }
        return Diagnostic(
          "idle-event", severity: .warning, "nothing comes of \"\(event.name)\" here", at: first.site,
          "takes it, and changes nothing", help: "add \"goto\", \"end\" or \"do\", or remove it")
      }
    }
  }
}

extension Machine {
  /// Whether a state around one takes an event, or one that calls the sub-flow that it is of.
  fileprivate func isTaken(_ event: Int, around state: Int, _ callers: [[Int]]) -> Bool {
    var pending = outside(state, callers)
    var seen: Set<Int> = []
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      if states[next].on.contains(where: { $0.event == event }) { return true }
      pending += outside(next, callers)
    }
    return false
  }
}
