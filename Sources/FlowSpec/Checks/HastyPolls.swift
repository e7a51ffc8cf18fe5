import Expressions

extension Check {
  /// Polls for tokens that heed no `slow_down`, come sooner than every 5 seconds though nothing reads the `interval` that
  /// the server says, or go on once the code has expired (RFC 8628, sections 3.2 and 3.5; OpenID Connect CIBA, section 11).
  ///
  /// Who makes the wait longer on either answer does so on both.
  static let hastyPolls: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    return machine.states.indices.flatMap { index -> [Diagnostic] in
      guard case .request(let request) = machine.states[index].activity, request.pollsForTokens else { return [] }
      return examined.notSlower(request, machine.states[index], at: index)
        + (examined.timerBefore(request).map { [hasty($0)] } ?? [])
    }
  }

  private static func hasty(_ timer: Timer) -> Diagnostic {
    hastyPoll(
      "this polls more often than the server may ask for by its \"interval\", which nothing reads", at: timer.site,
      "is less than 5s",
      help:
        "wait for seconds(int(response.json.interval)) of the first answer, or 5 seconds where it says none (RFC 8628, "
        + "section 3.2)")
  }

  fileprivate static func notSlower(at site: Site) -> Diagnostic {
    hastyPoll(
      "\"slow_down\" changes nothing here: the next poll comes as soon as the last one did", at: site,
      "holds for \"slow_down\" as for \"authorization_pending\"",
      help: "wait 5 seconds longer from then on, by a key of \"memory\" that the \"wait\" reads (RFC 8628, section 3.5)"
    )
  }

  fileprivate static func endless(at site: Site) -> Diagnostic {
    hastyPoll(
      "this goes on polling once the code has expired, and for ever", at: site,
      "holds for \"expired_token\" as for \"authorization_pending\"",
      help: "ask for response.json.?error.orValue('') == 'authorization_pending' (RFC 8628, section 3.5)")
  }

  private static func hastyPoll(_ message: String, at site: Site, _ label: String, help: String) -> Diagnostic {
    Diagnostic("hasty-poll", severity: .warning, message, at: site, label, help: help)
  }
}

extension Examined {
  private static let usualInterval = Duration.seconds(5)

  /// What is said of a poll that takes what asks for something else as what says to go on.
  fileprivate func notSlower(_ request: RequestSpec, _ state: State, at index: Int) -> [Diagnostic] {
    if let retry = request.retry, let when = retry.when, when.holds(error: "authorization_pending") == true {
      let isSlower = when.holds(error: "slow_down") != true || !retry.actions.isEmpty || retry.call != nil
      return isSlower || retry.factor > 1 ? [] : [Check.notSlower(at: when.expressions.first?.site ?? request.site)]
    }
    guard let pending = state.next.taking(error: "authorization_pending"), comes(by: [pending], to: request) else {
      return []
    }
    let clearing = Clearing(machine)
    let changesNothing = clearing.deeds(of: pending, in: index).actions.allSatisfy(\.assignments.isEmpty)
    let isNotSlower = changesNothing && state.next.taking(error: "slow_down") === pending
    let isEndless = state.next.taking(error: "expired_token") === pending && !looksAtTime(on: index)
    return (isNotSlower ? [Check.notSlower(at: pending.siteOfChoice)] : [])
      + (isEndless ? [Check.endless(at: pending.siteOfChoice)] : [])
  }

  /// The timer by itself behind which a request is sent sooner than usual; `nil` where there is none, or the flow looks at
  /// the interval that the server says.
  fileprivate func timerBefore(_ request: RequestSpec) -> Timer? {
    if expressions.contains(where: { $0.expression.reads("interval", below: "response") }) { return nil }
    return machine.states.lazy.flatMap(\.after).first { timer in
      guard let wait = timer.fixedWait, wait < Self.usualInterval else { return false }
      return comes(by: timer.transition, to: request)
    }
  }

  /// Whether transitions lead to a request by decisions and timers alone, whatever these come to.
  private func comes(by transitions: [Transition], to request: RequestSpec) -> Bool {
    var (pending, seen) = (StateGraph.targets(of: transitions), Set<Int>())
    while let target = pending.popLast() {
      let leaf = machine.leaf(of: target)
      guard seen.insert(leaf).inserted else { continue }
      if case .request(let asked) = machine.states[leaf].activity, asked === request { return true }
      let timed = machine.enclosing(leaf).flatMap { machine.states[$0].after }.flatMap(\.transition)
      pending += StateGraph.targets(of: machine.states[leaf].decides ? machine.states[leaf].next : timed)
    }
    return false
  }

  /// Whether a state, or one that decides in the same flow, looks at an instant.
  fileprivate func looksAtTime(on index: Int) -> Bool {
    let routine = machine.states[index].routine
    return machine.states.contains { state in
      state.routine == routine
        && (state.after.contains { if case .at = $0.due { true } else { false } }
          || state.transitions.compactMap(\.when).flatMap(\.expressions).contains {
            !$0.expression.facts.spans.isEmpty || $0.expression.facts.references.contains(["now"])
          })
    }
  }
}

extension [Transition] {
  /// The one that surely takes an answer of 400 with this error; `nil` where more than that decides.
  fileprivate func taking(error word: String) -> Transition? {
    for transition in self where !transition.isSometimes {
      guard let when = transition.when else { return transition }
      guard let holds = when.holds(error: word) else { return nil }
      if holds { return transition }
    }
    return nil
  }
}

extension Condition {
  /// Whether it holds for an answer of 400 with this error; `nil` where more than that decides.
  fileprivate func holds(error word: String) -> Bool? {
    let table = FailureTable(self, online: true)
    return table.flatMap { try? $0.holds(status: 400, nil, having: AnswerExample(error: word)) }
  }
}
