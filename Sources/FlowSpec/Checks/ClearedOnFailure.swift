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
      for var answer in [AskedAnswer.unreachable, .down] {
        // What is not tried again has called no sub-flow.
        if request.retry?.when?.surelyExcludes(answer) == true { answer.ended = .null }
        guard let transition = state.next.surelyTaking(answer) else { continue }
        let cleared = clearing.keys(by: transition, in: index).filter { key in
          good.contains { !$0.contains(key) } && request.reads(examined.machine.store[key])
        }
        guard let key = cleared.min() else { continue }
        let (name, site) = (examined.machine.store[key].name, transition.siteOfChoice)
        if clearing.keys(by: transition, in: index, behindEnds: false).contains(key) {
          return lostSecret(
            "the secret \"\(name)\"", where: answer, at: site,
            help: "clear it where the service has refused alone, as response.status == 401 says")
        }
        let clearer = clearing.clearer(of: key, behind: transition, in: index)
        return lostSecret(
          "the secret \"\(name)\" behind the end of the sub-flow", where: answer, at: site,
          help: "clear it behind an end alone that says that the service has refused, as result.ended does",
          related: clearer.map { ($0.siteOfChoice, "is taken then, and clears it") })
      }
      return nil
    }
  }

  private static func lostSecret(
    _ secret: String, where answer: AskedAnswer, at site: Site, help: String,
    related: (site: Site, label: String)? = nil
  ) -> Diagnostic {
    Diagnostic(
      "cleared-on-failure", severity: .warning,
      "where \(answer.title) this clears \(secret), though nobody has refused it", at: site,
      "is taken where \(answer.title)", help: help + ", and let the rest be tried again later", related: related)
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
struct Clearing {
  private struct Decision: Hashable {
    let state, ahead: Int
    let behindEnds: Bool
  }
  private struct Ending: Hashable {
    let end: String
    let routine, ahead: Int
  }
  let machine: Machine
  /// The states that call each routine.
  private let callers: [[Int]]
  private var decisions: [Decision: Set<Int>] = [:]
  private var endings: [Ending: Set<Int>] = [:]

  init(_ machine: Machine) {
    self.machine = machine
    callers = machine.callers
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
    return behind.union(actions.emptied.filter { $0.isDurable && $0.holdsSecrets && !$0.isOfTable }.map(\.key))
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
    for caller in callers[ending.routine] {
      for taken in transitions(behind: ending.end, in: caller) {
        cleared.formUnion(keys(by: taken, in: caller, ahead: ending.ahead))
      }
    }
    endings[ending] = cleared
    return cleared
  }

  /// The transition of a caller that clears a key behind the end that a transition is.
  mutating func clearer(of key: Int, behind transition: Transition, in source: Int) -> Transition? {
    guard let end = transition.target.end else { return nil }
    for caller in callers[machine.states[source].routine] {
      for taken in transitions(behind: end, in: caller) where keys(by: taken, in: caller).contains(key) { return taken }
    }
    return nil
  }

  /// The transitions that a caller of a sub-flow surely takes where it ends so: one that is tried again behind some answers
  /// takes them with the last of these.
  private func transitions(behind end: String, in caller: Int) -> [Transition] {
    let state = machine.states[caller]
    guard case .request(let request) = state.activity, let retry = request.retry, let call = retry.call else {
      return state.next.surelyTaking(.ended(end)).map { [$0] } ?? []
    }
    // The first end leads to another try, whose answer may be any.
    if end == machine.routines[call].ends.first { return [] }
    return retry.statuses.compactMap { state.next.surelyTaking(.ended(end, behind: $0, of: retry)) }
  }
}

extension Retry {
  /// Those that its condition names and for which it may hold.
  fileprivate var statuses: Set<Int64> {
    guard let when else { return [] }
    return Set(when.mentions(of: "status").flatMap(\.comparison.numbers)).filter { !when.surelyExcludes(status: $0) }
  }
}

extension [Action] {
  /// What they clear, or set to nothing.
  var emptied: [Place] {
    flatMap(\.cleared) + flatMap(\.assignments).filter(\.value.isNothing).map(\.place)
  }
}

extension ValueTemplate {
  var isNothing: Bool { if case .literal(.null) = self { true } else { false } }
}

extension Transition {
  /// Where it says when it is taken.
  var siteOfChoice: Site { when?.expressions.first?.site ?? site }
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
