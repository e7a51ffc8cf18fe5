import Expressions

extension Check {
  /// Secrets that the app clears behind a request that reads them, where a server could not be reached, was down or was
  /// asked too often, and where no answer came that would say anything of them; and keeps where all went well: a tunnel
  /// signs people out.
  ///
  /// Who clears them whatever comes is signing out.
  static let clearedOnFailure: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    var search = LostSecrets(examined)
    let behindAnswers = examined.machine.states.indices.flatMap { search.behindAnswers(in: $0) }
    let besideThem = examined.machine.states.indices.flatMap { state in
      search.behindTimers(of: state) + search.whereTheNetworkGoes(from: state)
    }
    return behindAnswers + besideThem
  }
}

/// Looks for secrets that are cleared though nobody has refused them.
private struct LostSecrets {
  /// A transition of a state that is taken though nobody has refused anything.
  private struct Trouble {
    /// In a sentence behind "where".
    let title: String
    let transition: Transition
    let state: Int
    /// Those of which it says nothing.
    let secrets: Set<StoredSecret>
    /// The request behind which all might have gone well; `nil` where none is awaited.
    let asked: Asked?
  }
  /// A state with a request, and what is taken there where all went well.
  private struct Asked {
    let state: Int
    let request: RequestSpec
    let good: [Transition]
    /// The secrets that it reads.
    let read: Set<StoredSecret>
  }
  /// A state that calls a sub-flow, and the ends of that to which it comes where all went well.
  private struct Call: Hashable {
    let caller: Int
    let ends: [String]
  }
  /// The requests that are awaited in a state, and the secrets of them that are the same whether they were done or not.
  private struct Awaited {
    let requests: [Asked]
    let read, untouched: Set<StoredSecret>
  }
  private let examined: Examined
  private let machine: Machine
  private var clearing: Clearing
  private let graph: StateGraph
  private let asked: [Int: Asked]
  /// Those that are for more than one request and kept where all went well, with the requests that are so.
  private var lasting: [StoredSecret: [RequestSpec]] = [:]
  /// By state with a request, the ends behind its good answers; worked out once for all callers.
  private var endsBehind: [Int: [String]] = [:]
  private var clearedByCalls: [Call: [Set<StoredSecret>]] = [:]
  /// By routine, what is awaited where it is called; worked out once for all callers.
  private var awaitedInCalls: [Int: Awaited?] = [:]

  init(_ examined: Examined) {
    (self.examined, machine) = (examined, examined.machine)
    (clearing, graph) = (Clearing(machine), StateGraph(machine))
    let secrets = machine.secrets
    let all = machine.states.indices.compactMap { index -> Asked? in
      guard case .request(let request) = examined.machine.states[index].activity else { return nil }
      // What is sent as a hash alone is of this try, as a verifier is of one sign-in.
      let read = secrets.filter { request.reads(examined.machine.path(of: $0), besidesHashes: true) }
      let good = examined.takenWhereAllWentWell(request, examined.machine.states[index].next)
      return Asked(state: index, request: request, good: good, read: Set(read))
    }
    asked = Dictionary(uniqueKeysWithValues: all.map { ($0.state, $0) })
    for one in all {
      for secret in one.read where isForMore(secret, than: one) {
        guard one.good.contains(where: { !clearing.allKeys(by: $0, in: one.state).contains(secret) }) else { continue }
        lasting[secret, default: []].append(one.request)
      }
    }
  }

  mutating func behindAnswers(in index: Int) -> [Diagnostic] {
    guard let asked = asked[index], !asked.read.isEmpty else { return [] }
    let troubles = [AskedAnswer.unreachable, .down, .askedTooOften, .lost].compactMap { answer -> Trouble? in
      var answer = answer
      // What is not tried again has called no sub-flow.
      if asked.request.retry?.when?.surelyExcludes(answer) == true { answer.ended = .null }
      guard let transition = machine.states[index].next.surelyTaking(answer) else { return nil }
      let secrets =
        if answer.failure == AskedAnswer.lost.failure {
          untouched(by: asked)
        } else if answer.status == AskedAnswer.askedTooOften.status {
          asked.read.filter { isForMore($0, than: asked) }
        } else {
          asked.read
        }
      return Trouble(title: answer.title, transition: transition, state: index, secrets: secrets, asked: asked)
    }
    return troubles.flatMap { told($0) }
  }

