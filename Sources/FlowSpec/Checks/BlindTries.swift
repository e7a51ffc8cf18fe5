import Expressions

extension Check {
  /// Requests that are sent again where their answer was lost by ways that go past a wait: by a state that lets some time
  /// pass and asks once more, or by a timer that does so while the answer is awaited.
  ///
  /// What goes round in no time is told as a circle. No blind try is what another request or a condition has looked into
  /// meanwhile, what comes round after other answers too, as a poll does, and what is made anew each time.
  static let blindTries: @Sendable (Examined) -> [Diagnostic] = { examined in
    let states = examined.machine.states
    return states.indices.flatMap { index -> [Diagnostic] in
      let state = states[index]
      guard case .request(let request) = state.activity, request.asksAnew,
        request.idempotencyKey == nil, !request.isMadeAnew, !state.entry.makesAnew(request)
      else { return [] }
      let lost = state.next.surelyTaking(.lost)
      let comesRound = state.next.contains { transition in
        guard transition !== lost, case .state(let target) = transition.target else { return false }
        return examined.machine.wayBack(to: request, from: target) != nil
      }
      if comesRound { return [] }
      var told: [Diagnostic] = []
      if let lost, case .state(let target) = lost.target,
        let way = examined.machine.wayBack(to: request, from: target)
      {
        let site = lost.when?.expressions.first?.site ?? lost.site
        told.append(sentAgain(request, "where its answer was lost", way, at: site, "is taken where no answer came"))
      }
      for timer in state.after where !timer.isAtOnce {
        guard let target = timer.transition.onlyTarget,
          let way = examined.machine.wayBack(to: request, from: target, hasWaited: true)
        else { continue }
        let site = timer.transition.first?.site ?? request.site
        told.append(sentAgain(request, "while its answer is awaited", way, at: site, "leads back to it"))
      }
      return told
    }
  }

  private static func sentAgain(
    _ request: RequestSpec, _ when: String, _ way: [String], at site: Site, _ label: String
  ) -> Diagnostic {
    Diagnostic(
      "unsafe-retry", severity: .warning,
      "this \(request.method) is sent again by itself \(when), and the server may have done it already",
      at: site, label,
      help: way.joined(separator: " → ") + ": let the person decide, ask the server first what has become of it, "
        + "or send an \"Idempotency-Key\"")
  }
}

extension Machine {
  private static let (mostLookedAt, longestWay) = (32, 8)

  /// The names of the states by which a request is sent once more without anybody's doing, some time later; `nil` where that
  /// does not happen, or farther away than anybody would look.
  fileprivate func wayBack(to request: RequestSpec, from start: Int, hasWaited: Bool = false) -> [String]? {
    var pending = [(state: start, hasWaited: hasWaited, way: [String]())]
    var looked = 0
    while let (state, hasWaited, way) = pending.popLast(), looked < Self.mostLookedAt {
      looked += 1
      guard way.count < Self.longestWay else { continue }
      var leaf = state
      while let start = states[leaf].start { leaf = start }
      let names = way + [states[leaf].name]
      switch states[leaf].activity {
      case .request(let other): if other === request, hasWaited { return names }
      case .none:
        if let next = states[leaf].next.onlyTarget { pending.append((next, hasWaited, names)) }
        for timer in enclosing(leaf).flatMap({ states[$0].after }) {
          guard let next = timer.transition.onlyTarget else { continue }
          pending.append((next, hasWaited || !timer.isAtOnce, names))
        }
      default: break
      }
    }
    return nil
  }
}

extension [Transition] {
  /// Where the one transition leads that is taken whatever holds; `nil` where a condition decides, or it leads to no state.
  var onlyTarget: Int? {
    guard count == 1, self[0].when == nil, case .state(let target) = self[0].target else { return nil }
    return target
  }
}

extension [Action] {
  /// Whether they set something that a request sends.
  fileprivate func makesAnew(_ request: RequestSpec) -> Bool {
    let set = flatMap(\.assignments).map { [$0.place.area.rawValue, $0.place.declared.name] }
    return request.sent.contains { expression in
      expression.facts.references.contains { set.contains([String]($0.prefix(2))) }
    }
  }
}
