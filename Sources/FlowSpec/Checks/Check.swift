/// What a check looks at: one machine, with what it declares and uses, in its flow.
struct Examined: Sendable {
  let document: Declaration
  /// `nil` when a service is checked by itself.
  let flow: Flow?
  let machine: Machine
  /// `nil` for the app.
  let model: ServiceModel?
  /// Index into `Flow.services` of a model.
  let service: Int?
  let ledger: Ledger
  /// The lets, as written.
  let definitions: [ConditionLine]
  let expressions: [NotedExpression]
  /// Every transition, those of routes included.
  let transitions: [Transition]
  let actions: [Action]
  let replies: [Reply]
  /// Everything that goes over the network from here.
  let visits: [Visit]
  /// `nil` where a mistake hides states, or where their transitions lead.
  private(set) var paths: StatePaths?

  /// A machine that `builder` has built.
  init(_ builder: MachineBuilder, _ machine: Machine, flow: Flow?, model: ServiceModel?, service: Int?) {
    document = builder.document
    self.flow = flow
    self.machine = machine
    self.model = model
    self.service = service
    ledger = builder.compilation.ledger
    definitions = builder.definitions
    expressions = builder.compilation.noted
    transitions = (model?.routes.flatMap(\.next) ?? []) + (model?.sometimes ?? []) + machine.transitions
    let retries = machine.requests.compactMap(\.retry).flatMap(\.actions)
    actions = machine.states.flatMap(\.entry) + transitions.flatMap(\.actions) + retries
    replies = transitions.compactMap { if case .reply(let reply) = $0.target { reply } else { nil } }
    visits = Visit.all(of: machine.requests, actions, replies)
  }

  mutating func findPaths() { paths = StatePaths(of: self) }
}

/// A rule about whole machines; each is one function, with its words beside it.
struct Check: Sendable {
  /// What has to be understood for a rule to say anything: otherwise one mistake would be reported twice.
  enum Ground: Sendable {
    case nothing
    /// Every state and where its transitions lead.
    case states
    /// Every use of every name.
    case uses
  }

  let ground: Ground
  let find: @Sendable (Examined) -> [Diagnostic]

  /// All of them, in reporting order.
  static let all: [Check] = [
    Check(ground: .states, find: recursiveFlows),
    Check(ground: .states, find: unreachableStates),
    Check(ground: .states, find: statesWithoutWayOut),
    Check(ground: .states, find: statesWithoutGoal),
    Check(ground: .states, find: loopsWithoutWait),
    Check(ground: .nothing, find: statusWithoutFailure),
    Check(ground: .nothing, find: looksIntoFresh),
    Check(ground: .nothing, find: unansweredRequests),
    Check(ground: .nothing, find: secretsInURLs),
    Check(ground: .nothing, find: secretsOverHTTP),
    Check(ground: .uses, find: unusedSecrets),
    Check(ground: .uses, find: unusedDeclarations),
    Check(ground: .uses, find: unsetKeys),
    Check(ground: .uses, find: growingTables),
  ]

  /// Everything that the checks find in a machine.
  static func examine(_ examined: Examined, _ findings: inout Findings) {
    var examined = examined
    let errors = findings.errors(in: examined.document.site.document)
    let hidesStates = examined.document.hidesNames || errors.contains { Self.hidesStates($0, examined.document) }
    if !hidesStates { examined.findPaths() }
    for check in all {
      if check.ground == .uses && !errors.isEmpty || check.ground == .states && hidesStates { continue }
      for diagnostic in check.find(examined) { findings.add(diagnostic) }
    }
  }

  /// Whether an error lies where the states are and is of a kind that leaves a transition unread.
  private static func hidesStates(_ error: Diagnostic, _ document: Declaration) -> Bool {
    let harmless: Set<String> = [
      "type-mismatch", "unknown-value", "unknown-key", "unknown-field", "unknown-name", "unknown-ref", "missing-field",
      "wrong-number", "wrong-place", "wrong-path", "unknown-action", "unknown-emit", "unknown-participant",
      "unknown-capability", "not-allowed-here", "outside-profile", "expression-syntax", "forbidden-header",
      "unknown-check", "missing-participant", "action-circle", "wrong-count",
    ]
    guard let site = error.labels.first?.site, !harmless.contains(error.code) else { return false }
    let places = ["states", "flows", "routes", "on", "after", "sometimes", "start"]
    let grammar = document.kind?.grammar
    return places.contains { grammar?.shape(of: $0) != nil && document[$0]?.site.encloses(site) == true }
      || site.range.isEmpty || site == document.site.start
  }
}

extension Findings {
  /// Warns of each `despite` that silenced nothing, but for checks that did not look; the last thing to do.
  mutating func reportUnusedOverrules(except unchecked: Set<String> = []) {
    for overrule in overrules where !overrule.isUsed && !unchecked.contains(overrule.code) {
      warning(
        "despite-unused", "\"despite\" overrules \"\(overrule.code)\", which finds nothing here", at: overrule.site,
        "silences nothing", help: "remove it")
    }
  }
}
