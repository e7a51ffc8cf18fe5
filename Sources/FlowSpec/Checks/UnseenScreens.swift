extension Check {
  /// Screens that another surely replaces at the same instant, before anybody sees them.
  static let unseenScreens: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let showsAnother = machine.showsAnother
    return machine.states.indices.compactMap { index in
      guard let screen = machine.states[index].entry.lastScreen, showsAnother[index] else { return nil }
      return Diagnostic(
        "unused-screen", severity: .warning,
        "nobody sees the screen \"\(screen)\" of this state: another replaces it at the same instant",
        at: machine.states[index].site, "leads on at once", help: "show it where the app waits, or leave it out")
    }
  }
}

extension Machine {
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
    for transition in state.next where transition.actions.lastScreen == nil {
      guard case .state(let target) = transition.target else { return nil }
      var (entered, leaf) = (Array(enclosing(target).prefix { $0 != border(source: index, target: target) }), target)
      while let start = states[leaf].start {
        leaf = start
        entered.append(leaf)
      }
      if !entered.contains(where: { states[$0].entry.lastScreen != nil }) { leaves.append(leaf) }
    }
    return leaves
  }
}

extension [Action] {
  /// The screen that they show, of several the last; `nil` where they show none.
  fileprivate var lastScreen: String? {
    reversed().lazy.compactMap { action in if case .show(let screen, _) = action.kind { screen } else { nil } }.first
  }
}
