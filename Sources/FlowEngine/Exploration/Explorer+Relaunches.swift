import Expressions
import FlowSpec

/// What a kill and a new launch make of goals, with nothing going wrong: as when a system takes the app away that nobody
/// looks at, and the person comes back.
extension Explorer {
  /// In so many snapshots of each goal that is tried, and of all goals.
  static let mostRelaunches = (ofGoal: 30, ofAll: 300)

  /// So often what a person does behind something else is tried in a goal.
  private static let mostSecondTries = 3

  /// So long somebody waits for an app that was opened.
  private static let longestLaunch = Duration.seconds(60)

  /// Goals that the app comes to no goal from, in any snapshot that is tried, or in one of them with what renews a sign-in
  /// still stored, as where a launch asks for the token that expires first; then those that it comes back to, in which
  /// it was before, where the person has left a goal for a state that a first launch comes to before any, as by signing
  /// out, and something secret was kept; by a link of a mail to the state that a first launch comes to by itself; and
  /// those that an answer or a timer has left for that one.
  func relaunches(_ isReal: [Bool]) -> (lost: [Finding], backAgain: [Finding]) {
    // Who has stopped it waits for no more.
    if isStopped { return ([], []) }
    let ((goals, outer, bare), first) = (goals(isReal), firstRest)
    let most = max(1, min(Self.mostRelaunches.ofGoal, Self.mostRelaunches.ofAll / max(1, goals.count)))
    var trail = Trail()
    var (lost, backAgain) = ([Finding](), [Finding]())
    let renewing = world.flow.app.keysThatRenew
    for (goal, same) in goals.sorted(by: { $0.value[0] < $1.value[0] }) {
      var elsewhere: [Relaunch] = []
      var isRegained = false
      var told: Set<String> = []
      var tries: [String: Int] = [:]
      for place in 0..<min(same.count, most) {
        // Those that were come to first and last, and between them.
        let index = same[place * same.count / min(same.count, most)]
        let snapshot = trail.snapshot(of: index, among: nodes, in: world, sometimes)
        guard let opened = relaunch(snapshot, of: index, behind: [], bare) else { continue }
        if world.isGoal(opened.after) { isRegained = true } else { elsewhere.append(opened) }
        for (choices, event) in waysOut(of: snapshot, outer, &tries) where !told.contains(event) {
          guard let left = relaunch(snapshot, of: index, behind: choices, bare),
            let leaf = left.before.leaf, !world.isGoal(left.before), (left.isUnlocked ? bare : outer).contains(leaf),
            choices[0].isEvent || leaf == first, !waitsForBrowser(left.before),
            let target = self.goal(around: left.after.leaf),
            wasIn(target, before: index), keepsSecret(of: snapshot, left.before)
          else { continue }
          told.insert(event)
          backAgain += finding(.backAgain, [left], event: event)
        }
      }
      if isRegained { elsewhere.removeAll { !keeps(renewing, $0) } }
      lost += finding(.lostByKill, elsewhere, of: goal)
    }
    // What a person does there is told once.
    let others = leftByThemselves(isReal, first, bare, &trail).filter { other in
      !backAgain.contains { $0.state == other.state && $0.target == other.target }
    }
    return (lost.numbered, (backAgain + others).numbered)
  }

  /// Whether the app waits for what comes back from an open page: whoever signs in once more, as for something that asks for
  /// that, has not signed out.
  func waitsForBrowser(_ snapshot: Snapshot) -> Bool {
    guard snapshot.browser.tab != nil, let leaf = snapshot.leaf else { return false }
    let app = world.flow.app
    let handlers = app.enclosing(leaf).filter { app.states[$0].parent != nil }.flatMap { app.states[$0].on }
    return handlers.contains { $0.event == app.redirected }
  }

  /// What a person may do in a goal, by itself or to confirm what leads on to no such state yet; with the event that it
  /// comes to in the end.
  private func waysOut(
    of snapshot: Snapshot, _ outer: Set<Int?>, _ tries: inout [String: Int]
  ) -> [(choices: [Choice], event: String)] {
    var ways: [(choices: [Choice], event: String)] = []
    for choice in moves(in: snapshot) where choice.isOfPerson {
      guard let event = event(of: choice, in: snapshot) else { continue }
      ways.append(([choice], event))
      var (behind, taken) = (snapshot, [Way]())
      guard choice.isEvent, make(choice, in: &behind, &taken), !world.isGoal(behind), !outer.contains(behind.leaf)
      else {
        continue
      }
      for next in moves(in: behind) where next.isEvent {
        guard let last = self.event(of: next, in: behind) else { continue }
        tries["\(event) \(last)", default: 0] += 1
        if tries["\(event) \(last)", default: 0] <= Self.mostSecondTries { ways.append(([choice, next], last)) }
      }
    }
    return ways
  }

