import Expressions

extension Check {
  /// Tries that are made again behind a 401 once a sub-flow was called that may come to its good end without changing
  /// anything that is sent: the same token is refused again.
  ///
  /// A condition on the way that reads what the `retry` itself writes may be turned by that.
  static let uselessCalls: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    return machine.requests.compactMap { request in
      guard let retry = request.retry, let routine = retry.call, let when = retry.when, when.names(status: 401),
        let end = machine.routines[routine].ends.first, let site = when.expressions.first?.site
      else { return nil }
      let sent = Set(request.asked.flatMap(\.facts.references).map { Array($0.prefix(2)) })
        .filter { ["store", "memory"].contains($0[0]) }
      if sent.isEmpty || !sent.isDisjoint(with: retry.actions.written) { return nil }
      let walk = IdleWalk(machine: machine, sent: sent, turned: retry.actions.written)
      guard let ending = walk.ending(as: end, in: machine.leaf(of: machine.routines[routine].root)) else { return nil }
      return Diagnostic(
        "useless-retry", severity: .warning,
        "\"\(machine.routines[routine].name)\" may end with \"\(end)\" at once, and what was refused is sent again",
        at: site,
        "holds for 401", help: "clear the token in the \"do\" of this \"retry\", so that the sub-flow gets another",
        related: (ending.siteOfChoice, "changes nothing"))
    }
  }
}

/// Goes through a sub-flow by decisions alone, without what changes something that is sent.
private struct IdleWalk {
  let machine: Machine
  /// As expressions refer to keys.
  let sent: Set<[String]>
  /// What is written before it begins.
  let turned: Set<[String]>

  /// The transition by which it ends so; `nil` where it does not without doing anything.
  func ending(as end: String, in first: Int) -> Transition? {
    var (pending, seen) = ([first], Set<Int>())
    while let index = pending.popLast() {
      guard seen.insert(index).inserted, machine.states[index].decides else { continue }
      for transition in machine.states[index].next where mayBeTaken(transition) {
        switch transition.target {
        case .end(end): return transition
        case .state(let target):
          let entered = machine.entered(target, from: index)
          let leaf = entered.last ?? target
          if !entered.allSatisfy({ sent.isDisjoint(with: machine.states[$0].entry.written) }) { continue }
          if case .end(end) = machine.states[leaf].activity { return transition }
          pending.append(leaf)
        case .end, .stay, .reply: break
        }
      }
    }
    return nil
  }

  private func mayBeTaken(_ transition: Transition) -> Bool {
    turned.isDisjoint(with: transition.when?.keys ?? []) && sent.isDisjoint(with: transition.actions.written)
  }
}

extension [Action] {
  /// The keys that they set or clear, as expressions refer to them.
  fileprivate var written: Set<[String]> { Set(flatMap(\.writes).map(\.place.reference)) }
}
