import Expressions

extension Check {
  /// Secrets that the app clears behind a request that reads them, where a server could not be reached or was down, and
  /// keeps where all went well: a tunnel signs people out.
  ///
  /// Who clears them whatever comes is signing out.
  static let clearedOnFailure: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    var clearing = Clearing(examined.machine)
    return examined.machine.states.indices.compactMap { index -> Diagnostic? in
      let state = examined.machine.states[index]
      guard case .request(let request) = state.activity else { return nil }
      let good = examined.takenWhereAllWentWell(request, state.next).map {
        clearing.keys(by: $0, in: index)
      }
      guard !good.isEmpty else { return nil }
      for answer in [AskedAnswer.unreachable, .down] {
        guard let transition = state.next.surelyTaking(answer) else { continue }
        let cleared = clearing.keys(by: transition, in: index).filter { key in
          good.contains { !$0.contains(key) } && request.reads(examined.machine.store[key])
        }
        guard let key = cleared.min() else { continue }
        let name = examined.machine.store[key].name
        let isOwn = clearing.keys(by: transition, in: index, behindEnds: false).contains(key)
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
    return Set(statuses).sorted().flatMap { next.mayTake(status: $0) }.filter { $0.when != nil }
  }
}

/// The secret keys of the store that transitions clear; indices into `store`.
///
/// What comes behind a decision and behind the end of a sub-flow is worked out once for all that leads there.
private struct Clearing {
  private struct Decision: Hashable {
    let state, ahead: Int
    let behindEnds: Bool
  }
  private struct Ending: Hashable {
    let end: String
    let routine, ahead: Int
  }
  private let machine: Machine
  /// The states that call each routine.
  private let callers: [Int: [Int]]
  private var decisions: [Decision: Set<Int>] = [:]
  private var endings: [Ending: Set<Int>] = [:]

  init(_ machine: Machine) {
    self.machine = machine
    callers = machine.states.indices.reduce(into: [:]) { callers, index in
      if case .call(let routine) = machine.states[index].activity { callers[routine, default: []].append(index) }
    }
  }

  /// Those that a transition of a state clears, itself or with what the states do that it leads to, decisions whatever they
  /// come to, and where a sub-flow ends with that what its callers do then.
  mutating func keys(by transition: Transition, in source: Int, ahead: Int = 4, behindEnds: Bool = true) -> Set<Int> {
    var actions = transition.actions
    var behind: Set<Int> = []
    var end = transition.target.end
    if case .state(var state) = transition.target {
      for entered in machine.enclosing(state) where !machine.encloses(entered, source) {
        actions += machine.states[entered].entry
      }
      while let start = machine.states[state].start {
        actions += machine.states[start].entry
        state = start
      }
      if ahead > 0, machine.states[state].decides {
        behind = keys(behind: Decision(state: state, ahead: ahead - 1, behindEnds: behindEnds))
      }
      if case .end(let name) = machine.states[state].activity { end = name }
    }
    if ahead > 0, behindEnds, let end {
      behind.formUnion(keys(behind: Ending(end: end, routine: machine.states[source].routine, ahead: ahead - 1)))
    }
    let emptied = actions.flatMap(\.assignments).filter { if case .literal(.null) = $0.value { true } else { false } }
    let places = actions.flatMap(\.cleared) + emptied.map(\.place)
    return behind.union(places.filter { $0.isDurable && $0.holdsSecrets && !$0.isOfTable }.map(\.key))
  }

  private mutating func keys(behind decision: Decision) -> Set<Int> {
    if let known = decisions[decision] { return known }
    let all = machine.states[decision.state].next.map {
      keys(by: $0, in: decision.state, ahead: decision.ahead, behindEnds: decision.behindEnds)
    }
    let common = all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
    decisions[decision] = common
    return common
  }

  private mutating func keys(behind ending: Ending) -> Set<Int> {
    if let known = endings[ending] { return known }
    var cleared: Set<Int> = []
    for caller in callers[ending.routine] ?? [] {
      guard let taken = machine.states[caller].next.surelyTaking(end: ending.end) else { continue }
      cleared.formUnion(keys(by: taken, in: caller, ahead: ending.ahead))
    }
    endings[ending] = cleared
    return cleared
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