  /// Whether something secret that the app had stored under one of these keys still is when it has been opened again.
  private func keeps(_ keys: Set<Int>, _ relaunch: Relaunch) -> Bool {
    let kept = storedSecrets(in: relaunch.after).filter { keys.contains($0.key) }.flatMap(\.values)
    return secrets(in: relaunch.before).contains(where: kept.contains)
  }

  /// Whether something secret that the app had stored is stored once the person has left it, or the browser may still know
  /// who that is; what has no secrets, nobody can tell of.
  private func keepsSecret(of goal: Snapshot, _ left: Snapshot) -> Bool {
    let (had, kept) = (secrets(in: goal), secrets(in: left))
    return had.isEmpty || !left.browser.jar.isEmpty || had.contains(where: kept.contains)
  }

  /// The event that something which a person does comes to at once, as a link of a mail does; `nil` where nothing takes it.
  private func event(of choice: Choice, in snapshot: Snapshot) -> String? {
    if case .event(let event, _) = choice { return world.flow.app.events[event].name }
    return world.take(choice, in: snapshot, recording: true).happenings.lazy.compactMap { happening in
      if case .event(let event) = happening.fact, event.outcome == .taken { event.name } else { nil as String? }
    }.first
  }

  /// The nodes in each goal, the states that are come to before any, and those of them with nothing secret stored yet.
  private func goals(_ isReal: [Bool]) -> (nodes: [Int: [Int]], before: Set<Int?>, bare: Set<Int?>) {
    var (inGoals, before, bare) = ([Int: [Int]](), Set<Int?>(), Set([bareRest]))
    var isBefore = Array(repeating: false, count: nodes.count)
    for index in nodes.indices where isReal[index] {
      let (node, parent) = (nodes[index], nodes[index].parent)
      isBefore[index] = !node.isGoal && parent.map { isBefore[$0] } ?? true
      if isBefore[index] { before.insert(node.leaf) }
      if isBefore[index], node.isBare { bare.insert(node.leaf) }
      if index < expanded, node.isGoal, let goal = goal(around: node.leaf) {
        inGoals[goal, default: []].append(index)
      }
    }
    return (inGoals, before, bare)
  }

  /// Whether the app is in a goal in a node, or was on the way to it.
  private func wasIn(_ goal: Int, before index: Int) -> Bool {
    var node: Int? = index
    while let index = node {
      if self.goal(around: nodes[index].leaf) == goal { return true }
      node = nodes[index].parent
    }
    return false
  }

  /// The outermost goal that a state is, or is in.
  func goal(around leaf: Int?) -> Int? {
    guard let leaf else { return nil }
    return world.flow.app.enclosing(leaf).last { world.flow.app.states[$0].isGoal }
  }

  /// How the app was killed and opened again.
  struct Relaunch {
    let node: Int
    /// Behind that node.
    let ways: [Way]
    /// Where the person did the last of what was done; the node's own where nothing was.
    let doneIn: Int?
    let isUnlocked: Bool
    /// As it was before the kill.
    let before: Snapshot
    let after: Snapshot
  }

  func finding(
    _ kind: Finding.Kind, _ relaunches: [Relaunch], of goal: Int? = nil, event: String? = nil
  ) -> [Finding] {
    guard let first = relaunches.first else { return [] }
    let target = first.after.app.ended ?? name(first.after.leaf) ?? ""
    var finding = Finding(kind: kind, state: name(first.before.leaf), target: target, event: event)
    finding.tell([(first.node, first.ways, first.before.leaf)], self) { replay, leaf in
      let outcome = replay.outcome
      return outcome.snapshot.leaf == first.after.leaf && outcome.snapshot.app.ended == first.after.app.ended
        && outcome.snapshot.app.isRunning == first.after.app.isRunning && outcome.isAsTold
        && outcome.state(at: { if case .killed = $0 { true } else { false } }, in: world)
          == world.name(ofState: leaf)
        && (event == nil
          || outcome.state(at: { $0.isEvent(named: event, .taken) }, in: world)
            == world.name(ofState: first.doneIn))
    }
    if let goal { finding.state = name(goal) }
    return [finding]
  }

