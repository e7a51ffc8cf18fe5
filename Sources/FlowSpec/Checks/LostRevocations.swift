import Expressions

extension Check {
  /// Tokens that wait in the store for their revocation, as nobody answered it, and are cleared there: they stay good.
  ///
  /// Of somebody who signs out twice without a network one key keeps the second token alone, which is left alone.
  static let lostRevocations: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let others = machine.requests.filter { !$0.revokes }
    let revoking = Dictionary(
      grouping: machine.states.indices.compactMap { index in machine.revoked(by: index).map { (secret: $0, index) } },
      by: \.secret)
    return revoking.sorted { $0.key < $1.key }.prefix(mostLooks).compactMap { secret, states in
      let path = machine.path(of: secret)
      // What is for more than its revocation is cleared where it is good no more.
      if others.contains(where: { $0.reads(path) }) { return nil }
      var waiting = WaitingToken(examined, revokedBy: states.map(\.1), path.joined(separator: "."))
      guard let site = waiting.firstCleared(), case .request(let request) = machine.states[states[0].1].activity else {
        return nil
      }
      return Diagnostic(
        "weak-grant", severity: .warning,
        "\"\(machine.title(of: secret))\" may still wait for its revocation here: it is cleared, and stays good",
        at: site, "may be done then",
        help: "let it wait: the next launch may have it revoked (RFC 7009, section 2.1)",
        related: (request.site, "revokes it"))
    }
  }

  /// Each goes through all of the flow.
  private static let mostLooks = 20
}

extension Machine {
  /// The secret of the store that a state has revoked, where it stays there behind a lost answer: who gives it up then waits
  /// for nothing.
  fileprivate func revoked(by index: Int) -> StoredSecret? {
    guard case .request(let request) = states[index].activity, request.revokes,
      let sent = request.secretsSent(of: self).first(where: { $0.name == "token" && $0.row == nil })?.secret,
      let lost = states[index].takingLost,
      !deeds(of: lost, in: index).actions.write(path(of: sent).joined(separator: "."))
    else { return nil }
    return sent
  }
}

/// A token that is to be revoked, and that a key holds.
private struct WaitingToken {
  private let machine: Machine
  private let name: String
  private let place: Place?
  /// The states that have it revoked.
  private let revoking: Set<Int>
  private var conditions: [KeyCondition.Name: KeyCondition] = [:]

  init(_ examined: Examined, revokedBy revoking: [Int], _ name: String) {
    (machine, self.revoking, self.name) = (examined.machine, Set(revoking), name)
    place = examined.actions.flatMap(\.writes).map(\.place).first { $0.nameOfValue == name }
  }

  /// Of all that may be done while it waits, as nobody answers its revocation, from a launch on, the first that clears it
  /// and puts it nowhere else.
  mutating func firstCleared() -> Site? {
    let isTaken = takenWhileWaiting()
    let graph = StateGraph(machine) { [name] transition in
      isTaken.contains(ObjectIdentifier(transition)) && !transition.actions.write(name)
    }
    let root = machine.routines[0].root
    if let site = siteOfClearing(machine.entered(root, from: nil).flatMap { machine.states[$0].entry }) { return site }
    for (index, isReached) in graph.reachable(from: [root]).enumerated() where isReached {
      for transition in machine.states[index].transitions where isTaken.contains(ObjectIdentifier(transition)) {
        if siteOfClearing(machine.deeds(of: transition, in: index).actions) != nil { return transition.siteOfChoice }
      }
    }
    return nil
  }

  private func siteOfClearing(_ actions: [Action]) -> Site? {
    let isKept = actions.flatMap(\.assignments).flatMap(\.value.expressions).flatMap(\.handedOn).contains { read in
      read.withoutOptionals == name
    }
    if isKept { return nil }
    return actions.first { action in
      action.writes.contains { $0.place.nameOfValue == name && $0.value == .oneOf([.null]) }
    }?.site
  }

  /// Those whose condition does not keep them from that, of its revocation the one that takes a lost answer, and behind a
  /// sub-flow those that an end may come to.
  private mutating func takenWhileWaiting() -> Set<ObjectIdentifier> {
    var taken: Set<ObjectIdentifier> = []
    var ends: [Int: Set<String>] = [:]
    for (index, state) in machine.states.enumerated() {
      var transitions = state.transitions
      if revoking.contains(index) { transitions = state.takingLost.map { [$0] } ?? [] }
      if case .end(let name) = state.activity { ends[state.routine, default: []].insert(name) }
      for transition in transitions where mayBeTaken(transition) {
        taken.insert(ObjectIdentifier(transition))
        if case .end(let name) = transition.target { ends[state.routine, default: []].insert(name) }
      }
    }
    for state in machine.states {
      guard case .call(let routine) = state.activity else { continue }
      let behind = (ends[routine] ?? []).sorted().flatMap { state.next.mayTake(.ended($0)) }.map(ObjectIdentifier.init)
      taken.subtract(state.next.map(ObjectIdentifier.init).filter { !behind.contains($0) })
    }
    return taken
  }

  /// Whether a condition does not keep it from that while the key holds something.
  private mutating func mayBeTaken(_ transition: Transition) -> Bool {
    guard let when = transition.when, let place, when.keys.contains(place.keyName) else { return true }
    let words = KeyCondition.Name(when, place)
    var condition = conditions[words] ?? KeyCondition(when, of: place, machine.lets)
    defer { conditions[words] = condition }
    return condition.holds(for: .something) != false
  }
}
