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
      let good = examined.takenWhereAllWentWell(request, state.next).map {
        examined.machine.keysCleared(by: $0, in: index)
      }
      guard !good.isEmpty else { return nil }
      for answer in [AskedAnswer.unreachable, .down] {
        guard let transition = state.next.surelyTaking(answer) else { continue }
        let cleared = examined.machine.keysCleared(by: transition, in: index).filter { key in
          good.contains { !$0.contains(key) } && request.reads(examined.machine.store[key])
        }
        guard let key = cleared.min() else { continue }
        let name = examined.machine.store[key].name
        let isOwn = examined.machine.keysCleared(by: transition, in: index, behindEnds: false).contains(key)
        return Diagnostic(
          "cleared-on-failure", severity: .warning,
          "where \(answer.title) this clears the secret \"\(name)\"\(isOwn ? "" : " behind the end of the sub-flow"), "
            + "though nobody has refused it",
          at: transition.when?.expressions.first?.site ?? transition.site, "is taken where \(answer.title)",
          help: "clear it where the service has refused alone, as response.status == 401 says, and let the rest be "
            + "tried again later")
      }
      return nil
    }
  }
}

extension Examined {
  /// What good answers come to that a condition asks for: those of the model, where it is known.
  fileprivate func takenWhereAllWentWell(_ request: RequestSpec, _ next: [Transition]) -> [Transition] {
    let known = surelyAsks(request).map { model, route in
      model.replies(of: route).map { Int64($0.status) }.filter { (200..<300).contains($0) }
    }
    let statuses = known.flatMap { $0.isEmpty ? nil : $0 } ?? [200, 201, 202, 204]
    return statuses.flatMap { next.mayTake(status: $0) }.filter { $0.when != nil }
  }
}

extension Machine {
  /// The secret keys of the store that a transition of a state clears, itself or with what the states do that it leads to,
  /// decisions whatever they come to, and where a sub-flow ends with that what its callers do then; indices into `store`.
  fileprivate func keysCleared(
    by transition: Transition, in source: Int, ahead: Int = 4, behindEnds: Bool = true
  ) -> Set<Int> {
    var actions = transition.actions
    var behind: Set<Int> = []
    var end = transition.target.end
    if case .state(var state) = transition.target {
      for entered in enclosing(state) where !encloses(entered, source) { actions += states[entered].entry }
      while let start = states[state].start {
        actions += states[start].entry
        state = start
      }
      if ahead > 0, states[state].decides {
        let all = states[state].next.map { keysCleared(by: $0, in: state, ahead: ahead - 1, behindEnds: behindEnds) }
        behind = all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
      }
      if case .end(let name) = states[state].activity { end = name }
    }
    if ahead > 0, behindEnds, let end {
      for (taken, caller) in taken(behind: end, of: states[source].routine) {
        behind.formUnion(keysCleared(by: taken, in: caller, ahead: ahead - 1))
      }
    }
    let emptied = actions.flatMap(\.assignments).filter { if case .literal(.null) = $0.value { true } else { false } }
    let places = actions.flatMap(\.cleared) + emptied.map(\.place)
    return behind.union(places.filter { $0.isDurable && $0.holdsSecrets && !$0.isOfTable }.map(\.key))
  }

  /// The transitions that callers of a sub-flow surely take where it ends so, each with its state.
  private func taken(behind end: String, of routine: Int) -> [(transition: Transition, state: Int)] {
    states.indices.compactMap { index in
      guard case .call(routine) = states[index].activity else { return nil }
      for transition in states[index].next {
        guard let condition = transition.when else { return (transition, index) }
        guard let holds = FailureTable.holds(condition, where: end) else { return nil }
        if holds { return (transition, index) }
      }
      return nil
    }
  }
}

extension Transition.Target {
  fileprivate var end: String? { if case .end(let name) = self { name } else { nil } }
}

extension State {
  /// Whether it is left at once by one of its transitions.
  fileprivate var decides: Bool {
    if case .none = activity { !next.isEmpty && on.isEmpty && after.isEmpty } else { false }
  }
}

extension RequestSpec {
  /// Whether something that it sends is made of a key.
  fileprivate func reads(_ key: Key) -> Bool {
    sent.contains { $0.facts.references.contains { $0.prefix(2) == ["store", key.name] } }
  }
}