  /// Does something in a snapshot, then kills the app and opens it again, and waits for what comes by itself, up to a
  /// goal, or unlocks it; `nil` where it is not offered, there is no network, something is under way or goes wrong.
  func relaunch(
    _ start: Snapshot, of node: Int, behind choices: [Choice], _ bare: Set<Int?>
  ) -> Relaunch? {
    guard start.device.online, start.indexOfSentFlight == nil, world.asked(in: start) == nil else { return nil }
    var (snapshot, ways, doneIn) = (start, [Way](), start.leaf)
    for choice in choices {
      doneIn = snapshot.leaf
      guard make(choice, in: &snapshot, &ways) else { return nil }
    }
    let before = snapshot
    for choice in [Choice.kill, .launch] {
      guard make(choice, in: &snapshot, &ways) else { return nil }
    }
    let unlocked = world.isGoal(snapshot) ? nil : unlock(snapshot, behind: ways, bare)
    return Relaunch(
      node: node, ways: unlocked?.ways ?? ways, doneIn: doneIn, isUnlocked: unlocked != nil, before: before,
      after: unlocked?.snapshot ?? snapshot)
  }

  /// The state that a first launch comes to with nobody's doing; `nil` where that is not begun with.
  private var firstRest: Int? {
    var (snapshot, ways) = (world.starts[0], [Way]())
    return make(.launch, in: &snapshot, &ways) ? snapshot.leaf : nil
  }

  /// The same of an app that nobody has opened before, wherever it begins.
  private var bareRest: Int? {
    var (snapshot, ways) = (world.initial(now: .start), [Way]())
    return make(.launch, in: &snapshot, &ways) ? snapshot.leaf : nil
  }

  /// Does something in a snapshot, and waits for what comes by itself; false where it is not offered, or goes wrong.
  func make(_ choice: Choice, in snapshot: inout Snapshot, _ ways: inout [Way]) -> Bool {
    var next = moves(in: snapshot).firstIndex(of: choice)
    guard next != nil else { return false }
    let begun = snapshot.now
    while let move = next {
      let outcome = world.take(moves(in: snapshot)[move], in: snapshot, recording: false)
      guard outcome.failure == nil, ways.count < Self.mostMovesByThemselves else { return false }
      snapshot = outcome.snapshot.withoutWhatIsOver
      ways.append(Way(move: move))
      // When all goes well, it is the first; only a launch is given time.
      let moves = self.moves(in: snapshot)
      next = moves.byItself.flatMap { index in
        if index == 0 { return index }
        let isGivenTime = choice == .launch && !world.isGoal(snapshot)
        return isGivenTime
          && world.instant(of: moves[index], in: snapshot).map { $0.since(begun) <= Self.longestLaunch } ?? true
          ? index : nil
      }
    }
    return true
  }

  /// How many moves a launch may take until the app is taken to be where it comes to.
  private static let mostMovesByThemselves = 100

  func moves(in snapshot: Snapshot) -> [Choice] {
    world.moves(in: snapshot, isStart: false, turn: world.nextTurn(in: snapshot), sometimes)
  }
}

extension World {
  /// To when time moves by a choice; `nil` where it does not.
  fileprivate func instant(of choice: Choice, in snapshot: Snapshot) -> Timestamp? {
    switch choice {
    case .clock(let instant): instant
    case .tick: nextDue(in: snapshot)?.instant
    default: nil
    }
  }
}

extension Choice {
  /// Whether somebody does it who uses the app, or opens a mail that leads there.
  var isOfPerson: Bool {
    switch self {
    case .event, .openMail: true
    default: false
    }
  }

  /// Whether the app is told an event, as by a person who uses it.
  var isEvent: Bool { if case .event = self { true } else { false } }
}

extension RunOutcome {
  /// The state that the app is in when the last of what is sought happens; `nil` where that never does.
  ///
  /// `world` says where the run began.
  func state(at isSought: (Happening.Fact) -> Bool, in world: World) -> String? {
    guard let last = happenings.lastIndex(where: { isSought($0.fact) }) else { return nil }
    for happening in happenings[..<last].reversed() {
      if case .state(let entered) = happening.fact, entered.lane == world.appLane { return entered.name }
    }
    return world.startingPoint.flatMap { world.named($0.snapshot) }
  }
}

extension Happening.Fact {
  func isEvent(named name: String?, _ outcome: EventHappening.Outcome) -> Bool {
    if case .event(let event) = self { event.name == name && event.outcome == outcome } else { false }
  }
}
