/// Goes on by itself: past decisions whatever they come to, into sub-flows and behind their ends.
struct Onward {
  let machine: Machine
  /// Whether it goes past requests and what the device is asked for, whatever comes of them.
  let isPastAnswers: Bool
  private let callers: [[Int]]

  init(_ machine: Machine, pastAnswers isPastAnswers: Bool) {
    (self.machine, self.isPastAnswers) = (machine, isPastAnswers)
    callers = machine.callers
  }

  /// Where the app comes when it is opened.
  var launch: [Int] {
    var walk = Walk(self) { _ in false }
    walk.enter(machine.routines[0].root, from: nil)
    return walk.goOn()
  }

  /// The states that are come to behind transitions of states, those that are passed included, up to what does something for
  /// which it is to stop.
  func states(
    behind transitions: [(transition: Transition, state: Int)],
    upTo stops: @escaping ([Action]) -> Bool = { _ in false }
  ) -> [Int] {
    var walk = Walk(self, stops)
    for (transition, state) in transitions { walk.take(transition, from: state) }
    return walk.goOn()
  }

  private struct Ending: Hashable {
    let name: String
    let routine: Int
  }

  private struct Walk {
    let onward: Onward
    let stops: ([Action]) -> Bool
    private var pending: [Int] = []
    private var seen: Set<Int> = []
    /// The ends that were come to, by their sub-flow.
    private var ends: Set<Ending> = []

    init(_ onward: Onward, _ stops: @escaping ([Action]) -> Bool) { (self.onward, self.stops) = (onward, stops) }

    mutating func take(_ transition: Transition, from state: Int) {
      if stops(transition.actions) { return }
      switch transition.target {
      case .state(let target): enter(target, from: state)
      case .end(let name): end(name, of: state)
      case .stay, .reply: break
      }
    }

    mutating func enter(_ target: Int, from source: Int?) {
      let entered = onward.machine.entered(target, from: source)
      if stops(entered.flatMap { onward.machine.states[$0].entry }) { return }
      let leaf = entered.last ?? target
      if seen.insert(leaf).inserted { pending.append(leaf) }
    }

    /// All states that are come to, in that order.
    mutating func goOn() -> [Int] {
      var index = 0
      while index < pending.count {
        let state = onward.machine.states[pending[index]]
        switch state.activity {
        case .end(let name): end(name, of: pending[index])
        case .call(let routine): enter(onward.machine.routines[routine].root, from: nil)
        case .request where onward.isPastAnswers, .perform where onward.isPastAnswers:
          for routine in state.calls { enter(onward.machine.routines[routine].root, from: nil) }
          for transition in state.next { take(transition, from: pending[index]) }
        case .none where state.decides: for transition in state.next { take(transition, from: pending[index]) }
        case .none, .request, .perform, .compound: break
        }
        index += 1
      }
      return pending
    }

    private mutating func end(_ name: String, of state: Int) {
      let routine = onward.machine.states[state].routine
      guard ends.insert(Ending(name: name, routine: routine)).inserted else { return }
      for caller in onward.callers[routine] {
        for taken in onward.machine.states[caller].next.mayTake(.ended(name)) { take(taken, from: caller) }
      }
    }
  }
}
