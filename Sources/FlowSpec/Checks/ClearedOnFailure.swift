import Expressions

extension Check {
  /// Secrets that the app clears behind a request that reads them, where a server could not be reached or was down, and
  /// keeps where all went well: a tunnel signs people out.
  ///
  /// Who clears them whatever comes is signing out.
  static let clearedOnFailure: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    var search = LostSecrets(examined)
    return examined.machine.states.indices.flatMap { search.behindAnswers(in: $0) }
  }
}

/// Looks for secrets that are cleared though nobody has refused them.
private struct LostSecrets {
  private let examined: Examined
  private let machine: Machine
  private var clearing: Clearing
  private let graph: StateGraph
  /// Of requests that call a sub-flow to be tried again, what they clear where all went well.
  private var clearedByCallers: [Int: [Set<Int>]] = [:]

  init(_ examined: Examined) {
    (self.examined, machine) = (examined, examined.machine)
    (clearing, graph) = (Clearing(machine), StateGraph(machine))
  }

  mutating func behindAnswers(in index: Int) -> [Diagnostic] {
    let state = machine.states[index]
    guard case .request(let request) = state.activity else { return [] }
    let read = machine.store.indices.filter { request.reads(machine.store[$0]) }
    if read.isEmpty { return [] }
    let good = examined.takenWhereAllWentWell(request, state.next)
    var found: [Diagnostic] = []
    for var answer in [AskedAnswer.unreachable, .down] {
      // What is not tried again has called no sub-flow.
      if request.retry?.when?.surelyExcludes(answer) == true { answer.ended = .null }
      guard let transition = state.next.surelyTaking(answer) else { continue }
      found += told(where: answer.title, transition, in: index, of: Set(read), good)
    }
    return found
  }

  /// What a transition and those whom it leads to clear of some secrets, though they keep it where all went well.
  private mutating func told(
    where title: String, _ transition: Transition, in state: Int, of secrets: Set<Int>, _ good: [Transition]
  ) -> [Diagnostic] {
    let cleared = clearing.keys(by: transition, in: state).intersection(secrets)
    if let key = good.flatMap({ cleared.subtracting(clearing.allKeys(by: $0, in: state)) }).min() {
      return [lost(key, where: title, transition)]
    }
    let kept = good.map { clearing.keys(by: $0, in: state) }.reduce(into: Set<Int>()) {
      $0.formUnion(secrets.subtracting($1))
    }
    if kept.isEmpty { return [] }
    return clearing.consequences(of: transition, in: state).compactMap { consequence in
      let common = consequence.keys.intersection(kept)
      guard let key = common.sorted().first(where: { keeps($0, consequence.state, behind: good, of: state) }) else {
        return nil
      }
      return lost(key, where: title, consequence.transition, behind: transition)
    }
  }

  /// Whether a caller of a sub-flow has a secret still where all went well, here behind transitions of a state in that.
  private mutating func keeps(_ key: Int, _ caller: Int, behind good: [Transition], of source: Int) -> Bool {
    let state = machine.states[caller]
    switch state.activity {
    case .request(let request):
      let cleared =
        clearedByCallers[caller]
        ?? examined.takenWhereAllWentWell(request, state.next).map { clearing.allKeys(by: $0, in: caller) }
      clearedByCallers[caller] = cleared
      return cleared.contains { !$0.contains(key) }
    case .call(let routine):
      let isNear = machine.states[source].routine == routine
      let ends = isNear ? ends(behind: good, of: source) : machine.routines[routine].ends
      let taken = ends.flatMap { state.next.mayTake(.ended($0)) }
      return isNear && ends.isEmpty || taken.contains { !clearing.allKeys(by: $0, in: caller).contains(key) }
    default: return false
    }
  }

  /// The ends of its sub-flow to which transitions of a state may come in the end.
  private func ends(behind transitions: [Transition], of source: Int) -> [String] {
    let routine = machine.states[source].routine
    let reached = graph.reachable(from: StateGraph.targets(of: transitions))
    let states = machine.states.indices.filter { reached[$0] && machine.states[$0].routine == routine }
      .map { machine.states[$0] }
    let entered = states.compactMap { if case .end(let name) = $0.activity { name } else { nil } }
    let all = Set(entered + (transitions + states.flatMap(\.transitions)).compactMap(\.target.end))
    return machine.routines[routine].ends.filter(all.contains)
  }

  private func lost(
    _ key: Int, where title: String, _ transition: Transition, behind ending: Transition? = nil
  ) -> Diagnostic {
    let (name, isTaken) = (machine.store[key].name, "is taken where \(title)")
    let isBehind = ending == nil ? "" : " behind the end of the sub-flow"
    let refused =
      ending == nil
      ? "where the service has refused alone, as response.status == 401 says"
      : "behind an end alone that says that the service has refused, as result.ended does"
    return Diagnostic(
      "cleared-on-failure", severity: .warning,
      "where \(title) this clears the secret \"\(name)\"\(isBehind), though nobody has refused it",
      at: transition.siteOfChoice, ending == nil ? isTaken : "is taken behind that end",
      help: "clear it \(refused), and let the rest be tried again later",
      related: ending.map { ($0.siteOfChoice, isTaken) })
  }
}

extension Examined {
  /// What good answers come to: what asks for them, else whatever takes them.
  ///
  /// They are those of the model, where it is known; a sub-flow that was called before has ended well.
  fileprivate func takenWhereAllWentWell(_ request: RequestSpec, _ next: [Transition]) -> [Transition] {
    let known = surelyAsks(request).map { model, route in
      model.replies(of: route).map { Int64($0.status) }.filter { (200..<300).contains($0) }
    }
    let statuses = known.flatMap { $0.isEmpty ? nil : $0 } ?? [200, 201, 202, 204]
    let called: [Value?]? = request.retry?.call.map {
      [.null, machine.routines[$0].ends.first.map(Value.string) ?? .null]
    }
    let taken = Set(statuses).sorted().flatMap { status in
      (called ?? [nil]).flatMap { next.mayTake(AskedAnswer(status: status, failure: nil, title: "", ended: $0)) }
    }
    let asking = taken.filter { $0.when != nil }
    return asking.isEmpty ? taken : asking
  }
}

extension Transition.Target {
  fileprivate var end: String? { if case .end(let name) = self { name } else { nil } }
}

extension RequestSpec {
  /// Whether something that it sends is made of a key.
  fileprivate func reads(_ key: Key) -> Bool {
    sent.contains { $0.facts.references.contains { $0.prefix(2) == ["store", key.name] } }
  }
}
