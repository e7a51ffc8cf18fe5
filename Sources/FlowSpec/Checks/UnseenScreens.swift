extension Check {
  /// Screens that another surely replaces at the same instant, before anybody sees them.
  static let unseenScreens: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    var known: [Int: Bool] = [:]
    return machine.states.indices.compactMap { index in
      guard let screen = machine.states[index].entry.lastScreen, machine.showsAnother(behind: index, &known) else {
        return nil
      }
      return Diagnostic(
        "unused-screen", severity: .warning,
        "nobody sees the screen \"\(screen)\" of this state: another replaces it at the same instant",
        at: machine.states[index].site, "leads on at once", help: "show it where the app waits, or leave it out")
    }
  }
}

extension Machine {
  /// Whether a state is a decision, and a screen is shown at once behind it, wherever it leads.
  fileprivate func showsAnother(behind index: Int, _ known: inout [Int: Bool]) -> Bool {
    if let known = known[index] { return known }
    // In a circle of decisions nothing is sure.
    known[index] = false
    let state = states[index]
    guard case .none = state.activity, !state.next.isEmpty, state.on.isEmpty, state.after.isEmpty else { return false }
    for transition in state.next where transition.actions.lastScreen == nil {
      guard case .state(let target) = transition.target else { return false }
      var (entered, leaf) = (Array(enclosing(target).prefix { $0 != border(source: index, target: target) }), target)
      while let start = states[leaf].start {
        leaf = start
        entered.append(leaf)
      }
      guard entered.contains(where: { states[$0].entry.lastScreen != nil }) || showsAnother(behind: leaf, &known) else {
        return false
      }
    }
    known[index] = true
    return true
  }
}

extension [Action] {
  /// The screen that they show, of several the last; `nil` where they show none.
  fileprivate var lastScreen: String? {
    reversed().lazy.compactMap { action in if case .show(let screen, _) = action.kind { screen } else { nil } }.first
  }
}
