import Expressions

extension Machine {
  /// The states that decide at a launch and at no other time, while the memory is as it begins.
  var launching: [Int] {
    let first = leaf(of: routines[0].root)
    guard states[first].decides else { return [] }
    var sources = [Set<Int>](repeating: [], count: states.count)
    for (source, state) in states.enumerated() {
      for target in StateGraph.targets(of: state.transitions) {
        for entered in entered(target, from: source) { sources[entered].insert(source) }
      }
    }
    // What enters the app anew enters the first one, too: nothing may lead back into what that stands in.
    guard enclosing(first).allSatisfy({ sources[$0].isEmpty }) else { return [] }
    var launching = [first]
    var index = 0
    while index < launching.count {
      let source = launching[index]
      index += 1
      if setsMemory(states[source].entry) { continue }
      for transition in states[source].next where !setsMemory(transition.actions) {
        guard case .state(let target) = transition.target else { continue }
        let entered = entered(target, from: source)
        guard let leaf = entered.last, states[leaf].decides, !launching.contains(leaf),
          entered.allSatisfy({ sources[$0].isSubset(of: launching) && !setsMemory(states[$0].entry) })
        else { continue }
        launching.append(leaf)
      }
    }
    return launching.filter { index in !enclosing(index).contains { setsMemory(states[$0].entry) } }
  }

  private func setsMemory(_ actions: [Action]) -> Bool {
    actions.contains { $0.writes.contains { $0.place.area == .memory } }
  }
}
