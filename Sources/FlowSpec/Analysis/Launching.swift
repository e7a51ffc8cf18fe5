import Expressions

extension Machine {
  /// The states that decide at a launch and at no other time, while the memory is as it begins.
  var launching: [Int] {
    let first = leaf(of: routines[0].root)
    guard states[first].decides else { return [] }
    var sources = [Set<Int>](repeating: [], count: states.count)
    // What is entered behind something that sets the memory.
    var isTouched = [Bool](repeating: false, count: states.count)
    for (source, state) in states.enumerated() {
      let touches = setsMemory(state.entry)
      for transition in state.transitions {
        guard case .state(let target) = transition.target else { continue }
        let isTouching = touches || setsMemory(transition.actions)
        for entered in entered(target, from: source) {
          sources[entered].insert(source)
          if isTouching { isTouched[entered] = true }
        }
      }
    }
    // What enters the app anew enters the first one, too: nothing may lead back into what that stands in.
    guard enclosing(first).allSatisfy({ sources[$0].isEmpty && !setsMemory(states[$0].entry) }) else { return [] }
    var (launching, known) = ([first], Set([first]))
    var index = 0
    while index < launching.count {
      let source = launching[index]
      index += 1
      for target in StateGraph.targets(of: states[source].next) {
        let entered = entered(target, from: source)
        guard let leaf = entered.last, states[leaf].decides, !known.contains(leaf),
          entered.allSatisfy({
            sources[$0].isSubset(of: known) && !isTouched[$0] && !setsMemory(states[$0].entry)
          })
        else { continue }
        launching.append(leaf)
        known.insert(leaf)
      }
    }
    return launching
  }

  private func setsMemory(_ actions: [Action]) -> Bool {
    actions.contains { $0.writes.contains { $0.place.area == .memory } }
  }
}
