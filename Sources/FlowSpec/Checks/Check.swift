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
  /// Whether some participant, or some link of the app, could not be read.
  let hidesAddresses: Bool
  let expressions: [PlacedExpression]
  /// Every transition, those of routes included.
  let transitions: [Transition]
  let actions: [Action]
  /// Everything that goes over the network from here.
  let visits: [Visit]
  private let overrules: [Findings.Overrule]
  /// `nil` where a mistake hides states, or where their transitions lead.
  private(set) var paths: StatePaths?

  /// A machine that `builder` has built.
  init(_ builder: MachineBuilder, _ machine: Machine, flow: Flow?, model: ServiceModel?, service: Int?) {
    document = builder.document
    (self.flow, self.machine, self.model, self.service) = (flow, machine, model, service)
    ledger = builder.compilation.ledger
    hidesAddresses = builder.surroundings.isBlind || builder.surroundings.links.contains { $0.pattern == nil }
    (expressions, overrules) = (builder.compilation.noted, builder.compilation.findings.overrules)
    transitions = model?.transitions ?? machine.transitions
    actions = machine.actions(transitions)
    visits =
      machine.requests.map(Visit.init) + actions.opens.map { Visit($0) } + transitions.replies.flatMap(\.visits)
  }

  func overrules(_ code: String, at site: Site) -> Bool { overrules.contains { $0.covers(code, at: site) } }

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
    /// The same in all documents of the flow.
    case usesEverywhere
  }

  let ground: Ground
  /// Whether what it finds may be an error, which nobody may run; else it is for those who read about the flow.
  var mayRefuse = true
  let find: @Sendable (Examined) -> [Diagnostic]

  /// All of them, in reporting order.
  static let all: [Check] = [
    Check(ground: .states, find: recursiveFlows),
    Check(ground: .states, find: unreachableStates),
    Check(ground: .states, find: statesWithoutWayOut),
    Check(ground: .states, find: statesWithoutGoal),
    Check(ground: .states, mayRefuse: false, find: loopsWithoutWait),
    Check(ground: .states, mayRefuse: false, find: timers),
    Check(ground: .states, mayRefuse: false, find: idleEvents),
    Check(ground: .states, mayRefuse: false, find: unheardLinks),
    Check(ground: .uses, mayRefuse: false, find: unboundedWaits),
    Check(ground: .uses, mayRefuse: false, find: reusableCodes),
    Check(ground: .nothing, find: statusWithoutFailure),
    Check(ground: .nothing, find: strangeStatuses),
    Check(ground: .nothing, find: headerNames),
    Check(ground: .nothing, find: looksIntoFresh),
    Check(ground: .nothing, find: unansweredRequests),
    Check(ground: .nothing, find: secretsInURLs),
    Check(ground: .nothing, find: secretsOverHTTP),
    Check(ground: .nothing, mayRefuse: false, find: weakGrants),
    Check(ground: .usesEverywhere, mayRefuse: false, find: servicesInCircles),
    Check(ground: .uses, mayRefuse: false, find: unrenewedValues),
    Check(ground: .uses, mayRefuse: false, find: unusedSecrets),
    Check(ground: .uses, mayRefuse: false, find: shownSecrets),
    Check(ground: .uses, mayRefuse: false, find: secretsInPlainKeys),
    Check(ground: .uses, mayRefuse: false, find: keptPasswords),
    Check(ground: .uses, mayRefuse: false, find: lastingSecrets),
    Check(ground: .uses, mayRefuse: false, find: secretNumbers),
    Check(ground: .uses, mayRefuse: false, find: unusedDeclarations),
    Check(ground: .uses, mayRefuse: false, find: untoldEnds),
    Check(ground: .uses, mayRefuse: false, find: unseenScreens),
    Check(ground: .uses, mayRefuse: false, find: unusedParticipants),
    Check(ground: .uses, mayRefuse: false, find: repeatedConditions),
    Check(ground: .uses, mayRefuse: false, find: emptyMemory),
    Check(ground: .uses, mayRefuse: false, find: coveredTransitions),
    Check(ground: .uses, mayRefuse: false, find: halfAskedFailures),
    Check(ground: .usesEverywhere, mayRefuse: false, find: statusesOfOthers),
    Check(ground: .uses, mayRefuse: false, find: nearMisses),
    Check(ground: .usesEverywhere, mayRefuse: false, find: unansweredMembers),
    Check(ground: .usesEverywhere, mayRefuse: false, find: unsentMembers),
    Check(ground: .usesEverywhere, mayRefuse: false, find: mistypedAnswers),
    Check(ground: .uses, mayRefuse: false, find: nearHeaders),
    Check(ground: .uses, mayRefuse: false, find: unreadBodies),
    Check(ground: .uses, mayRefuse: false, find: strangeMessages),
    Check(ground: .uses, mayRefuse: false, find: unsafeRetries),
    Check(ground: .uses, mayRefuse: false, find: blindTries),
    Check(ground: .uses, mayRefuse: false, find: doubleTaps),
    Check(ground: .uses, mayRefuse: false, find: resentAtLaunch),
    Check(ground: .uses, mayRefuse: false, find: spentCodes),
    Check(ground: .uses, mayRefuse: false, find: redirectedTwice),
    Check(ground: .uses, mayRefuse: false, find: forgottenRequests),
    Check(ground: .uses, mayRefuse: false, find: uselessRetries),
    Check(ground: .uses, mayRefuse: false, find: uselessCalls),
    Check(ground: .uses, mayRefuse: false, find: strangePolls),
    Check(ground: .uses, mayRefuse: false, find: hastyRetries),
    Check(ground: .uses, mayRefuse: false, find: clearedOnFailure),
    Check(ground: .uses, mayRefuse: false, find: droppedRotations),
    Check(ground: .uses, mayRefuse: false, find: leftRotations),
    Check(ground: .uses, mayRefuse: false, find: lateRotations),
    Check(ground: .uses, mayRefuse: false, find: refusedSecrets),
    Check(ground: .uses, mayRefuse: false, find: splitGroups),
    Check(ground: .uses, mayRefuse: false, find: leftSecrets),
    Check(ground: .uses, mayRefuse: false, find: lateClears),
    Check(ground: .uses, mayRefuse: false, find: clearedOnTheWay),
    Check(ground: .uses, mayRefuse: false, find: clearedInLists),
    Check(ground: .uses, mayRefuse: false, find: clearedBetweenTries),
    Check(ground: .uses, mayRefuse: false, find: misplacedTests),
    Check(ground: .uses, mayRefuse: false, find: unnamedRows),
    Check(ground: .uses, mayRefuse: false, find: idleSets),
    Check(ground: .uses, mayRefuse: false, find: repeatedMigrations),
    Check(ground: .uses, mayRefuse: false, find: strangeExpiries),
    Check(ground: .uses, mayRefuse: false, find: unheldClaims),
    Check(ground: .uses, mayRefuse: false, find: unrevokedSecrets),
    Check(ground: .uses, mayRefuse: false, find: lostRevocations),
    Check(ground: .uses, mayRefuse: false, find: refreshTokensShown),
    Check(ground: .uses, mayRefuse: false, find: shiftedRows),
    Check(ground: .uses, mayRefuse: false, find: unsetKeys),
    Check(ground: .uses, mayRefuse: false, find: unsetWords),
    Check(ground: .uses, mayRefuse: false, find: unreadKeys),
    Check(ground: .uses, mayRefuse: false, find: unreadFields),
    Check(ground: .uses, mayRefuse: false, find: unreadInstants),
    Check(ground: .uses, mayRefuse: false, find: growingTables),
    Check(ground: .uses, mayRefuse: false, find: unhandledFailures),
  ]
}

extension Findings {
  /// Warns of each `despite` that silenced nothing, but for checks that did not look, as errors keep some from doing;
  /// the last thing to do.
  mutating func reportUnusedOverrules(except unchecked: Set<String> = []) {
    if hasErrors { return }
    for overrule in overrules where !overrule.isUsed && !unchecked.contains(overrule.code) {
      // What is known only while running may be a secret then.
      let source = overrule.scope.document.bytes[overrule.scope.range]
      let hasTemplate = zip(source, source.dropFirst()).contains { $0 == (UInt8(ascii: "$"), UInt8(ascii: "{")) }
      if ["secret-in-url", "secret-over-http"].contains(overrule.code), hasTemplate { continue }
      warning(
        "despite-unused", "\"despite\" overrules \"\(overrule.code)\", which finds nothing here", at: overrule.site,
        "silences nothing", help: "remove it")
    }
  }
}
