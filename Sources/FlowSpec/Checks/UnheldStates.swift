import Expressions

extension Examined {
  /// Places that go on with the code of an authorization request's answer and hold its `state` against nothing.
  ///
  /// `sent` is a `state` that is sent with one, and `changing` such a one that is not the same each time, which is told
  /// as that.
  func unheldStates(sent: Site?, changing: Site?) -> [Diagnostic] {
    guard let sent else { return [] }
    let looks = StateLooks(self)
    if looks.takesAnyAnswer { return changing.map { [unheldState(of: looks.takers, sent: $0)] } ?? [] }
    return placesOfUnheldStates(looks, sent: sent)
  }

  /// Of a flow that goes on with a code and holds the `state` of no answer against anything.
  private func unheldState(of takers: [(event: Event, transition: Transition)], sent: Site) -> Diagnostic {
    let message = "the app goes on with the code of anybody who sends it one"
    let held = "go on where that is what was sent, as same(event.state, memory.state) asks (RFC 6749, section 10.12)"
    // A link may bring a code of another kind.
    let redirected = takers.filter { $0.event.kind == .browserRedirected }
    let likely = redirected.isEmpty ? takers : redirected
    guard let taker = likely.first(where: { $0.transition.takes("code") }) ?? likely.first else {
      return Diagnostic(
        "weak-grant", severity: .warning, message, at: sent, "is held against no answer",
        help: "go on where the \"state\" that comes back is what was sent (RFC 6749, section 10.12)")
    }
    return Diagnostic(
      "weak-grant", severity: .warning, message, at: taker.transition.site,
      "goes on with a code whose \"state\" nothing is held against",
      help: taker.event.hasField("state") ? held : "give the event a field \"state\" and " + held,
      related: (sent, "is held against no answer"))
  }

  /// Transitions that take the code of an authorization request's answer without a look at its `state`, where other
  /// places look at that.
  ///
  /// A look at what they take along, in a later state, counts: they read the `state` themselves then.
  private func placesOfUnheldStates(_ looks: StateLooks, sent: Site) -> [Diagnostic] {
    let awaited = AwaitedStates(self)
    return machine.states.indices.flatMap { index in
      machine.states[index].on.flatMap { handler -> [Diagnostic] in
        guard awaited.comes(to: index, with: handler.event), !awaited.isLookedAt(within: index, handler.event)
        else { return [] }
        var isHeld = false
        return handler.transitions.compactMap { transition in
          let takesCode = transition.takes("code")
          let isLook = looks.areMade(by: transition)
          // Of the others it takes away what is not the same, or what is.
          isHeld = isHeld || isLook && !takesCode
          if !takesCode || looks.areKept(by: transition) { return nil }
          let isLooked = isLook || isHeld
          let takesAny = !isLooked || looks.letThrough.contains(ObjectIdentifier(transition))
          return takesAny ? unheldState(taken: transition, isLooked, sent: sent) : nil
        }
      }
    }
  }

  private func unheldState(taken transition: Transition, _ isLookedAt: Bool, sent: Site) -> Diagnostic {
    Diagnostic(
      "weak-grant", severity: .warning, "the app goes on with the code of anybody who sends it one here",
      at: transition.site,
      isLookedAt
        ? "takes a code whose \"state\" may be another, or missing"
        : "takes a code whose \"state\" it does not look at",
      help: "go on where that is what was sent, as same(event.state, memory.state) asks (RFC 6749, section 10.12)",
      related: (sent, "is held against other answers alone"))
  }

  /// Whether all authorization requests that are pushed (RFC 9126) have a `state`; `nil` where there are none.
  fileprivate var pushedSendState: Bool? {
    let pushed = visits.filter { $0.request?.method == "POST" }.map { visit in
      RequestPart.allCases.flatMap { visit.sent(in: $0) ?? [] }.map(\.name)
    }.filter { $0.contains("response_type") }
    return pushed.isEmpty ? nil : pushed.allSatisfy { $0.contains("state") }
  }
}

/// Who looks at the `state` of what comes back: holds it against something, or hands it to what may; who only asks
/// whether there is one does not.
private struct StateLooks {
  /// What goes on with a code that comes back.
  let takers: [(event: Event, transition: Transition)]
  /// Whether something goes on with the code of an answer, and nothing looks at the `state` that came with any.
  private(set) var takesAnyAnswer = false
  /// Keys whose value something uses, as `memory.state`.
  private let usedKeys: Set<String>
  /// What takes a code whatever its `state` is, though it may look at that.
  let letThrough: Set<ObjectIdentifier>

  init(_ examined: Examined) {
    let machine = examined.machine
    let used = examined.expressions.flatMap(\.expression.facts.used)
    usedKeys = Set(used.lazy.filter { $0.hasPrefix("store.") || $0.hasPrefix("memory.") }.map(\.key))
    let handlers = machine.states.flatMap(\.on).filter { machine.events[$0.event].name.isOfAddress }
    let heard = handlers.flatMap { handler in
      handler.transitions.map { (event: machine.events[handler.event], transition: $0) }
    }
    let letThrough = Self.letThrough(handlers, examined)
    self.letThrough = letThrough
    takers = heard.filter { $0.transition.asks(for: "code") || $0.transition.takes("code") }
    let expressions = examined.expressions.lazy.map(\.expression)
    // An answer that redirects is one, too.
    guard !takers.isEmpty || expressions.contains(where: { $0.reads("code", below: "response.redirect") }) else {
      return
    }
    takesAnyAnswer =
      !expressions.contains { $0.uses("state", below: "response.redirect") }
      && !handlers.contains { handler in
        // What stands before such a one has let others through, however it looks at them.
        let last = handler.transitions.lastIndex { letThrough.contains(ObjectIdentifier($0)) } ?? -1
        return handler.transitions.enumerated().contains { index, transition in
          let isVain = letThrough.contains(ObjectIdentifier(transition)) || index < last && !transition.takes("code")
          return isVain ? areKept(by: transition) : areMade(by: transition)
        }
      }
  }

