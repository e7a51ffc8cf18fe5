import Expressions

extension Check {
  /// Tries that are made again behind a 401 once a sub-flow was called that may come to its good end without changing
  /// anything that is sent: the same token is refused again.
  ///
  /// A condition on the way that reads what the `retry` itself writes may be turned by that.
  static let uselessCalls: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    var answers: [Question: Transition?] = [:]
    return machine.requests.compactMap { request in
      guard let retry = request.retry, let routine = retry.call, let when = retry.when, when.names(status: 401),
        let end = machine.routines[routine].ends.first, let site = when.expressions.first?.site
      else { return nil }
      let sent = Set(request.asked.flatMap(\.facts.references).map { Array($0.prefix(2)) })
        .filter { ["store", "memory"].contains($0[0]) }
      if sent.isEmpty || !sent.isDisjoint(with: retry.actions.written) { return nil }
      let question = Question(routine: routine, sent: sent, turned: retry.actions.written)
      let known = answers[question] ?? IdleWalk(question, of: machine).ending(as: end)
      answers[question] = .some(known)
      guard let ending = known else { return nil }
      return Diagnostic(
        "useless-retry", severity: .warning,
        "\"\(machine.routines[routine].name)\" may end with \"\(end)\" at once, and what was refused is sent again",
        at: site,
        "holds for 401", help: "clear the token in the \"do\" of this \"retry\", so that the sub-flow gets another",
        related: (ending.siteOfChoice, "changes nothing"))
    }
  }
}

/// Whether a sub-flow may end without changing something.
private struct Question: Hashable {
  let routine: Int
  /// What is sent, as expressions refer to keys.
  let sent: Set<[String]>
  /// What is written before it begins.
  let turned: Set<[String]>
}

/// Goes through a sub-flow by decisions alone, without what changes something that is sent.
private struct IdleWalk {
  private let machine: Machine
  private let question: Question

  init(_ question: Question, of machine: Machine) { (self.question, self.machine) = (question, machine) }

  /// The transition by which it ends so; `nil` where it does not without doing anything.
  func ending(as end: String) -> Transition? {
    var pending = leaf(entering: machine.routines[question.routine].root, from: nil).map { [$0] } ?? []
    var seen: Set<Int> = []
    while let index = pending.popLast() {
      guard seen.insert(index).inserted, machine.states[index].decides else { continue }
      for transition in machine.states[index].next {
        // What was written before may have it taken, and nothing behind it.
        if !question.turned.isDisjoint(with: transition.when?.keys ?? []) { break }
        if !question.sent.isDisjoint(with: transition.actions.written) { continue }
        switch transition.target {
        case .end(end): return transition
        case .state(let target):
          guard let leaf = leaf(entering: target, from: index) else { continue }
          if case .end(end) = machine.states[leaf].activity { return transition }
          pending.append(leaf)
        case .end, .stay, .reply: break
        }
      }
    }
    return nil
  }

  /// The state that is waited in then; `nil` where entering it changes what is sent.
  private func leaf(entering target: Int, from source: Int?) -> Int? {
    let entered = machine.entered(target, from: source)
    let isIdle = entered.allSatisfy { question.sent.isDisjoint(with: machine.states[$0].entry.written) }
    return isIdle ? entered.last ?? target : nil
  }
}

extension [Action] {
  /// The keys that they set or clear, as expressions refer to them.
  fileprivate var written: Set<[String]> { Set(flatMap(\.writes).map(\.place.reference)) }
}
