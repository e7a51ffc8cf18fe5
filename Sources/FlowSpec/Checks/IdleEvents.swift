extension Check {
  /// What a person does and nothing comes of, whatever is the case: a button that is dead.
  ///
  /// Where a state around it would take the event, it keeps it from doing so.
  static let idleEvents: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    return machine.states.indices.flatMap { state in
      machine.states[state].on.compactMap { handler -> Diagnostic? in
        let event = machine.events[handler.event]
        guard event.kind == .person, handler.transitions.allSatisfy(\.isIdle), let first = handler.transitions.first,
          !machine.enclosing(state).dropFirst().contains(where: { machine.states[$0].takes(handler.event) })
        else { return nil }
        return Diagnostic(
          "idle-event", severity: .warning, "nothing comes of \"\(event.name)\" here", at: first.site,
          "takes it, and changes nothing", help: "add \"goto\", \"end\" or \"do\", or remove it")
      }
    }
  }
}

extension State {
  fileprivate func takes(_ event: Int) -> Bool { on.contains { $0.event == event } }
}