  private static func letThrough(_ handlers: [EventHandler], _ examined: Examined) -> Set<ObjectIdentifier> {
    let lets = AnybodysAnswers.lets(of: examined.machine)
    return Set(
      handlers.flatMap { handler -> [Transition] in
        let looking = handler.transitions.compactMap(\.when).flatMap(\.expressions)
        guard handler.transitions.contains(where: { $0.takes("code") }),
          looking.contains(where: { $0.expression.uses("state", below: "event") })
        else { return [] }
        let texts = looking.flatMap(\.expression.facts.written).map(\.value).filter { $0.text != nil }
        let event = examined.machine.events[handler.event]
        return AnybodysAnswers(event, examined, lets: lets, writtenOut: texts).taking(handler.transitions)
      }.map { ObjectIdentifier($0) })
  }

  /// Whether a transition holds such a one against something, hands it on, or keeps it where something does.
  func areMade(by transition: Transition) -> Bool { transition.asksForState || areKept(by: transition) }

  /// Whether a transition hands such a one on, or keeps it where something holds it against another.
  func areKept(by transition: Transition) -> Bool {
    transition.actions.contains { action in
      action.assignments.contains {
        $0.value.usesState && usedKeys.contains($0.place.reference.joined(separator: "."))
      }
        || action.handsOnState
    }
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
    let pushed = examined.pushedSendState
    openedWith = machine.states.map { $0.entry.opens.sendState(pushed) }
    allAreOpenedWith = examined.actions.opens.sendState(pushed) ?? true
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
  fileprivate var guardsState: Bool { transitions.contains { $0.asksForState && !$0.takes("code") } }
}

extension Event {
  fileprivate func hasField(_ name: String) -> Bool { fields.fields.contains { $0.name == name } }
}

extension [PageTarget] {
  /// Whether all of them are authorization requests with a `state`, or lead to one that was pushed, which `pushed` says of
  /// those; `nil` where there are none.
  fileprivate func sendState(_ pushed: Bool?) -> Bool? {
    isEmpty ? nil : allSatisfy { $0.sendsState || $0.namesRequest && pushed == true }
  }
}

extension PageTarget {
  /// Whether it is an authorization request with a `state`.
  fileprivate var sendsState: Bool {
    ["response_type", "state"].allSatisfy { name in query.contains { $0.name == name } }
  }

  /// Whether it is an authorization request that says no more than where the request is.
  fileprivate var namesRequest: Bool {
    if query.contains(where: { $0.name == "request_uri" }) { return true }
    guard case .service(_, .url(let whole)) = address else { return false }
    return whole.template.parts.contains { part in
      if case .literal(let text) = part { text.contains("request_uri=") } else { false }
    }
  }
}

extension Transition {
  /// Whether its condition reads such a field of the event.
  fileprivate func asks(for member: String) -> Bool {
    (when?.expressions ?? []).contains { $0.expression.reads(member, below: "event") }
  }

  /// Whether its condition holds the `state` of the event against something.
  fileprivate var asksForState: Bool {
    (when?.expressions ?? []).contains { $0.expression.uses("state", below: "event") }
  }

  /// Whether it sets something to such a field of the event, or to what is made of it.
  func takes(_ member: String) -> Bool {
    actions.flatMap(\.assignments).flatMap(\.value.placed).flatMap(\.template.expressions)
      .contains { $0.reads(member, below: "event") }
  }
}

extension Action {
  /// Whether it tells the app around the flow of the `state`, or sends that to a page.
  fileprivate var handsOnState: Bool {
    switch kind {
    case .emit(_, let fields): fields.contains { $0.value.usesState }
    case .open(let target): target.query.contains { $0.value.usesState }
    case .set, .clear, .show, .close, .send: false
    }
  }
}

extension ValueTemplate {
  fileprivate var usesState: Bool {
    placed.flatMap(\.template.expressions).contains { $0.uses("state", below: "event") }
  }
}

extension String {
  /// The key in what an expression reads: `memory.state` of `memory.state`, `store.codes` of `store.codes[event.id].at`.
  var key: String {
    let parts = utf8.split(maxSplits: 2) { ".[?".utf8.contains($0) }
    return parts.prefix(2).map { String(Substring($0)) }.joined(separator: ".")
  }
}

extension Expression {
  func reads(_ member: String, below root: String) -> Bool {
    readings.contains { MemberPath($0.name, below: root)?.parts.contains(.member(member)) == true }
  }

  /// Whether it does more with such a member than to ask whether that is there.
  fileprivate func uses(_ member: String, below root: String) -> Bool {
    facts.used.contains { MemberPath($0, below: root)?.parts.contains(.member(member)) == true }
  }
}
