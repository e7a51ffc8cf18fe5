import FlowSpec

/// What a kill and a new launch make of goals, with nothing going wrong: as when a system takes the app away that nobody
/// looks at, and the person comes back.
extension Explorer {
  /// In so many snapshots of each goal that is tried.
  static let mostRelaunches = 30

  /// Goals that the app never comes back to, in any snapshot that is tried; then those that it comes back to where the
  /// person has left them.
  func relaunches(_ isReal: [Bool]) -> (lost: [Finding], backAgain: [Finding]) {
    let goals = nodes.indices.prefix(expanded).filter { index in
      nodes[index].isGoal && isReal[index] && nodes[index].leaf != nil
    }
    var trail = Trail()
    var (lost, backAgain) = ([Finding](), [Finding]())
    for same in Dictionary(grouping: goals, by: { nodes[$0].leaf }).values.sorted(by: { $0[0] < $1[0] }) {
      var elsewhere: [Relaunch] = []
      var isRegained = false
      for place in 0..<min(same.count, Self.mostRelaunches) {
        // Those that were come to first and last, and between them.
        let index = same[place * same.count / min(same.count, Self.mostRelaunches)]
        let snapshot = trail.snapshot(of: index, among: nodes, in: world, sometimes)
        guard let opened = relaunch(snapshot, of: index, behind: nil) else { continue }
        if world.isGoal(opened.after) { isRegained = true } else { elsewhere.append(opened) }
        for case .event(let event, let fields) in choices(in: snapshot) {
          guard !backAgain.contains(where: { $0.event == name(ofEvent: event) }),
            let left = relaunch(snapshot, of: index, behind: .event(event, fields: fields)),
            !world.isGoal(left.before), left.before.app.isRunning, world.isGoal(left.after)
          else { continue }
          backAgain += finding(.backAgain, [left], event: name(ofEvent: event))
        }
      }
      if !isRegained { lost += finding(.lostByKill, elsewhere) }
    }
    return (lost.numbered, backAgain.numbered)
  }

  /// How the app was killed and opened again.
  private struct Relaunch {
    let node: Int
    /// Behind that node.
    let ways: [Way]
    /// As it was before the kill.
    let before: Snapshot
    let after: Snapshot
  }

  private func finding(_ kind: Finding.Kind, _ relaunches: [Relaunch], event: String? = nil) -> [Finding] {
    guard let first = relaunches.first else { return [] }
    let states = [first.before.leaf, first.after.leaf].map { name($0) ?? "" }
    var finding = Finding(kind: kind, state: states[0], target: first.after.app.ended ?? states[1], event: event)
    finding.tell([(first.node, first.ways, first.before.leaf)], self) { replay, leaf in
      let outcome = replay.outcome
      return outcome.snapshot.leaf == first.after.leaf && outcome.isAsTold
        && outcome.state(at: { if case .killed = $0 { true } else { false } }, of: world.appLane)
          == world.name(ofState: leaf)
        && (event == nil || outcome.state(at: { $0.isEvent(named: event, .taken) }, of: world.appLane) != nil)
    }
    return [finding]
  }

  /// Does something in a snapshot, then kills the app and opens it again; `nil` where it is not offered, there is no
  /// network, something is under way or goes wrong.
  private func relaunch(_ start: Snapshot, of node: Int, behind first: Choice?) -> Relaunch? {
    guard start.device.online, start.indexOfSentFlight == nil, world.asked(in: start) == nil else { return nil }
    var (snapshot, before, ways) = (start, start, [Way]())
    for choice in [first, .kill, .launch].compactMap(\.self) {
      if choice == .kill { before = snapshot }
      guard let index = choices(in: snapshot).firstIndex(of: choice) else { return nil }
      var next: Int? = index
      while let move = next {
        let outcome = world.take(choices(in: snapshot)[move], in: snapshot, recording: false)
        guard outcome.failure == nil, ways.count < Step.mostTransitions else { return nil }
        (snapshot, ways) = (outcome.snapshot.withoutWhatIsOver, ways + [Way(move: move)])
        // When all goes well, it is the first.
        next = choices(in: snapshot).first.flatMap { $0.isFromOutside ? nil : 0 }
      }
    }
    return Relaunch(node: node, ways: ways, before: before, after: snapshot)
  }

  private func choices(in snapshot: Snapshot) -> [Choice] {
    world.moves(in: snapshot, isStart: false, turn: world.nextTurn(in: snapshot), sometimes)
  }

  private func name(ofEvent event: Int) -> String { world.flow.app.events[event].name }
}

extension RunOutcome {
  /// The state that an app is in when the last of what is sought happens; `nil` where that never does.
  func state(at isSought: (Happening.Fact) -> Bool, of lane: Happening.Lane) -> String? {
    guard let last = happenings.lastIndex(where: { isSought($0.fact) }) else { return nil }
    for happening in happenings[..<last].reversed() {
      if case .state(let entered) = happening.fact, entered.lane == lane { return entered.name }
    }
    return nil
  }
}

extension Happening.Fact {
  func isEvent(named name: String?, _ outcome: EventHappening.Outcome) -> Bool {
    if case .event(let event) = self { event.name == name && event.outcome == outcome } else { false }
  }
}
