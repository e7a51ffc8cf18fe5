import Expressions

extension Check {
  /// What is to be another for each thing that is asked for, and is made once for all: the second authorization request
  /// has the `state` of the first, and the second order its key.
  ///
  /// That is where a person can ask again once the first was answered, and nothing on some way there sets it. Of a very
  /// large flow so much is walked, and nothing is said of the rest.
  static let unrenewedValues: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let made = examined.madeKeys
    if made.isEmpty { return [] }
    var stepsLeft = 200_000
    return examined.onceOnlySenders.flatMap { sender in
      sender.fields.compactMap { field -> Diagnostic? in
        guard case .template(let placed) = field.value, let keys = placed.keysAlone(of: made) else { return nil }
        var walk = RenewalWalk(examined, sender, keys, steps: stepsLeft)
        let isBack = walk.comesBack()
        stepsLeft = walk.stepsLeft
        return !isBack ? nil : unrenewed(field.name, keys, at: placed.site)
      }
    }
  }

  private static func unrenewed(_ field: String, _ keys: Set<[String]>, at site: Site) -> Diagnostic {
    let names = keys.map { "\"\($0.joined(separator: "."))\"" }.sorted().joined(separator: " and ")
    if field == RequestSpec.keyHeader {
      return Diagnostic(
        "unsafe-retry", severity: .warning,
        "what a person asks for next has the \"Idempotency-Key\" of the first: the service takes it for that",
        at: site, "is not made anew", help: "set \(names) anew where the person asks for it, and keep it for its tries")
    }
    let rules = [
      "state": "RFC 6749, section 10.12", "nonce": "OpenID Connect Core, section 15.5.2",
      "code_challenge": "RFC 7636, section 4.1",
    ]
    return Diagnostic(
      "weak-grant", severity: .warning,
      "the next authorization request has the \"\(field)\" of the first: who knows that one knows this one", at: site,
      "is not made anew", help: "set \(names) anew on each way to it" + (rules[field].map { " (\($0))" } ?? ""))
  }
}

/// Where something is sent that is to be another each time.
private struct OnceOnlySender {
  let state: Int
  /// The transition that opens it; `nil` where the state does, or asks for it.
  let transition: Transition?
  /// `nil` for what is opened in the browser.
  let request: RequestSpec?
  let fields: [FieldValue]

  init?(_ state: Int, _ transition: Transition? = nil, request: RequestSpec? = nil, sending sent: [FieldValue]) {
    (self.state, self.transition, self.request) = (state, transition, request)
    let isAuthorization = sent.contains { $0.name == "response_type" }
    fields =
      (isAuthorization ? sent.filter { ["state", "nonce", "code_challenge"].contains($0.name) } : [])
      + (request.map { $0.asksAnew ? $0.headers.filter { $0.name == RequestSpec.keyHeader } : [] } ?? [])
    if fields.isEmpty { return nil }
  }
}

extension Examined {
  fileprivate var onceOnlySenders: [OnceOnlySender] {
    machine.states.indices.flatMap { index -> [OnceOnlySender] in
      let state = machine.states[index]
      var found = state.entry.opens.compactMap { OnceOnlySender(index, sending: $0.query) }
      for transition in state.transitions {
        found += transition.actions.opens.compactMap { OnceOnlySender(index, transition, sending: $0.query) }
      }
      guard case .request(let request) = state.activity else { return found }
      let body: [FieldValue] =
        switch request.body {
        case .form(let fields), .json(.object(let fields)): fields
        case .json, .text, nil: []
        }
      return found + [OnceOnlySender(index, request: request, sending: request.query + body)].compactMap(\.self)
    }
  }

  /// The keys that are set to something fresh, or to what is made of such a key.
  fileprivate var madeKeys: Set<[String]> {
    let given = actions.flatMap(\.assignments).filter { !$0.place.isOfTable }.map { assignment in
      (assignment.place.reference, assignment.value.placed.flatMap(\.template.expressions))
    }
    let fresh = Set(given.filter { $0.1.contains(where: \.namesFresh) }.map(\.0))
    let derived = given.filter { _, expressions in
      expressions.contains { $0.facts.references.contains { fresh.contains(Array($0.prefix(2))) } }
    }
    return fresh.union(derived.map(\.0))
  }
}

extension PlacedTemplate {
  /// Those of which it is made, where nothing else than these and config is in it.
  fileprivate func keysAlone(of made: Set<[String]>) -> Set<[String]>? {
    let expressions = template.expressions
    let read = Set(expressions.flatMap(\.facts.references).filter { $0.first != "config" }.map { Array($0.prefix(2)) })
    return !read.isEmpty && read.isSubset(of: made) && expressions.allSatisfy { $0.freshness == .none } ? read : nil
  }
}

/// Goes all ways from where something is sent on which nothing sets these keys.
private struct RenewalWalk {
  private struct Stage: Hashable {
    var state: Int
    /// Whether what was sent is behind it: a good answer, or the browser's way back.
    var isAnswered = false
    /// Whether a person has done something since.
    var isAsked = false
  }
  private struct Ending: Hashable {
    let end: String
    let stage: Stage
  }
  private let examined: Examined
  private let machine: Machine
  private let callers: [[Int]]
  private let sender: OnceOnlySender
  private let keys: Set<[String]>
  private var seen: Set<Stage> = []
  private var ended: Set<Ending> = []
  private var pending: [Stage] = []
  private var isBack = false
  /// How many transitions are looked at before it gives up.
  private(set) var stepsLeft: Int

