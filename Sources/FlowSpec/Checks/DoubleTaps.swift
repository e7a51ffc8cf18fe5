import Expressions

extension Check {
  /// Requests that a person sends again by doing something while the answer is awaited, as by tapping a button twice, or the
  /// link in a mail.
  ///
  /// A condition on the store or the memory may keep it from that, and a decision on the way too: these are left alone. What
  /// another request on the way is answered keeps nobody from it.
  static let doubleTaps: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    let (walk, ids) = (UnattendedWalk(machine, waits: false), OwnIDs(of: examined))
    return machine.states.indices.flatMap { state in
      machine.states[state].on.flatMap { handler -> [Diagnostic] in
        let event = machine.events[handler.event]
        guard event.kind == .person || event.kind == .link else { return [] }
        return handler.transitions.takenAnyway.compactMap { transition in
          let sent = walk.request(behind: UnattendedWay(transition, of: state)) { request, way in
            request.asksAnew && !request.isToldAgain(by: ids, despite: way.actions)
              && walk.hears(handler.event, in: way.state, by: state)
          }
          guard let (request, way) = sent else { return nil }
          let what = event.kind == .link ? "a link that is tapped twice" : "a double tap"
          return Diagnostic(
            "unsafe-retry", severity: .warning,
            "\"\(event.name)\" sends this \(request.method) again while its answer is awaited: \(what) does it twice",
            at: transition.site, "is taken then, too",
            help: way.names.joined(separator: " → ") + ": \(event.adviceOnDoubleTap), "
              + "or send an \"Idempotency-Key\" that is made before and stays the same")
        }
      }
    }
  }
}

extension Event {
  /// A link is heard everywhere, as it starts the app: it stays for what it brought already, and another one is taken.
  fileprivate var adviceOnDoubleTap: String {
    guard kind == .link, let field = fields.fields.first(where: { $0.secret != nil }) ?? fields.fields.first else {
      return "hear it only in the state that waits for it, let it stay here (\"on\": {\"\(name)\": {}})"
    }
    return "let the same link stay here (\"on\": {\"\(name)\": {\"when\": \"same(event.\(field.name), …)\"}}, by the "
      + "key that keeps what it brought)"
  }
}

extension UnattendedWalk {
  /// Whether a state takes an event that happens in another: it stands around that, or calls the sub-flow that has it, and
  /// none between them names the event.
  func hears(_ event: Int, in inner: Int, by outer: Int) -> Bool {
    var (pending, seen) = ([inner], Set<Int>())
    while let index = pending.popLast() {
      if index == outer { return true }
      let state = machine.states[index]
      guard seen.insert(index).inserted, !state.on.contains(where: { $0.event == event }) else { continue }
      pending += machine.outside(index, callers)
    }
    return false
  }
}
