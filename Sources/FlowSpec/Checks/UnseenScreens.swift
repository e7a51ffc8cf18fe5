extension Check {
  /// Screens that another surely replaces at the same instant, before anybody sees them.
  ///
  /// One that a named list shows may be a notice, which the app puts over the other.
  static let unseenScreens: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let showsAnother = machine.showsAnother
    let seen = machine.statesWithSeenScreen(showsAnother)
    let ofStates = zip(machine.states, seen).compactMap { state, isSeen -> Diagnostic? in
      guard let show = state.entry.lastShow, isSeen == false, state.extent.encloses(show.site) else { return nil }
      return Diagnostic(
        "unused-screen", severity: .warning,
        "nobody sees the screen \"\(show.screen)\" of this state: another replaces it at the same instant",
        at: state.site, "leads on at once", help: "show it where the app waits, or leave it out")
    }
    return ofStates + machine.states.indices.flatMap { machine.screensReplacedOnTheWay(from: $0, showsAnother) }
  }
}

extension Machine {
  /// Screens of transitions of a state that another replaces where these lead.
  fileprivate func screensReplacedOnTheWay(from source: Int, _ showsAnother: [Bool]) -> [Diagnostic] {
    states[source].transitions.compactMap { transition in
      guard let show = transition.actions.lastShow, transition.site.encloses(show.site),
        let entered = entry(by: transition, from: source), let leaf = entered.last
      else { return nil }
      let showing = entered.last { states[$0].entry.lastShow != nil }.map { states[$0] }
      guard showing != nil || showsAnother[leaf] else { return nil }
      return Diagnostic(
        "unused-screen", severity: .warning,
        "nobody sees the screen \"\(show.screen)\" of this transition: another replaces it at the same instant",
        at: show.site, "another follows at once",
        help: "give that one a field for what this one says, show this one in a state of its own, or leave it out",
        related: showing.map { ($0.site, "shows another as it is entered") })
    }
  }

  /// What a transition enters, from the outside in; `nil` where it leads to no state.
  private func entry(by transition: Transition, from source: Int) -> [Int]? {
    guard case .state(let target) = transition.target else { return nil }
    return entered(target, from: source)
  }

  /// For each state whether its screen stays in some way into it; `nil` where there is no way into it.
  fileprivate func statesWithSeenScreen(_ showsAnother: [Bool]) -> [Bool?] {
    var ways = routines.map { starts(in: $0.root) }
    for (index, state) in states.enumerated() { ways += state.transitions.compactMap { entry(by: $0, from: index) } }
    var seen: [Bool?] = Array(repeating: nil, count: states.count)
    for way in ways {
      var isSeen = way.last.map { !showsAnother[$0] } ?? true
      for state in way.reversed() {
        seen[state] = (seen[state] ?? false) || isSeen
        if states[state].entry.lastShow != nil { isSeen = false }
      }
    }
    return seen
  }

  /// For each state whether it is a decision, and a screen is shown at once behind it, wherever it leads.
  fileprivate var showsAnother: [Bool] {
    let ways = states.indices.map(waysWithoutScreen)
    var before: [[Int]] = Array(repeating: [], count: states.count)
    for (index, leaves) in ways.enumerated() { for leaf in leaves ?? [] { before[leaf].append(index) } }
    // It is sure as soon as it is sure behind each of its ways: in a circle of decisions nothing is.
    var unsure = ways.map { $0?.count }
    var shows = Array(repeating: false, count: states.count)
    var pending = states.indices.filter { unsure[$0] == 0 }
    while let index = pending.popLast() {
      shows[index] = true
      for previous in before[index] {
        guard let count = unsure[previous] else { continue }
        unsure[previous] = count - 1
        if count == 1 { pending.append(previous) }
      }
    }
    return shows
  }

  /// The states that a decision leads to with no screen on the way; `nil` for what is none, and where one leads to no
  /// state.
  private func waysWithoutScreen(from index: Int) -> [Int]? {
    let state = states[index]
    guard case .none = state.activity, !state.next.isEmpty, state.on.isEmpty, state.after.isEmpty else { return nil }
    var leaves: [Int] = []
    for transition in state.next where transition.actions.lastShow == nil {
      guard let entered = entry(by: transition, from: index), let leaf = entered.last else { return nil }
      if entered.allSatisfy({ states[$0].entry.lastShow == nil }) { leaves.append(leaf) }
    }
    return leaves
  }
}

extension [Action] {
  /// The screen that they show, of several the last, and where; `nil` where they show none.
  fileprivate var lastShow: (screen: String, site: Site)? {
    reversed().lazy.compactMap { action in
      if case .show(let screen, _) = action.kind { (screen, action.site) } else { nil }
    }.first
  }
}
