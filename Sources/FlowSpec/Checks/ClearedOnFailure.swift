import Expressions

extension Check {
  /// Secrets that the app clears behind a request that reads them, where a server could not be reached or was down, and
  /// keeps where all went well: a tunnel signs people out.
  ///
  /// Who clears them whatever comes is signing out.
  static let clearedOnFailure: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    return examined.machine.states.indices.compactMap { index -> Diagnostic? in
      let state = examined.machine.states[index]
      guard case .request(let request) = state.activity else { return nil }
      let good = state.next.mayTake(.good).map { examined.machine.keysCleared(by: $0, in: index) }
      guard !good.isEmpty else { return nil }
      for answer in [AskedAnswer.unreachable, .down] {
        guard let transition = state.next.surelyTaking(answer) else { continue }
        let cleared = examined.machine.keysCleared(by: transition, in: index).filter { key in
          good.contains { !$0.contains(key) } && request.reads(examined.machine.store[key])
        }
        guard let key = cleared.min() else { continue }
        let name = examined.machine.store[key].name
        return Diagnostic(
          "cleared-on-failure", severity: .warning,
          "where \(answer.title) this clears the secret \"\(name)\", and the person has to begin anew",
          at: transition.when?.expressions.first?.site ?? transition.site, "is taken where \(answer.title)",
          help: "clear it where the service has refused alone, as response.status == 401 says, and let the rest be "
            + "tried again later")
      }
      return nil
    }
  }
}

extension Machine {
  /// The secret keys of the store that a transition of a state clears, itself or with what the states do that it leads to;
  /// indices into `store`.
  fileprivate func keysCleared(by transition: Transition, in source: Int) -> Set<Int> {
    var actions = transition.actions
    if case .state(var state) = transition.target {
      for entered in enclosing(state) where !encloses(entered, source) { actions += states[entered].entry }
      while let start = states[state].start {
        actions += states[start].entry
        state = start
      }
    }
    let emptied = actions.flatMap(\.assignments).filter { if case .literal(.null) = $0.value { true } else { false } }
    let places = actions.flatMap(\.cleared) + emptied.map(\.place)
    return Set(places.filter { $0.isDurable && $0.holdsSecrets && !$0.isOfTable }.map(\.key))
  }
}

extension RequestSpec {
  /// Whether something that it sends is made of a key.
  fileprivate func reads(_ key: Key) -> Bool {
    let body: [ValueTemplate] =
      switch body {
      case .json(let template): [template]
      case .form(let fields): fields.map(\.value)
      case .text(let placed): [.template(placed)]
      case nil: []
      }
    let all = (query + headers).map(\.value) + body + [bearer].compactMap { $0.map(ValueTemplate.template) }
    return all.flatMap(\.placed).flatMap(\.template.expressions).contains { expression in
      expression.facts.references.contains { $0.prefix(2) == ["store", key.name] }
    }
  }
}
