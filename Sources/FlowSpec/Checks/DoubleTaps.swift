import Expressions

extension Check {
  /// Requests that a person sends again by doing something while the answer is awaited, as by tapping a button twice.
  ///
  /// A condition on the store or the memory may keep it from that, and a decision on the way too: these are left alone.
  static let doubleTaps: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    let callers = machine.callers
    return machine.states.indices.flatMap { state in
      machine.states[state].on.flatMap { handler -> [Diagnostic] in
        let event = machine.events[handler.event]
        guard event.kind == .person else { return [] }
        return handler.takenAnyway.compactMap { transition in
          guard case .state(let target) = transition.target,
            let sent = machine.requestSent(behind: target, from: state),
            !sent.request.isToldAgain(despite: transition.actions + sent.actions),
            machine.hears(handler.event, in: sent.state, by: state, callers)
          else { return nil }
          return Diagnostic(
            "unsafe-retry", severity: .warning,
            "\"\(event.name)\" sends this \(sent.request.method) again while its answer is awaited: "
              + "a double tap does it twice",
            at: transition.site, "is taken then, too",
            help: sent.way.joined(separator: " → ") + ": hear it only in the state that waits for it, let it stay here "
              + "(\"on\": {\"\(event.name)\": {}}), or send an \"Idempotency-Key\" that is made before and stays the same"
          )
        }
      }
    }
  }
}

extension EventHandler {
  /// Its transitions up to one that the app's own state decides.
  fileprivate var takenAnyway: [Transition] {
    var taken: [Transition] = []
    for transition in transitions {
      if let when = transition.when, when.readsOwnState { break }
      taken.append(transition)
      if transition.when == nil { break }
    }
    return taken
  }
}

extension Condition {
  fileprivate var readsOwnState: Bool {
    expressions.contains { placed in
      placed.expression.facts.references.contains { $0.first == "store" || $0.first == "memory" }
    }
  }
}

extension Machine {
  private static let longestWay = 8

  /// By routine, the states that call it.
  fileprivate var callers: [Int: [Int]] {
    states.indices.reduce(into: [:]) { callers, index in
      for routine in states[index].calls { callers[routine, default: []].append(index) }
    }
  }

  /// The POST or PATCH that is sent at once behind a state, with its state, the names of the states on the way and what
  /// these do; `nil` where somebody waits or decides before.
  fileprivate func requestSent(
    behind target: Int, from source: Int
  ) -> (request: RequestSpec, state: Int, way: [String], actions: [Action])? {
    let border = border(source: source, target: target)
    let entered = enclosing(target).prefix { $0 != border }
    var (state, way, actions) = (target, [String](), entered.flatMap { states[$0].entry })
    while way.count < Self.longestWay {
      while let start = states[state].start {
        state = start
        actions += states[state].entry
      }
      way.append(states[state].name)
      switch states[state].activity {
      case .request(let request) where request.asksAnew:
        return (request, state, way, actions)
      case .none:
        guard let next = states[state].next.onlyTarget else { return nil }
        state = next
      case .call(let routine): state = routines[routine].root
      default: return nil
      }
      actions += states[state].entry
    }
    return nil
  }

  /// Whether a state takes an event that happens in another: it stands around that, or calls the sub-flow that has it, and
  /// none between them names the event.
  fileprivate func hears(_ event: Int, in inner: Int, by outer: Int, _ callers: [Int: [Int]]) -> Bool {
    var (pending, seen) = ([inner], Set<Int>())
    while let state = pending.popLast() {
      if state == outer { return true }
      guard seen.insert(state).inserted, !states[state].on.contains(where: { $0.event == event }) else { continue }
      pending += states[state].parent.map { [$0] } ?? callers[states[state].routine] ?? []
    }
    return false
  }
}
