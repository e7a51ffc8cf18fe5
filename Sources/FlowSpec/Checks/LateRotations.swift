import Expressions

extension Check {
  /// Secrets that take the place of one that was sent, and that only the memory keeps until something else has happened: a
  /// kill meanwhile loses them, and the old one, which is used up (RFC 9700 §4.14.2), is sent the next time.
  static let lateRotations: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let assignments = examined.actions.flatMap(\.assignments)
    return machine.states.indices.flatMap { index -> [Diagnostic] in
      guard case .request(let request) = machine.states[index].activity else { return [] }
      let sent = request.secretsSent(of: machine).map(\.secret)
      if sent.isEmpty { return [] }
      let made = examined.surelyAsks(request).map { MadeAnew(of: $1, in: $0) }
      return machine.states[index].next.compactMap { transition in
        for kept in transition.actions.flatMap(\.assignments) where !kept.place.isDurable {
          let taken = kept.value.expressions.flatMap(\.answeredMembers)
          guard let name = kept.place.nameOfValue, !taken.isEmpty,
            made.map({ taken.contains(where: $0.mayHave) }) ?? true,
            let secret = sent.first(where: { secret in assignments.contains { $0.sets(secret, to: name) } })
          else { continue }
          let walk = StoringWalk(machine: machine, secret: secret)
          return walk.mayWait(behind: transition, of: index) ? examined.late(secret, kept) : nil
        }
        return nil
      }
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

/// Goes on behind an answer until something is waited for.
private struct StoringWalk {
  let machine: Machine
  let secret: StoredSecret

  /// Whether something is waited for before the secret is stored, on one of the ways.
  func mayWait(behind transition: Transition, of source: Int) -> Bool {
    let callers = machine.callers
    var (pending, seen) = ([(transition, source)], Set<Int>())
    while let (transition, source) = pending.popLast() {
      if stores(transition.actions) { continue }
      switch transition.target {
      case .state(let target):
        let entered = machine.entered(target, from: source)
        if stores(entered.flatMap { machine.states[$0].entry }) { continue }
        let leaf = entered.last ?? target
        guard seen.insert(leaf).inserted else { continue }
        if case .end = machine.states[leaf].activity {
          pending += behindEnd(of: leaf, callers)
        } else if machine.states[leaf].decides {
          pending += machine.states[leaf].next.map { ($0, leaf) }
        } else {
          return true
        }
      case .end: pending += behindEnd(of: source, callers)
      case .stay, .reply: return true
      }
    }
    return false
  }

  private func behindEnd(of state: Int, _ callers: [[Int]]) -> [(Transition, Int)] {
    callers[machine.states[state].routine].flatMap { caller in machine.states[caller].next.map { ($0, caller) } }
  }

  private func stores(_ actions: [Action]) -> Bool { actions.secretsSet.contains { $0.secret == secret } }
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
