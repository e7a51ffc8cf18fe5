import Expressions

extension Examined {
  /// Whether something goes on with the code of an answer, and nothing looks at the `state` that came with any.
  var takesAnyAnswer: Bool { readsOfAnswers("code") && !readsOfAnswers("state") }

  /// Whether something reads such a member of what comes back: where a redirect or a link is heard, or of an answer that
  /// redirects.
  private func readsOfAnswers(_ member: String) -> Bool {
    let heard = machine.states.flatMap(\.on).filter { machine.events[$0.event].name.isOfAddress }.flatMap(\.transitions)
    return heard.contains { $0.asks(for: member) || $0.takes(member) }
      || expressions.contains { $0.expression.reads(member, below: "response.redirect") }
  }

  /// Transitions that take the code of an authorization request's answer without a look at its `state`, where other
  /// places look at that.
  ///
  /// A look at what they take along, in a later state, counts: they read the `state` themselves then.
  func placesOfUnheldStates(sent: Site?) -> [Diagnostic] {
    guard let sent, !takesAnyAnswer else { return [] }
    let awaited = AwaitedStates(self)
    return machine.states.indices.flatMap { index in
      machine.states[index].on.flatMap { handler -> [Diagnostic] in
        guard awaited.comes(to: index, with: handler.event), !awaited.isLookedAt(within: index, handler.event)
        else { return [] }
        var isHeld = false
        return handler.transitions.compactMap { transition in
          let takesCode = transition.takes("code")
          let looks = transition.asks(for: "state") || transition.takes("state")
          // Of the others it takes away what is not the same, or what is.
          isHeld = isHeld || looks && !takesCode
          return takesCode && !looks && !isHeld ? unheldState(taken: transition, sent: sent) : nil
        }
      }
    }
  }

  private func unheldState(taken transition: Transition, sent: Site) -> Diagnostic {
    Diagnostic(
      "weak-grant", severity: .warning, "the app goes on with the code of anybody who sends it one here",
      at: transition.site, "takes a code whose \"state\" it does not look at",
      help: "go on where that is what was sent, as same(event.state, memory.state) asks (RFC 6749, section 10.12)",
      related: (sent, "is held against other answers alone"))
  }
}

/// Where a `state` comes back, and who looks at it first: worked out once for all states.
private struct AwaitedStates {
  private let machine: Machine
  /// By state whether all that it opens when it is entered are requests with a `state`; `nil` where it opens nothing.
  private let openedWith: [Bool?]
  /// The same of all that is opened anywhere.
  private let allAreOpenedWith: Bool
  /// By event the states around those that hear it and look at the `state`.
  private let aroundGuards: [Int: Set<Int>]

  init(_ examined: Examined) {
    let machine = examined.machine
    openedWith = machine.states.map { $0.entry.opens.sendState }
    allAreOpenedWith = examined.actions.opens.sendState ?? true
    var guards: [Int: [Int]] = [:]
    for (index, state) in machine.states.enumerated() {
      for handler in state.on where handler.guardsState { guards[handler.event, default: []].append(index) }
    }
    let callers = machine.callers
    aroundGuards = guards.mapValues { guards in
      var (around, pending) = (Set<Int>(), guards)
      while let inner = pending.popLast() {
        pending += machine.outside(inner, callers).filter { around.insert($0).inserted }
      }
      return around
    }
    self.machine = machine
  }

  /// Whether what an event brings to a state surely answers a request with a `state`: the state opens such a one itself,
  /// or nothing else is opened.
  func comes(to index: Int, with event: Int) -> Bool {
    let isRedirect = event == machine.redirected
    guard isRedirect || machine.events[event].name.isOfAddress, machine.events[event].hasField("state") else {
      return false
    }
    let own = machine.enclosing(index).compactMap { openedWith[$0] }
    return own.isEmpty ? allAreOpenedWith : !own.contains(false)
  }

  /// Whether a state within this one, or in a sub-flow that it calls, hears the event first and looks at the `state`.
  func isLookedAt(within outer: Int, _ event: Int) -> Bool { aroundGuards[event]?.contains(outer) == true }
}

extension EventHandler {
  fileprivate var guardsState: Bool { transitions.contains { $0.asks(for: "state") && !$0.takes("code") } }
}

extension Event {
  fileprivate func hasField(_ name: String) -> Bool { fields.fields.contains { $0.name == name } }
}

extension [PageTarget] {
  /// Whether all of them are authorization requests with a `state`; `nil` where there are none.
  fileprivate var sendState: Bool? { isEmpty ? nil : allSatisfy(\.sendsState) }
}

extension PageTarget {
  /// Whether it is an authorization request with a `state`.
  fileprivate var sendsState: Bool {
    ["response_type", "state"].allSatisfy { name in query.contains { $0.name == name } }
  }
}

extension Transition {
  /// Whether its condition looks at such a field of the event.
  fileprivate func asks(for member: String) -> Bool {
    (when?.expressions ?? []).contains { $0.expression.reads(member, below: "event") }
  }

  /// Whether it sets something to such a field of the event, or to what is made of it.
  fileprivate func takes(_ member: String) -> Bool {
    actions.flatMap(\.assignments).flatMap(\.value.placed).flatMap(\.template.expressions)
      .contains { $0.reads(member, below: "event") }
  }
}

extension Expression {
  fileprivate func reads(_ member: String, below root: String) -> Bool {
    readings.contains { MemberPath($0.name, below: root)?.parts.contains(.member(member)) == true }
  }
}
