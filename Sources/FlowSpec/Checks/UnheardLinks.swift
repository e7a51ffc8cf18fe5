import Expressions

extension Check {
  /// Links that are heard in none of the states to which an app comes by itself when it is opened: whoever opens the mail
  /// after the app was closed is not heard.
  static let unheardLinks: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    guard examined.model == nil, machine.events.contains(where: { $0.kind == .link }) else { return [] }
    let rests = Onward(machine, pastAnswers: true).launch.filter {
      if case .none = machine.states[$0].activity { !machine.states[$0].decides } else { false }
    }
    if rests.isEmpty { return [] }
    let around = machine.around(rests)
    let heard = Set(around.flatMap { machine.states[$0].on.map(\.event) })
    var told = heard
    return machine.states.flatMap(\.on).compactMap { handler in
      let event = machine.events[handler.event]
      guard event.kind == .link, told.insert(handler.event).inserted, let first = handler.transitions.first else {
        return nil
      }
      return Diagnostic(
        "unheard-link", severity: .warning,
        "whoever opens \"\(event.name)\" after the app was closed is not heard", at: first.site,
        "is where no launch comes to by itself",
        help:
          "hear it in \"\(machine.states[rests[0]].name)\", too, or on the flow itself; what has to be known then, keep "
          + "in \"store\"")
    }
  }
}
