/// What a check looks at: one machine, with what it declares and uses, in its flow.
struct Examined: Sendable {
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
}

/// A rule about whole machines; each is one function, with its words beside it.
struct Check: Sendable {
  let find: @Sendable (Examined) -> [Diagnostic]
  /// Whether it says nothing while names are unresolved: what it misses may be what could not be understood.
  let needsWhole: Bool

  /// All of them, in reporting order.
  static let all: [Check] = [
    Check(find: recursiveFlows, needsWhole: false),
    Check(find: unreachableStates, needsWhole: true),
    Check(find: statesWithoutWayOut, needsWhole: true),
    Check(find: statesWithoutGoal, needsWhole: true),
    Check(find: loopsWithoutWait, needsWhole: true),
    Check(find: statusWithoutFailure, needsWhole: false),
    Check(find: unansweredRequests, needsWhole: false),
    Check(find: secretsInURLs, needsWhole: false),
    Check(find: secretsOverHTTP, needsWhole: false),
    Check(find: unusedDeclarations, needsWhole: true),
  ]

  /// Everything that the checks find in a machine.
  static func examine(_ examined: Examined, _ findings: inout Findings) {
    for check in all where !(check.needsWhole && examined.ledger.isIncomplete) {
      for diagnostic in check.find(examined) { findings.add(diagnostic) }
    }
  }
}

extension Findings {
  /// Warns of each `despite` that silenced nothing; the last thing to do.
  mutating func reportUnusedOverrules() {
    for overrule in overrules where !overrule.isUsed {
      warning(
        "despite-unused", "\"despite\" overrules \"\(overrule.code)\", which finds nothing here", at: overrule.site,
        "silences nothing", help: "remove it")
    }
  }
}
