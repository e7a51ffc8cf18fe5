import Expressions

extension Check {
  /// Circles of requests and decisions: without a network they would go round in no time.
  ///
  /// Each transition that keeps one going is told with a shortest circle that it is on, unless that of another has it.
  /// One in which the device is asked often ends by what was asked for.
  static let loopsWithoutWait: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let paths = examined.paths else { return [] }
    let circles = examined.circlesWithoutWait(in: paths)
    if circles.isEmpty { return [] }
    let secrets = ComparedSecrets(examined.secretNames.all)
    return circles.map { examined.loop($0, hiding: secrets) }
  }
}

extension Examined {
  /// What is told of transitions that lead to one another, without those and with those that their author overrules.
  private static let mostCircles = (open: 5, overruled: 100)

  /// Circles of what may go around in no time, of each circle the transitions.
  ///
  /// Those that an author knows of hide no others: what goes around without their transitions is told, then each of
  /// these.
  fileprivate func circlesWithoutWait(in paths: StatePaths) -> [[Passage]] {
    let circular = CircularPassages(passages(in: paths))
    if circular.components.isEmpty { return [] }
    var writes = KeptWrites(in: self, paths.graph)
    let bounded = circular.withoutBounded(&writes)
    let all = CircularPassages(bounded.components.flatMap(withoutShrinking))
    if all.components.isEmpty { return [] }
    func isOverruled(_ passage: Passage) -> Bool { overrules("loop-without-wait", at: passage.transition.site) }
    let open = CircularPassages(all.components.joined().filter { !isOverruled($0) })
    return open.components.flatMap { writes.goingRound($0).circles(most: Self.mostCircles.open) { _ in true } }
      + all.components.filter { $0.contains(where: isOverruled) }
      .flatMap { writes.goingRound($0).circles(most: Self.mostCircles.overruled, through: isOverruled) }
  }

  /// Those of passages that lead to one another without those that take a row away from a table of which a condition there
  /// asks: none of them sets a row of it, so that each round leaves fewer.
  private func withoutShrinking(_ passages: [Passage]) -> [Passage] {
    let taking = passages.map { passage in
      machine.deeds(of: passage.transition, in: passage.state).actions.flatMap(\.cleared).filter {
        $0.isOfTable && $0.field == nil
      }
    }
    if taking.allSatisfy(\.isEmpty) { return passages }
    let asked = passages.reduce(into: Set<[String]>()) { $0.formUnion($1.transition.when?.keys ?? []) }
    let sources = passages.map { machine.states[$0.state] }
    let own = sources.flatMap { $0.entry + $0.transitions.flatMap(\.actions) + $0.actionsBetweenTries }
    let done = sources.allSatisfy(\.calls.isEmpty) ? own : actions
    let set = Set(done.flatMap(\.assignments).map(\.place).filter(\.isOfTable).map(KeyNumber.init))
    // Whose name stays the same takes one row away, if any.
    func isOfItsTable(_ row: Place) -> Bool {
      row.row == nil
        || own.flatMap(\.assignments).contains { assignment in
          row.keysOfRow.contains(assignment.place.keyName)
            && assignment.value.expressions.contains { $0.facts.references.contains { $0.starts(with: row.keyName) } }
        }
    }
    return passages.indices.filter { index in
      !taking[index].contains { asked.contains($0.keyName) && !set.contains(KeyNumber($0)) && isOfItsTable($0) }
    }.map { passages[$0] }
  }

  /// Transitions that may be taken at once, but those of states apart from which nothing leads on.
  private func passages(in paths: StatePaths) -> [Passage] {
    // A circle that leads nowhere has been reported as that, unless its author says that it may.
    let lost = Set(paths.lost.filter { !overrules("no-way-to-goal", at: machine.states[$0].site) })
    return machine.states.indices.flatMap { source -> [Passage] in
      guard machine.states[source].asksNobody, !lost.contains(source) else { return [] }
      return machine.states[source].takenAtOnce.joined().compactMap { transition in
        guard case .state(let index) = transition.target else { return nil }
        let target = paths.graph.machine.leaf(of: index)
        return lost.contains(target)
          ? nil : Passage(source: source, target: target, transition: transition, state: source)
      }
    }
  }

  /// Values that are compared with one of the secrets are not shown.
  fileprivate func loop(_ circle: [Passage], hiding secrets: ComparedSecrets) -> Diagnostic {
    let ways = circle.map(\.transition).compactMap { $0.name ?? $0.line?.expression.source(hiding: secrets) }
    let condition = ways.isEmpty ? "" : " while it takes \"\(ways.joined(separator: "\", \""))\""
    let isCounted = circle.contains { passage in
      machine.deeds(of: passage.transition, in: passage.state).actions.flatMap(\.writes).contains { write in
        if case .more = write.value { true } else { false }
      }
    }
    let counted = isCounted ? "; a count is no wait where it goes on for more than \(Retry.mostAtOnce) rounds" : ""
    let names = (circle + [circle[0]]).map { machine.states[$0.state].name }.joined(separator: " → ")
    return Diagnostic(
      "loop-without-wait", severity: .warning,
      "a circle of requests and decisions goes round without a wait",
      at: circle[0].transition.site, "goes round here",
      help: "\(names): goes round without a wait\(condition)\(counted)")
  }
}

extension State {
  /// Whether it may be left at once and asks nobody: a request, a call or a decision.
  fileprivate var asksNobody: Bool {
    switch activity {
    case .none, .request, .call: return true
    default: return false
    }
  }

  /// What may be taken where it passes at once: lists, of each the first that holds.
  ///
  /// What a request hears, and timers beside it, end no circle that goes past them. Where a decision waits if nothing
  /// holds, what it decides on is usually done with when it comes back.
  var takenAtOnce: [[Transition]] {
    let timers = after.filter(\.isAtOnce)
    var decides = true
    if case .none = activity { decides = on.isEmpty && timers.count == after.count }
    return (decides ? [next] : []) + timers.map(\.transition)
  }
}

extension Timer {
  /// Whether its wait is none: `"wait": "0s"`.
  var isAtOnce: Bool {
    guard case .wait(let placed) = due, let text = placed.template.literalText else { return false }
    return Duration(celText: text, allowingDays: true) == .zero
  }
}
