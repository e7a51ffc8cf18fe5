import Expressions

extension Check {
  /// Requests that are sent again where their answer was lost by ways that go past a wait: by a state that lets some time
  /// pass or waits for the network and asks once more, or by a timer or the network while the answer is awaited.
  ///
  /// What goes round in no time is told as a circle, and how often it was tried decides nothing. No blind try is what another
  /// request or a condition has looked into meanwhile, what comes round after it was answered too, as a poll does, however
  /// its conditions say so, what is made anew each time, and what its service knows again. A server that is down or busy has
  /// answered nothing.
  static let blindTries: @Sendable (Examined) -> [Diagnostic] = { examined in
    let (walk, ids) = (UnattendedWalk(examined.machine, waits: true), OwnIDs(of: examined))
    let scope = examined.scopeOfStatuses
    return examined.machine.states.indices.flatMap { index -> [Diagnostic] in
      let state = examined.machine.states[index]
      guard case .request(let request) = state.activity, request.asksAnew, !request.isMadeAnew else { return [] }
      var told: [Diagnostic] = []
      for lost in walk.takingLost(of: state.next, in: scope) {
        guard let way = walk.wayBack(to: request, behind: UnattendedWay(lost, of: index)),
          request.isSame(behind: way.actions, but: ids)
        else { continue }
        told.append(
          sentAgain(request, "where its answer was lost", way, at: lost.siteOfChoice, "is taken where no answer came"))
        break
      }
      for (transition, outer) in walk.takenMeanwhile(index) {
        let meanwhile = UnattendedWay(transition, of: outer, hasWaited: true)
        guard let way = walk.wayBack(to: request, behind: meanwhile), request.isSame(behind: way.actions, but: ids)
        else { continue }
        told.append(sentAgain(request, "while its answer is awaited", way, at: transition.site, "leads back to it"))
      }
      return told.isEmpty || examined.polls(index, walk) ? [] : told
    }
  }

  private static func sentAgain(
    _ request: RequestSpec, _ when: String, _ way: UnattendedWay, at site: Site, _ label: String
  ) -> Diagnostic {
    Diagnostic(
      "unsafe-retry", severity: .warning,
      "this \(request.method) is sent again by itself \(when), and the server may have done it already",
      at: site, label,
      help: way.names.joined(separator: " → ") + ": let the person decide, ask the server first what has become of it, "
        + "or send \(request.neededKey)")
  }
}

extension UnattendedWalk {
  /// The way by which a request is sent again once some time has passed.
  fileprivate func wayBack(to sought: RequestSpec, behind way: UnattendedWay) -> UnattendedWay? {
    request(behind: way) { $0 === sought && $1.hasWaited }?.way
  }

  /// What time and the network come to while the answer to a state's request is awaited, there and in what calls its
  /// sub-flow.
  ///
  /// Where the network goes, the answer is lost before anybody hears of it.
  fileprivate func takenMeanwhile(_ state: Int) -> [(transition: Transition, state: Int)] {
    let named = Set(machine.states[state].on.map(\.event))
    return ([state] + callers[machine.states[state].routine]).flatMap { outer in
      let timed = machine.states[outer].after.filter { !$0.isAtOnce }.flatMap { taken(of: $0.transition) }
      let heard = machine.states[outer].on.filter {
        machine.events[$0.event].kind == .deviceOnline && (outer == state || !named.contains($0.event))
      }
      return (timed + heard.compactMap(\.transitions.only)).map { ($0, outer) }
    }
  }
}

extension Examined {
  /// Whether the request of a state comes round past a wait after it was answered, by this walk, which waits.
  func polls(_ index: Int, _ walk: UnattendedWalk) -> Bool {
    let next = machine.states[index].next
    guard case .request(let request) = machine.states[index].activity else { return false }
    let comingRound = next.filter { walk.wayBack(to: request, behind: UnattendedWay($0, of: index)) != nil }
    return takesAnswer(comingRound, of: next, lost: next.surelyTaking(.lost))
  }

  /// Whether one of these may take an answer of a server that is neither down nor busy; the one that takes what was
  /// lost, too, only where it asks for such an answer.
  ///
  /// What else of an answer a condition looks at may be anything: either side of `||` may hold.
  private func takesAnswer(_ sought: [Transition], of all: [Transition], lost: Transition?) -> Bool {
    if sought.isEmpty { return false }
    let scope = scopeOfStatuses
    let conditions = all.map { $0.when.map { PartialCondition($0, in: scope) } }
    return (Int64(100)..<500).contains { status in
      if status == 429 { return false }
      for (transition, condition) in zip(all, conditions) where !transition.isSometimes {
        let holds = condition.map { $0.holds(for: status) } ?? true
        if holds == false { continue }
        let isMeant = transition !== lost || transition.when.map { holds == nil || $0.names(status: status) } == true
        if isMeant, sought.contains(where: { $0 === transition }) { return true }
        if holds == true { return false }
      }
      return false
    }
  }
}

extension RequestSpec {
  /// Whether it asks for the same behind these actions, but for an id of the app's own, and its service cannot know it again.
  fileprivate func isSame(behind actions: [Action], but ids: OwnIDs) -> Bool {
    if isToldAgain(by: ids, despite: actions) { return false }
    let set = Set(actions.flatMap(\.assignments).map(\.place.reference).filter { !ids.sent(by: self).contains($0) })
    return !asked.contains { $0.facts.references.contains { set.contains([String]($0.prefix(2))) } }
  }
}
