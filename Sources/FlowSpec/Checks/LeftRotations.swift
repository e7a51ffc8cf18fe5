import Expressions

extension Check {
  /// What leads away from a request that takes a new secret for an old one while its answer is awaited: that is thrown
  /// away, and the old one, which is used up (RFC 9700 §4.14.2), is sent the next time.
  ///
  /// Who leaves it to sign out clears the old one. What a condition of the app's own decides is left alone, and so is
  /// what leads back to the request at once, which is told as a POST that is sent again.
  static let leftRotations: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let walk = UnattendedWalk(examined.machine, waits: false)
    let ids = OwnIDs(of: examined)
    var clearing = Clearing(examined.machine)
    var left = mostLooks
    let found = examined.machine.states.indices.flatMap { index -> [Diagnostic] in
      guard case .request(let request) = examined.machine.states[index].activity,
        let secret = examined.rotated(by: request, examined.machine.states[index].next, ids)
      else { return [] }
      if left <= 0 { return [] }
      let graph = examined.graph(without: secret)
      return walk.leaving(index, request).prefix(left).compactMap { leaving in
        left -= 1
        guard graph.reachable(from: walk.starts(behind: leaving))[index] else { return nil }
        if clearing.allKeys(by: leaving.transition, in: leaving.state).contains(secret) { return nil }
        if clearing.isSurelyCleared(secret, behind: leaving.transition, of: leaving.state) { return nil }
        return examined.left(request, of: index, by: leaving, without: secret)
      }
    }
    if found.isEmpty { return [] }
    let told = Set((doubleTaps(examined) + blindTries(examined)).compactMap(\.labels.first?.site))
    return found.filter { $0.labels.first.map { told.contains($0.site) } != true }
  }

  /// Each goes through all of the flow.
  private static let mostLooks = 200
}

/// A transition that leads away from a state, of that or of one that stands around it or calls its sub-flow.
private struct Leaving {
  let transition: Transition
  let state: Int
  /// `nil` for a timer.
  let event: Event?
}

extension Examined {
  /// The secret of the store that a request sends and its answer is put into, in the row that is named alike, where a
  /// service that is known gives another one.
  fileprivate func rotated(by request: RequestSpec, _ next: [Transition], _ ids: OwnIDs) -> StoredSecret? {
    guard request.asksAnew, !request.isToldAgain(by: ids, despite: []) else { return nil }
    let sent = request.secretsSent(of: machine)
    let set = next.flatMap(\.actions).flatMap(\.assignments).flatMap { assignment in
      assignment.secretsSet.filter { set in
        sent.contains { $0.secret == set.secret && assignment.place.isAlike($0.row) }
      }
    }
    if set.isEmpty { return nil }
    let made = surelyAsks(request).map { MadeAnew(of: $1, in: $0) }
    return set.first { _, value in
      let taken = value.expressions.flatMap(\.answeredMembers)
      return made.map { taken.contains(where: $0.mayHave) } ?? !taken.isEmpty
    }?.secret
  }

  /// By what leaves a secret of the store as it is.
  fileprivate func graph(without secret: StoredSecret) -> StateGraph {
    StateGraph(machine) { transition in
      let places = transition.actions.flatMap { $0.cleared + $0.assignments.map(\.place) }
      return !places.contains { $0.secrets.contains(secret) }
    }
  }

  fileprivate func left(_ request: RequestSpec, of index: Int, by leaving: Leaving, without secret: StoredSecret)
    -> Diagnostic
  {
    let name = machine.title(of: secret)
    let cause = leaving.event.map { "\"\($0.name)\"" } ?? "this timer"
    let help = leaving.event.map { event in
      let state = machine.states[index].name
      // Who is heard and not taken along is lost: a person may do it again, a link is opened once.
      return event.kind == .link
        ? "let it stay in \"\(state)\", keep what it brings in a \"do\" without \"goto\", and look at that afterwards"
        : "let it stay in \"\(state)\" (\"on\": {\"\(event.name)\": {}})"
    }
    return Diagnostic(
      "dropped-rotation", severity: .warning,
      "\(cause) leaves this \(request.method) while its answer is awaited: the new \"\(name)\" is dropped, and the old "
        + "one is sent the next time",
      at: leaving.transition.site, "may be taken then",
      help: (help ?? "put it on the states that wait for somebody") + ", or clear \"\(name)\" here",
      related: (request.site, "is left"))
  }
}

extension UnattendedWalk {
  /// What people and time come to while the answer to a state's request is awaited, there, around it and in what calls
  /// its sub-flow, where it leads away.
  fileprivate func leaving(_ state: Int, _ request: RequestSpec) -> [Leaving] {
    var (pending, seen, found) = ([state], Set<Int>(), [Leaving]())
    while let outer = pending.popLast() {
      guard seen.insert(outer).inserted else { continue }
      for handler in machine.states[outer].on {
        let event = machine.events[handler.event]
        guard [.person, .link].contains(event.kind), hears(handler.event, in: state, by: outer) else { continue }
        found += handler.transitions.leading.map { Leaving(transition: $0, state: outer, event: event) }
      }
      for timer in machine.states[outer].after where !timer.isAtOnce {
        if outer == state, let wait = timer.fixedWait, wait >= request.timeout, request.retry == nil { continue }
        found += timer.transition.leading.map { Leaving(transition: $0, state: outer, event: nil) }
      }
      pending += machine.outside(outer, callers)
    }
    return found
  }
}

extension UnattendedWalk {
  /// Where the app goes on from there: now, and when it is launched again.
  fileprivate func starts(behind leaving: Leaving) -> [Int] {
    let root = machine.routines.prefix(1).map(\.root)
    if case .state(let target) = leaving.transition.target { return root + [target] }
    return root + callers[machine.states[leaving.state].routine]
  }
}

extension [Transition] {
  /// Those that lead out of where they stand, up to one that the app's own state decides.
  fileprivate var leading: [Transition] {
    takenAnyway.filter {
      switch $0.target {
      case .state, .end: true
      case .stay, .reply: false
      }
    }
  }
}

extension Clearing {
  private static let longestWay = 8

  /// Whether a secret is cleared behind a transition whatever the requests and decisions on the way come to: who leaves
  /// signs out.
  fileprivate func isSurelyCleared(_ secret: StoredSecret, behind transition: Transition, of state: Int) -> Bool {
    var known: [Int: Bool] = [:]
    return isSurelyCleared(secret, behind: transition, of: state, ahead: Self.longestWay, &known)
  }

  private func isSurelyCleared(
    _ secret: StoredSecret, behind transition: Transition, of state: Int, ahead: Int, _ known: inout [Int: Bool]
  ) -> Bool {
    let (actions, leaf) = machine.deeds(of: transition, in: state)
    if actions.secretsEmptied.contains(secret) { return true }
    guard ahead > 0, let leaf else { return false }
    if let answer = known[leaf] { return answer }
    // What comes back here without it is no way out.
    known[leaf] = false
    let next = machine.states[leaf].next
    let isCleared =
      !next.isEmpty && next.allSatisfy { isSurelyCleared(secret, behind: $0, of: leaf, ahead: ahead - 1, &known) }
    known[leaf] = isCleared
    return isCleared
  }
}
