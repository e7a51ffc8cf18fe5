import Expressions

extension Check {
  /// Tokens that wait in the store for their revocation, as nobody answered it, and are cleared there: they stay good.
  ///
  /// Of somebody who signs out twice without a network one key keeps the second token alone, which is left alone.
  static let lostRevocations: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let others = machine.requests.filter { !$0.revokes }
    var left = mostLooks
    return machine.states.indices.compactMap { index in
      guard case .request(let request) = machine.states[index].activity, request.revokes,
        let sent = request.secretsSent(of: machine).first(where: { $0.name == "token" && $0.row == nil })?.secret,
        let lost = machine.states[index].takingLost, left > 0
      else { return nil }
      let path = machine.path(of: sent)
      let name = path.joined(separator: ".")
      // What is for more than its revocation is cleared where it is good no more.
      guard !others.contains(where: { $0.reads(path) }), !machine.deeds(of: lost, in: index).actions.write(name) else {
        return nil
      }
      left -= 1
      var waiting = WaitingToken(examined, sent, name)
      return waiting.firstCleared(behind: lost, of: index).map { transition in
        Diagnostic(
          "weak-grant", severity: .warning,
          "\"\(machine.title(of: sent))\" may still wait for its revocation here: it is cleared, and stays good",
          at: transition.siteOfChoice, "may be taken then",
          help: "let it wait: the next launch may have it revoked (RFC 7009, section 2.1)",
          related: (request.site, "revokes it"))
      }
    }
  }

  /// Each goes through all of the flow.
  private static let mostLooks = 20
}

/// A token that is to be revoked, and that a key holds.
private struct WaitingToken {
  private let machine: Machine
  private let name: String
  private let place: Place?
  private var conditions: [KeyCondition.Name: KeyCondition] = [:]

  init(_ examined: Examined, _ secret: StoredSecret, _ name: String) {
    (machine, self.name) = (examined.machine, name)
    place = examined.actions.flatMap(\.writes).map(\.place).first { $0.nameOfValue == name }
  }

  /// Of all that may be taken while it waits, as nobody answered its revocation, the first that clears it and puts it
  /// nowhere else.
  mutating func firstCleared(behind lost: Transition, of state: Int) -> Transition? {
    var isTaken: [ObjectIdentifier: Bool] = [:]
    for transition in machine.transitions { isTaken[ObjectIdentifier(transition)] = mayBeTaken(transition) }
    let graph = StateGraph(machine) { [name] transition in
      isTaken[ObjectIdentifier(transition)] == true && !transition.actions.write(name)
    }
    var starts = [machine.routines[0].root]
    if case .state(let target) = lost.target { starts.append(target) }
    let reached = graph.reachable(from: starts)
    for (index, isReached) in reached.enumerated() where isReached && index != state {
      for transition in machine.states[index].transitions where isTaken[ObjectIdentifier(transition)] == true {
        let actions = machine.deeds(of: transition, in: index).actions
        let isCleared = actions.flatMap(\.writes).contains { write in
          write.place.nameOfValue == name && write.value == .oneOf([.null])
        }
        let isKept = actions.flatMap(\.assignments).flatMap(\.value.expressions).flatMap(\.handedOn).contains { read in
          read.withoutOptionals == name
        }
        if isCleared, !isKept { return transition }
      }
    }
    return nil
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
