extension Check {
  /// Redirects and mailed links that have a code redeemed, and are taken once more while its answer is awaited.
  ///
  /// Nothing on the way there changes what their conditions look at; a page that is loaded anew redirects again.
  /// A link that no condition keeps away is told as one that is tapped twice.
  static let redirectedTwice: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let (walk, onward) = (UnattendedWalk(machine, waits: false), Onward(machine, pastAnswers: false))
    var left = mostLooks
    return machine.states.indices.compactMap { index in
      guard case .request(let request) = machine.states[index].activity, request.sentCode != nil else { return nil }
      for (outer, handler) in walk.bringingCodes(to: index) {
        for number in handler.transitions.indices where left > 0 {
          left -= 1
          if onward.lead(back: handler, number, of: outer, to: index) {
            return twice(
              machine.events[handler.event].name, handler.transitions[number], request, of: machine.states[index])
          }
        }
      }
      return nil
    }
  }

  /// Each goes through what follows.
  private static let mostLooks = 200

  private static func twice(
    _ event: String, _ transition: Transition, _ request: RequestSpec, of state: State
  ) -> Diagnostic {
    Diagnostic(
      "unsafe-retry", severity: .warning,
      "\"\(event)\" that comes twice has this code sent once more while its answer is awaited: a server revokes what it gave "
        + "for a code that comes twice",
      at: transition.siteOfChoice, "is taken then, too",
      help: "clear here what the condition holds its \"state\" against, or let it stay in \"\(state.name)\" "
        + "(\"on\": {\"\(event)\": {}}; RFC 6749, section 4.1.2)",
      related: (request.site, "sends it"))
  }
}

extension UnattendedWalk {
  /// What hears redirects and mailed links while a state waits, there or around it.
  fileprivate func bringingCodes(to index: Int) -> [(outer: Int, handler: EventHandler)] {
    machine.around([index]).sorted().flatMap { outer in
      machine.states[outer].on.filter { handler in
        [.browserRedirected, .link].contains(machine.events[handler.event].kind)
          && hears(handler.event, in: index, by: outer)
      }.map { (outer, $0) }
    }
  }
}

extension Onward {
  /// Whether a transition leads to a state without a change of what lets it come to that, and is not told as a link that is
  /// tapped twice.
  fileprivate func lead(back handler: EventHandler, _ number: Int, of outer: Int, to index: Int) -> Bool {
    let transition = handler.transitions[number]
    let isTapped =
      machine.events[handler.event].kind == .link && handler.transitions.takenAnyway.contains { $0 === transition }
    if isTapped { return false }
    let keys = handler.transitions[...number].reduce(into: Set<[String]>()) { $0.formUnion($1.when?.keys ?? []) }
    return states(behind: [(transition, outer)]) { actions in
      actions.contains { $0.writes.contains { keys.contains($0.place.keyName) } }
    }.contains(index)
  }
}