  init(_ examined: Examined, _ sender: OnceOnlySender, _ keys: Set<[String]>, steps: Int) {
    (self.examined, machine, callers) = (examined, examined.machine, examined.machine.callers)
    (self.sender, self.keys, stepsLeft) = (sender, keys, steps)
  }

  /// Whether it is sent again so that it is the same.
  mutating func comesBack() -> Bool {
    if let transition = sender.transition {
      let start = Stage(state: sender.state)
      if transition.target.isStay { arrive(start) } else { take(transition, start) }
    } else {
      arrive(Stage(state: sender.state))
    }
    while !isBack, stepsLeft > 0, let stage = pending.popLast() { leave(stage) }
    return isBack
  }

  private func sets(_ actions: [Action]) -> Bool {
    actions.contains { action in
      action.cleared.contains { keys.contains($0.reference) }
        || action.assignments.contains { keys.contains($0.place.reference) && !$0.keepsWhatIsThere }
    }
  }

  private mutating func take(_ transition: Transition, _ stage: Stage) {
    if sets(transition.actions) { return }
    if transition === sender.transition, stage.isAnswered, stage.isAsked { isBack = true }
    switch transition.target {
    case .state(let target):
      enter(machine.entered(target, from: stage.state), stage)
    case .end(let name): end(name, stage)
    case .stay, .reply: break
    }
  }

  /// What a state does when it is entered; false where that sets them.
  private mutating func does(_ stage: Stage) -> Bool {
    if sets(machine.states[stage.state].entry) { return false }
    if stage.state == sender.state, sender.transition == nil, stage.isAnswered, stage.isAsked { isBack = true }
    return true
  }

  /// In a state that has done its own: on to where it starts.
  private mutating func arrive(_ stage: Stage) { enter(machine.starts(in: stage.state), stage) }

  private mutating func enter(_ states: [Int], _ stage: Stage) {
    var stage = stage
    for state in states {
      stage.state = state
      if !does(stage) { return }
    }
    if seen.insert(stage).inserted { pending.append(stage) }
  }

  /// In what calls the sub-flow.
  private mutating func end(_ name: String, _ stage: Stage) {
    let routine = machine.states[stage.state].routine
    guard ended.insert(Ending(end: name, stage: stage)).inserted else { return }
    for caller in callers[routine] {
      var stage = stage
      stage.state = caller
      if case .call = machine.states[caller].activity {
        for transition in machine.states[caller].next.mayTake(.ended(name)) { take(transition, stage) }
      } else {
        arrive(stage)
      }
    }
  }

  private mutating func leave(_ stage: Stage) {
    let state = machine.states[stage.state]
    var good: Transition?
    switch state.activity {
    case .end(let name): return end(name, stage)
    case .request(let request):
      if request === sender.request { good = examined.takenWhereAllSurelyWentWell(request, state.next) }
      if sets(request.retry?.actions ?? []) { return }
    case .none, .perform, .call, .compound: break
    }
    for routine in state.calls {
      enter(machine.entered(machine.routines[routine].root, from: nil), stage)
    }
    let heard = heard(in: stage.state)
    // What may be set without leaving it may always be.
    if heard.contains(where: { $0.transition.isOfStay && sets($0.transition.actions) }) { return }
    // Those behind a call are taken where it ends.
    let decided: [Transition] = if case .call = state.activity { [] } else { state.next }
    for transition in decided {
      var next = stage
      next.isAnswered = stage.isAnswered || good === transition
      take(transition, next)
    }
    for (transition, source, kind) in heard {
      var next = stage
      next.isAsked = stage.isAsked || kind == .person
      next.isAnswered = stage.isAnswered || (sender.request == nil && kind == .browserRedirected)
      // It goes on from where it stands, whatever was called from there.
      if machine.states[source].routine != state.routine { next.state = source }
      take(transition, next)
    }
  }

  /// What is taken in a state by events and times, its own, of what is around it and of what calls its sub-flow.
  private mutating func heard(in leaf: Int) -> [(transition: Transition, source: Int, kind: Event.Kind?)] {
    var found: [(transition: Transition, source: Int, kind: Event.Kind?)] = []
    var (pending, known, named) = ([leaf], Set<Int>(), Set<Int>())
    while let index = pending.popLast() {
      guard known.insert(index).inserted else { continue }
      let state = machine.states[index]
      stepsLeft -= 1 + state.transitions.count
      for handler in state.on where !named.contains(handler.event) {
        found += handler.transitions.map { ($0, index, machine.events[handler.event].kind) }
      }
      named.formUnion(state.on.map(\.event))
      found += state.after.flatMap(\.transition).map { ($0, index, nil) }
      pending += machine.outside(index, callers)
    }
    return found
  }
}

extension Assignment {
  /// Whether a key keeps what it has wherever it has something: `present(store.key) ? store.key : newId('key')`.
  fileprivate var keepsWhatIsThere: Bool {
    guard case .template(let placed) = value, placed.template.isAlone, let whole = placed.template.expressions.first,
      let name = place.nameOfValue
    else { return false }
    return whole.handedOn.contains { $0.withoutOptionals == name }
      && whole.facts.references.allSatisfy { $0 == place.reference }
  }
}

extension Transition {
  fileprivate var isOfStay: Bool { if case .stay = target { true } else { false } }
}
