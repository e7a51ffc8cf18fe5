import Expressions

/// What may stand where, beyond the grammar.
extension MachineBuilder {
  /// Members that only one of flow and service has, of such an object where the other has them, and who that is.
  static func misplaced(in kind: Kind, of purpose: Purpose) -> (members: [String], owner: String) {
    switch (purpose, kind) {
    case (.app, .transition): (["reply", "sometimes"], "a service")
    case (.app, .action): (["send"], "a service")
    case (.service, .transition): (["end"], "a flow")
    case (.service, .state): (["perform", "call", "on", "after", "end", "goal", "rest"], "a flow")
    case (.service, .retry): (["call"], "a flow")
    case (.service, .action): (["emit", "show", "open", "close"], "a flow")
    default: ([], "")
    }
  }

  mutating func refuseMisplaced(in declaration: Declaration) {
    guard case .object(let kind, let entries) = declaration.content else { return }
    let (misplaced, owner) = Self.misplaced(in: kind, of: purpose)
    for entry in entries where misplaced.contains(entry.name) {
      compilation.findings.error(
        "misplaced-member", "\"\(entry.name)\" stands only in \(owner)", at: entry.nameSite,
        "not in a \(purpose == .app ? "flow" : "service")", help: "remove it, or move it to \(owner)")
    }
  }

  /// What a state needs beside what it does, and what cannot stand beside it.
  mutating func checkNext(of declaration: Declaration, named slot: Slot) {
    let activities = ["request", "perform", "call", "states", "end"]
    let activity = activities.first(where: declaration.isWritten)
    let next = declaration["next"]
    if let activity, ["request", "perform"].contains(activity) { refuseMarks(in: declaration, beside: activity) }
    switch activity {
    case "request", "perform", "call":
      if next == nil || next?.items.isEmpty == true {
        if mayHaveNext(declaration) { return }
        compilation.findings.error(
          "missing-next", "\"\(slot.name)\" waits for an answer and has no \"next\"", at: slot.site,
          "nowhere to go with the answer", help: "add \"next\"; its last transition has no \"when\"")
        return
      }
      checkLast(of: next, why: "an answer that was not foreseen needs a place to go")
    case .some(let activity):
      for name in ["next"] + (activity == "end" ? ["on", "after", "goal", "rest"] : []) {
        if let entry = declaration.entry(name) { refuse(entry, beside: activity) }
      }
    case nil:
      let waits = !declaration["on"].entries.isEmpty || !declaration["after"].items.isEmpty
      if !waits || next?.items.isEmpty == true {
        checkLast(of: next, why: "a decision needs a way out when nothing else holds")
      }
      refuseStop(in: declaration)
    }
    if let start = declaration.entry("start"), activity != "states" { refuse(start, beside: activity ?? "next") }
    checkTargets(of: next)
  }

  /// Whether something in a state that is wrong, and was left out, may be its `next`, or holds that.
  private func mayHaveNext(_ state: Declaration) -> Bool {
    let next = state["next"]
    if next?.isDamaged == true || next == nil && state.isWritten("next") { return true }
    return !state.strangers.isEmpty
      || ["request", "perform"].contains { name in
        state[name]?.strangers.contains { nearestName(to: $0, among: ["next", "goto"]) != nil } == true
      }
  }

  /// A run that stopped where an answer is awaited would succeed before it has come.
  private mutating func refuseMarks(in declaration: Declaration, beside activity: String) {
    for entry in ["goal", "rest"].compactMap(declaration.entry) where purpose == .app && entry.value.flag != false {
      refuse(entry, beside: activity, help: "an answer is awaited here: mark the state that it leads to")
    }
  }

  /// No run stops where `next` always leads on, and nothing can come before it.
  private mutating func refuseStop(in declaration: Declaration) {
    guard purpose == .app, !declaration.isDamaged, declaration["next"].items.contains(where: { !$0.has("when") }) else {
      return
    }
    for name in ["goal", "rest"] {
      guard let entry = declaration.entry(name) else { continue }
      refuse(
        entry, beside: "next", help: "a run never stops here, since it goes on at once: mark the state where it waits")
    }
    for name in ["on", "after"] {
      guard let entry = declaration.entry(name) else { continue }
      refuse(
        entry, beside: "next",
        help: "nothing comes before \"next\", which goes on at once: move this to where the run waits, or add \"when\"")
    }
  }

  private mutating func refuse(_ entry: Declaration.Entry, beside name: String, help: String? = nil) {
    compilation.findings.error(
      "conflicting-members", "\"\(entry.name)\" cannot stand beside \"\(name)\"", at: entry.nameSite,
      "has no meaning here", help: help ?? "remove the one that is not meant")
  }

  /// `next` of what must go on ends with a transition without `when`.
  mutating func checkLast(of next: Declaration?, why: String) {
    guard let next, !next.isDamaged else { return }
    let certain = next.items.filter { !isSometimes($0) }
    guard let last = certain.last ?? next.items.last else {
      compilation.findings.error(
        "missing-next", "\"next\" is empty", at: next.site, why, help: "add a transition, as in {\"goto\": \"STATE\"}")
      return
    }
    if certain.isEmpty || last.has("when"), !last.isDamaged {
      let isRare = certain.isEmpty
      let own = certain.count < next.items.count ? " that happens by itself" : ""
      compilation.findings.error(
        "missing-last-transition",
        isRare ? "\"next\" has only \"sometimes\"" : "the last transition of \"next\"\(own) has a condition",
        at: last.entry(isRare ? "sometimes" : "when")?.nameSite ?? last.site,
        isRare ? "happens only where a scenario asks for it" : "may not hold",
        help: "\(why): add a last transition without \"when\"")
    }
    // One that goes nowhere is said to be so already.
    checkTried(certain.dropLast().filter { ["goto", "end", "reply"].contains(where: $0.has) })
  }

  /// Whether one of these, behind each of which stands another, leaves nothing to that.
  mutating func checkTried(_ transitions: some Sequence<Declaration>) {
    for transition in transitions where !transition.has("when") && !transition.isDamaged {
      compilation.findings.warning(
        "unreachable-transition", "what stands behind this transition is never tried", at: transition.site,
        "always holds: it has no \"when\"", help: "put it last, or give it a \"when\"")
    }
  }

  /// Every transition of `next` goes somewhere.
  mutating func checkTargets(of next: Declaration?) {
    for transition in next.items where !transition.isDamaged {
      if purpose == .service, isSometimes(transition) { needName(of: transition) }
      if ["goto", "end", "reply"].contains(where: transition.has) { continue }
      let words = purpose == .app ? "\"goto\" or \"end\"" : "\"goto\" or \"reply\""
      compilation.findings.error(
        "transition-without-target", "a transition of \"next\" goes nowhere",
        at: transition.site.start, "needs \(words)",
        help: purpose == .app
          ? "add \"goto\" with the state that comes next, or \"end\" with how the flow or sub-flow ends"
          : "add \"reply\", as in {\"status\": 200}, or \"goto\" with a state that decides what to reply")
    }
  }

  /// What happens only when a scenario asks for it has a name to ask by.
  mutating func needName(of transition: Declaration) {
    guard !transition.has("name"), !transition.isDamaged else { return }
    compilation.findings.error(
      "missing-member", "what a service does \"sometimes\" needs a \"name\"", at: transition.site.start,
      "cannot be asked for", help: "add \"name\" with words by which scenarios ask for it")
  }

  func isSometimes(_ declaration: Declaration) -> Bool {
    declaration.kind == .transition && declaration["sometimes"]?.flag == true
  }
}