  /// A time-out of one's own leaves an answer that may still come, if it is shorter than that of the request.
  mutating func behindTimers(of index: Int) -> [Diagnostic] {
    let timed = machine.states[index].after.filter { $0.fixedWait != nil }
    guard !timed.isEmpty, let awaited = awaited(in: index) else { return [] }
    return timed.flatMap { timer in
      let late = awaited.requests.filter { asked in timer.fixedWait.map { $0 < asked.request.patience } ?? false }
      return timer.transition.filter { $0.when == nil }.flatMap { transition in
        told(
          transition, of: index, where: "the answer takes longer", secrets: awaited.untouched, behind: late)
      }
    }
  }

  mutating func whereTheNetworkGoes(from index: Int) -> [Diagnostic] {
    let state = machine.states[index]
    let heard = state.on.filter { machine.events[$0.event].kind == .deviceOffline }.flatMap(\.transitions)
      .filter { $0.when == nil }
    if heard.isEmpty { return [] }
    let awaited = awaited(in: index) ?? Awaited(requests: [], read: [], untouched: [])
    // Who asks for something to be over clears whatever comes of it.
    let over = state.next.map { clearing.keys(by: $0, in: index) }
    let cleared = over.dropFirst().reduce(over.first ?? []) { $0.intersection($1) }
    let title = "the network goes"
    return heard.flatMap { transition in
      let others = Trouble(
        title: title, transition: transition, state: index,
        secrets: Set(lasting.keys).subtracting(awaited.read).subtracting(cleared), asked: nil)
      return told(others)
        + told(
          transition, of: index, where: title, secrets: awaited.untouched.subtracting(cleared),
          behind: awaited.requests)
    }
  }

  /// What is told of a transition of a state that awaits requests: behind the first for which it is wrong.
  private mutating func told(
    _ transition: Transition, of state: Int, where title: String, secrets: Set<StoredSecret>, behind requests: [Asked]
  ) -> [Diagnostic] {
    let secrets = secrets.intersection(clearing.allKeys(by: transition, in: state))
    for asked in requests where !secrets.isDisjoint(with: asked.read) {
      let found = told(
        Trouble(
          title: title, transition: transition, state: state, secrets: secrets.intersection(asked.read), asked: asked))
      if !found.isEmpty { return found }
    }
    return []
  }

  private mutating func awaited(in index: Int) -> Awaited? {
    guard case .call(let routine) = machine.states[index].activity else {
      return requests(in: index).map { awaited($0) }
    }
    if let known = awaitedInCalls[routine] { return known }
    let found = requests(in: index).map { awaited($0) }
    awaitedInCalls[routine] = .some(found)
    return found
  }

  private mutating func awaited(_ requests: [Asked]) -> Awaited {
    let read = Set(requests.flatMap(\.read))
    // A good answer neither clears nor renews them.
    let touched = requests.reduce(into: Set<StoredSecret>()) { $0.formUnion($1.read.subtracting(untouched(by: $1))) }
    return Awaited(requests: requests, read: read, untouched: read.subtracting(touched))
  }

  /// The requests that are awaited in a state, where nothing else is: nobody does anything in it.
  private func requests(in index: Int) -> [Asked]? {
    let state = machine.states[index]
    let inside: [Int]
    switch state.activity {
    case .request: return asked[index].map { [$0] }
    case .compound: inside = machine.states.indices.filter { $0 != index && machine.encloses(index, $0) }
    case .call(let routine): inside = machine.states.indices.filter { machine.states[$0].routine == routine }
    case .none, .perform, .end: return nil
    }
    let isAtWork = inside.allSatisfy { inner in
      switch machine.states[inner].activity {
      case .request, .compound, .end: true
      case .none: machine.states[inner].decides
      case .perform, .call: false
      }
    }
    return isAtWork ? inside.compactMap { asked[$0] } : nil
  }

  /// Whether a secret that a request reads is for more than this: it shows who asks, or has a new one where all went well.
  private func isForMore(_ secret: StoredSecret, than asked: Asked) -> Bool {
    asked.request.shows(machine.path(of: secret))
      || asked.good.contains { machine.deeds(of: $0, in: asked.state).actions.set(secret) }
  }

