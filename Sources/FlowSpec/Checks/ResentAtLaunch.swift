import Expressions

extension Check {
  /// Requests that are sent again when the app is opened, as it was killed while their answer was awaited: what is stored
  /// before leads there, and an answer takes it back.
  ///
  /// What answers set, as tokens, leads there too, and says nothing of a request that is under way.
  static let resentAtLaunch: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let walk = UnattendedWalk(machine, waits: false)
    var marks: [Int: [KeyNumber: Mark]] = [:]
    for (index, state) in machine.states.enumerated() {
      for transition in state.transitions {
        let way = UnattendedWay(transition, of: index)
        guard let (request, way) = walk.request(behind: way, where: { _, _ in true }), request.asksAnew
        else { continue }
        for mark in way.actions.flatMap(\.writes).compactMap(Mark.init) {
          marks[way.state, default: [:]][KeyNumber(mark.place)] = mark
        }
      }
    }
    return marks.keys.sorted().compactMap { index in
      let own = (marks[index] ?? [:]).filter { machine.takesBack($0.value, behind: index) }
      return own.keys.sorted().lazy.compactMap { own[$0].flatMap { machine.resent(index, by: $0) } }.first
    }
  }
}

/// A key that is set before a request is sent, with what it holds then.
private struct Mark {
  let place: Place
  let value: KeptValue

  /// `nil` for what no launch finds.
  init?(_ write: (place: Place, value: KeptValue)) {
    (place, value) = write
    guard place.area == .store, !place.isOfTable, value != .initial(place) else { return nil }
  }
}

extension Machine {
  /// Whether an answer changes what a mark says.
  fileprivate func takesBack(_ mark: Mark, behind index: Int) -> Bool {
    states[index].next.contains { transition in
      var actions = transition.actions
      if case .state(let target) = transition.target {
        actions += entered(target, from: index).flatMap { states[$0].entry }
      }
      return actions.flatMap(\.writes).contains {
        KeyNumber($0.place) == KeyNumber(mark.place) && $0.value != mark.value
      }
    }
  }

  /// What is told of a request to which an app that was killed in it comes again, as the mark is there.
  fileprivate func resent(_ index: Int, by mark: Mark) -> Diagnostic? {
    guard case .request(let request) = states[index].activity, let way = launch(to: index, by: mark),
      let decision = way.decision, !request.isToldAgain(despite: way.actions)
    else { return nil }
    return Diagnostic(
      "unsafe-retry", severity: .warning,
      "an app that is killed while it awaits the answer to this \(request.method) sends it again when it is opened, and the "
        + "server may have done it already",
      at: decision.site, "leads there, as \"\(mark.place.declared.name)\" is stored before",
      help: "store an \"Idempotency-Key\" with it and send that along, or ask the server first what has become of it",
      related: (request.site, "is sent again"))
  }

  /// A way from the start to a state on which nothing is waited for, and one of its decisions needs the mark.
  private func launch(to sought: Int, by mark: Mark) -> LaunchWay? {
    var condition = Decisions(of: mark, lets)
    let root = routines[0].root
    var pending = [LaunchWay(state: leaf(of: root), actions: entered(root, from: nil).flatMap { states[$0].entry })]
    var seen: Set<[Int]> = []
    var next = 0
    while next < pending.count {
      let way = pending[next]
      next += 1
      if way.state == sought, way.decision != nil { return way }
      guard seen.insert([way.state, way.decision == nil ? 0 : 1]).inserted else { continue }
      let state = states[way.state]
      switch state.activity {
      case .call(let routine): pending.append(way.entering(routines[routine].root, from: nil, of: self))
      case .none where state.decides:
        for (transition, isByMark) in condition.taken(of: state.next) {
          guard case .state(let target) = transition.target else { continue }
          var way = way
          way.actions += transition.actions
          if isByMark, way.decision == nil { way.decision = transition }
          pending.append(way.entering(target, from: way.state, of: self))
        }
      default: break
      }
    }
    return nil
  }
}

/// What an app comes to by itself when it is opened.
private struct LaunchWay {
  var state: Int
  var actions: [Action]
  /// The first that is taken by what a mark says.
  var decision: Transition?

  func entering(_ target: Int, from source: Int?, of machine: Machine) -> LaunchWay {
    let entered = machine.entered(target, from: source)
    var way = self
    way.actions += entered.flatMap { machine.states[$0].entry }
    way.state = entered.last ?? target
    return way
  }
}

/// Decisions that are looked at where a mark is there, and where it is not.
private struct Decisions {
  private let mark: Mark
  private let lets: [String: Let]
  private var conditions: [KeyCondition.Name: KeyCondition] = [:]

  init(of mark: Mark, _ lets: [String: Let]) { (self.mark, self.lets) = (mark, lets) }

  /// Those that may be taken where the mark is there, and whether they are taken there alone.
  mutating func taken(of transitions: [Transition]) -> [(Transition, isByMark: Bool)] {
    var taken: [(Transition, isByMark: Bool)] = []
    // Whether it may come to a transition without the mark.
    var mayComeWithout = true
    for transition in transitions {
      let (with, without) = (holds(transition, for: mark.value), holds(transition, for: .initial(mark.place)))
      if with != false { taken.append((transition, !mayComeWithout || without == false)) }
      if without == true { mayComeWithout = false }
      if with == true { break }
    }
    return taken
  }

  private mutating func holds(_ transition: Transition, for value: KeptValue) -> Bool? {
    guard let when = transition.when else { return true }
    let name = KeyCondition.Name(when, mark.place)
    var condition = conditions[name] ?? KeyCondition(when, of: mark.place, lets)
    let holds = condition.holds(for: value)
    conditions[name] = condition
    return holds
  }
}

extension KeptValue {
  /// What a key holds before anything is written to it.
  fileprivate static func initial(_ place: Place) -> KeptValue { .oneOf([place.declared.initial]) }
}
