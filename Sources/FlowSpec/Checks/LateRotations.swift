import Expressions

extension Check {
  /// Secrets that take the place of one that was sent, and that only the memory keeps until something else has happened: a
  /// kill meanwhile loses them, and the old one, which is used up (RFC 9700 §4.14.2), is sent the next time.
  static let lateRotations: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let (assignments, onward) = (examined.actions.flatMap(\.assignments), Onward(machine, pastAnswers: false))
    var known: [ObjectIdentifier: MadeAnew] = [:]
    var left = mostLooks
    return machine.states.indices.flatMap { index -> [Diagnostic] in
      guard case .request(let request) = machine.states[index].activity else { return [] }
      let asked = examined.surelyAsks(request)
      // Without a model what is sent by a name is taken for what a new one comes for.
      let sent = request.secretsSent(of: machine).filter { asked != nil || $0.name != nil }.map(\.secret)
      if sent.isEmpty { return [] }
      let made = asked.map { known[ObjectIdentifier($1)] ?? MadeAnew(of: $1, in: $0) }
      if let route = asked?.route { known[ObjectIdentifier(route)] = made }
      return machine.states[index].next.compactMap { transition in
        for kept in transition.actions.flatMap(\.assignments) where !kept.place.isDurable {
          let taken = kept.value.expressions.flatMap(\.answeredMembers)
          guard let name = kept.place.nameOfValue, !taken.isEmpty, !transition.stores(taken), left > 0,
            made.map({ taken.contains(where: $0.mayHave) }) ?? true,
            let secret = sent.first(where: { secret in assignments.contains { $0.sets(secret, to: name) } })
          else { continue }
          left -= 1
          let behind = onward.states(behind: [(transition, index)]) { $0.secretsSet.contains { $0.secret == secret } }
          return behind.contains { machine.states[$0].lastsAWhile } ? examined.late(secret, kept) : nil
        }
        return nil
      }
    }
  }

  /// Each goes through all that follows.
  private static let mostLooks = 200
}

extension Transition {
  /// Whether it puts one of these members of an answer into the store.
  fileprivate func stores(_ members: [MemberPath]) -> Bool {
    actions.flatMap(\.assignments).contains { assignment in
      assignment.place.isDurable
        && assignment.value.expressions.contains { $0.answeredMembers.contains(where: members.contains) }
    }
  }
}

extension Examined {
  fileprivate func late(_ secret: StoredSecret, _ kept: Assignment) -> Diagnostic {
    let name = machine.title(of: secret)
    return Diagnostic(
      "dropped-rotation", severity: .warning,
      "what takes the place of \"\(name)\" is in the memory alone until later: a kill loses it, and the old one is sent the "
        + "next time",
      at: kept.site, "is kept here first", help: "set \"\(name)\" where the answer is taken")
  }
}

extension State {
  /// Whether something is waited for in it.
  fileprivate var lastsAWhile: Bool {
    switch activity {
    case .none: !decides
    case .request, .perform: true
    case .call, .compound, .end: false
    }
  }
}

extension Assignment {
  /// Whether it puts a key, as expressions name it, into a secret of the store.
  fileprivate func sets(_ secret: StoredSecret, to name: String) -> Bool {
    secretsSet.contains { set in
      set.secret == secret
        && set.value.expressions.contains { $0.handedOn.contains { $0.withoutOptionals == name } }
    }
  }
}
