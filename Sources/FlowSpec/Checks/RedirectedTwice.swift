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
      for outer in machine.around([index]).sorted() {
        for handler in machine.states[outer].on where machine.events[handler.event].bringsCodes {
          guard walk.hears(handler.event, in: index, by: outer) else { continue }
          for (number, transition) in handler.transitions.enumerated() where left > 0 {
            left -= 1
            let keys = handler.transitions[...number].reduce(into: Set<[String]>()) {
              $0.formUnion($1.when?.keys ?? [])
            }
            let behind = onward.states(behind: [(transition, outer)]) { actions in
              actions.contains { $0.writes.contains { keys.contains($0.place.keyName) } }
            }
            let isTapped =
              machine.events[handler.event].kind == .link
              && handler.transitions.takenAnyway.contains { $0 === transition }
            guard behind.contains(index), !isTapped else { continue }
            return Diagnostic(
              "unsafe-retry", severity: .warning,
              "\"\(machine.events[handler.event].name)\" that comes twice has this code sent once more while its answer is "
                + "awaited: a server revokes what it gave for a code that comes twice",
              at: transition.siteOfChoice, "is taken then, too",
              help: "clear here what the condition holds its \"state\" against, or let it stay in "
                + "\"\(machine.states[index].name)\" (\"on\": {\"\(machine.events[handler.event].name)\": {}}; RFC 6749, "
                + "section 4.1.2)",
              related: (request.site, "sends it"))
          }
        }
      }
      return nil
    }
  }

  /// Each goes through what follows.
  private static let mostLooks = 200
}

extension Event {
  fileprivate var bringsCodes: Bool { kind == .browserRedirected || kind == .link }
}