  /// The secrets that are the same whether a request was done or not.
  private mutating func untouched(by asked: Asked) -> Set<StoredSecret> {
    // Who only looks changes nothing (RFC 9110 §9.2.1); of the rest, what comes later may take it as used up.
    let isSafe = ["GET", "HEAD"].contains(asked.request.method)
    let isOver = asked.good.allSatisfy { transition in
      machine.deeds(of: transition, in: asked.state).leaf.map { machine.states[$0].waits } ?? false
    }
    guard isSafe || isOver && asked.request.method != "DELETE" else { return [] }
    return asked.read.filter { secret in
      asked.request.shows(machine.path(of: secret))
        && asked.good.allSatisfy { transition in
          !machine.deeds(of: transition, in: asked.state).actions.set(secret)
            && !clearing.allKeys(by: transition, in: asked.state).contains(secret)
        }
    }
  }

  /// What is cleared then, and by those to whom the end of a sub-flow leads, though it is kept where all went well.
  private mutating func told(_ trouble: Trouble) -> [Diagnostic] {
    let (transition, asked) = (trouble.transition, trouble.asked)
    let cleared = clearing.keys(by: transition, in: trouble.state).intersection(trouble.secrets)
      .filter { !spares($0, transition, in: trouble.state, of: asked) }
    let kept = asked.map { asked in
      Set(asked.good.flatMap { cleared.subtracting(clearing.allKeys(by: $0, in: asked.state)) })
    }
    if let secret = (kept ?? cleared).min() {
      return [.lost(machine.title(of: secret), where: trouble.title, transition)]
    }
    let left = asked.map { asked in
      Set(asked.good.flatMap { trouble.secrets.subtracting(clearing.keys(by: $0, in: asked.state)) })
    }
    let saysRefused = asked.map { self.saysRefused(transition, of: $0) } ?? false
    return clearing.consequences(of: transition, in: trouble.state).compactMap { consequence in
      let common = consequence.keys.intersection(left ?? trouble.secrets)
        .filter { !spares($0, consequence.transition, in: consequence.state, of: asked) }
      guard let secret = common.sorted().first(where: { keeps($0, consequence.state, behind: asked) }) else {
        return nil
      }
      return .lost(
        machine.title(of: secret), where: trouble.title, consequence.transition, behind: transition,
        thatSaysRefused: saysRefused)
    }
  }

  /// Whether a transition clears a secret in other rows of a table than that from which it is sent, by all for which it
  /// lasts where none is awaited.
  private func spares(_ secret: StoredSecret, _ transition: Transition, in state: Int, of asked: Asked?) -> Bool {
    let actions = machine.deeds(of: transition, in: state).actions
    let requests = asked.map { [$0.request] } ?? lasting[secret] ?? []
    return !requests.isEmpty && requests.allSatisfy { actions.emptyOtherRows(of: secret, than: $0, in: machine) }
  }

  /// Whether a transition comes to an end of its sub-flow that says that the service has refused, as it is the one that is
  /// asked for then, or the only one: no caller can tell.
  private mutating func saysRefused(_ transition: Transition, of asked: Asked) -> Bool {
    let ends = clearing.ends(by: transition, in: asked.state)
    let refused = [400, 401, 403].flatMap { machine.states[asked.state].next.mayTake(status: $0) }
    let asking = refused.filter { $0.when?.mentions(of: "status").isEmpty == false }
    return asking.contains { !ends.isDisjoint(with: clearing.ends(by: $0, in: asked.state)) }
      || refused.allSatisfy { !ends.isDisjoint(with: clearing.ends(by: $0, in: asked.state)) }
  }

  /// Whether a caller of a sub-flow has a secret still where all went well, behind a request in that.
  private mutating func keeps(_ secret: StoredSecret, _ caller: Int, behind source: Asked?) -> Bool {
    if let asked = asked[caller] {
      return asked.good.contains { !clearing.allKeys(by: $0, in: caller).contains(secret) }
    }
    guard case .call(let routine) = machine.states[caller].activity else { return false }
    let near = source.flatMap { machine.states[$0.state].routine == routine ? $0 : nil }
    let reached = near.map { endsBehind[$0.state] ?? self.ends(behind: $0.good, of: $0.state) }
    if let near { endsBehind[near.state] = reached }
    let call = Call(caller: caller, ends: reached ?? machine.routines[routine].ends)
    let cleared =
      clearedByCalls[call]
      ?? call.ends.flatMap { machine.states[caller].next.mayTake(.ended($0)) }
      .map { clearing.allKeys(by: $0, in: caller) }
    clearedByCalls[call] = cleared
    return call.ends.isEmpty || cleared.contains { !$0.contains(secret) }
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
}

extension Transition.Target {
  fileprivate var end: String? { if case .end(let name) = self { name } else { nil } }
}
