import Expressions
import FlowSpec

extension Explorer {
  /// Where a way to a finding ends: at a node, or with moves behind it; and the app's innermost state there.
  typealias End = (node: Int, last: [Way], leaf: Int?)

  /// Errors of a run, then snapshots that lead to no goal, then stops, then states; of each the shortest first.
  func findings(_ isReal: [Bool]) -> [Finding] {
    var errors = runErrors(isReal)
    for circles in circles(isReal) {
      let rounds = circles.prefix(Finding.mostWays).compactMap { round($0) }
      guard let first = rounds.first else { continue }
      var circle = Finding(
        kind: .runError, state: name(nodes[first.node].leaf), diagnostic: first.diagnostic,
        snapshots: circles.joined().count)
      let ends = rounds.map { (node: $0.node, last: $0.ways, leaf: nodes[$0.node].leaf) }
      circle.tell(ends, isAround: true, self) { replay, _ in
        replay.outcome.problems.last?.place == first.diagnostic.place
      }
      if !errors.contains(where: { $0.diagnostic == circle.diagnostic }) { errors.append(circle) }
    }
    if expanded < nodes.count, let ahead = errorAhead(besides: errors) { errors.append(ahead) }
    var traps = traps(trapped(), isReal, besides: errors)
    traps += ahead(besides: traps, isReal, errors)
    let ways = [errors, traps, stops(isReal)]
    return ways.flatMap(\.numbered) + neverEntered.map { Finding(kind: .neverEntered, state: $0) }
  }

  /// What lies before the place where a scenario has ended is not looked for.
  private var neverEntered: [String] { world.startingPoint == nil ? unreached.stateNames : [] }

  /// Which nodes a run can come to: a `sometimes` that was asked for is given later on.
  func real() -> [Bool] {
    nodes.contains(where: \.isAsked) ? reaching { !$0.isAsked } : Array(repeating: true, count: nodes.count)
  }

  /// Errors of one kind at one place are one finding.
  private func runErrors(_ isReal: [Bool]) -> [Finding] {
    let real = failures.indices.filter { isReal[failures[$0].node] }
    let groups = Dictionary(grouping: real) { failures[$0].diagnostic.place }
    return groups.values.sorted { $0[0] < $1[0] }.map { indices in
      let same = indices.map { failures[$0] }
      var finding = Finding(
        kind: .runError, state: name(same[0].leaf), diagnostic: same[0].diagnostic, snapshots: same.count)
      finding.tell(same.map { (node: $0.node, last: [$0.way], leaf: $0.leaf) }, self) { replay, _ in
        replay.outcome.problems.last?.place == same[0].diagnostic.place
      }
      return finding
    }
  }

  /// The error in which the automatic run ends, where that lies further on than exploring came; `nil` for none.
  ///
  /// That such a run comes to no end in time says nothing of what others do.
  private func errorAhead(besides errors: [Finding]) -> Finding? {
    let automatic = Retelling(automatic: world)
    guard
      let outcome = world.replay(automatic.text(named: Finding.Kind.runError.rawValue), recording: true)?.outcome,
      case .error = outcome.ended.how, let error = outcome.problems.last, error.code != "endless-run",
      !errors.contains(where: { $0.diagnostic?.place == error.place })
    else { return nil }
    // Between two states it is told of the one that was left.
    let left = outcome.state(at: { _ in true }, in: world)
    let state = world.named(outcome.snapshot) == nil ? left : name(outcome.snapshot.leaf)
    var finding = Finding(kind: .runError, state: state, diagnostic: error, snapshots: 1)
    finding.moves = outcome.happenings.count { if case .choice = $0.fact { true } else { false } }
    finding.retelling = automatic
    return finding
  }

  /// Where the way to a goal is lost, of the ways into one dead end the shortest; where all goes wrong, errors of a run
  /// say it.
  private func traps(_ trapped: [Bool], _ isReal: [Bool], besides errors: [Finding]) -> [Finding] {
    let starts = nodes.indices.filter { nodes[$0].parent == nil }
    var isLost = zip(trapped, isReal).map { $0 && $1 }
    if !isLost.contains(true) { return [] }
    let failing = failing(isReal)
    if starts.allSatisfy({ isLost[$0] }) {
      return starts.allSatisfy(failing.contains) ? [] : [Finding(kind: .noWayToGoal, snapshots: starts.count)]
    }
    for start in starts { isLost[start] = false }
    var entries = nodes.indices.filter { index in
      isLost[index] && !failing.contains(index) && !(nodes[index].parent.map { isLost[$0] } ?? false)
    }
    let isSought = { [known, world, isLost] (snapshot: Snapshot) in
      known[world.fingerprint(of: snapshot.withoutWhatIsOver)].map { isLost[$0] } ?? false
    }
    var all: [Finding] = []
    while let first = entries.first {
      var told = Array(repeating: false, count: nodes.count)
      for entry in entries where nodes[entry].leaf == nodes[first].leaf { told[entry] = true }
      let ahead = joined(to: told, forward: true)
      let comesThere = joined(to: ahead)
      let goesElsewhere = joined(to: nodes.indices.map { isLost[$0] && !comesThere[$0] && !failing.contains($0) })
      let same = entries.filter { !goesElsewhere[$0] }
      entries.removeAll { !goesElsewhere[$0] }
      var finding = Finding(kind: .noWayToGoal, state: name(nodes[first].leaf), snapshots: same.count)
      let statesAhead = Set(nodes.indices.filter { ahead[$0] }.compactMap { nodes[$0].leaf })
      finding.statesAhead = statesAhead.sorted().compactMap { name($0) }
      if tell(&finding, of: ends(same), past: isSought, besides: errors) { all.append(finding) }
    }
    return all
  }

  /// Dead ends that were not gone round, in states of which none is told.
  private func ahead(besides traps: [Finding], _ isReal: [Bool], _ errors: [Finding]) -> [Finding] {
    let told = Set(traps.flatMap { $0.statesAhead + ($0.state.map { [$0] } ?? []) })
    let states = world.flow.app.states.indices
    return deadEnds(isReal, besides: Set(states.filter { name($0).map(told.contains) == true })).compactMap { end in
      var finding = Finding(kind: .noWayToGoal, state: name(nodes[end.node].leaf), snapshots: 1)
      finding.statesAhead = end.leaves.sorted().compactMap { name($0) }
      let isSought = { [world] (snapshot: Snapshot) in
        end.known[world.fingerprint(of: snapshot.withoutWhatIsOver)] != nil
      }
      return tell(&finding, of: ends([end.node]), past: isSought, besides: errors) ? finding : nil
    }
  }

  /// Looks for the way into a dead end; false where every way that is found ends in a circle, which is told as that.
  private func tell(
    _ finding: inout Finding, of ends: [End], past isSought: @escaping (Snapshot) -> Bool, besides errors: [Finding]
  ) -> Bool {
    func isThere(_ replay: World.Replay, _ leaf: Int?) -> Bool {
      replay.passed.map { $0.leaf == leaf && replay.outcome.isAsTold } ?? false
    }
    func isTold(_ outcome: RunOutcome) -> Bool {
      let place = outcome.problems.last { $0.code == "spinning" }?.place
      return place != nil && errors.contains { $0.diagnostic?.place == place }
    }
    let open = finding.tell(ends, self, past: isSought) { isThere($0, $1) && !isTold($0.outcome) }
    let last = open ?? finding.tell(ends, self, past: isSought, isThere: isThere)
    if let last, finding.state == nil, last.snapshot.app.run == nil {
      finding.endWithLaunch(self, past: isSought) { isThere($0, nil) }
    }
    return open != nil || last.map { !isTold($0) } ?? true
  }

  /// Where a goal or an end is reached once somebody has killed the app, and otherwise never.
  func onlyByKill(_ isReal: [Bool]) -> [Finding] {
    let (all, without) = (reaching(\.isGoal), reaching(killing: false, \.isGoal))
    let left = nodes.indices.filter { index in
      // Where an answer is awaited the app is not left yet.
      guard isReal[index], all[index], !without[index], let leaf = nodes[index].leaf else { return false }
      if case .none = world.flow.app.states[leaf].activity { return true } else { return false }
    }
    return Dictionary(grouping: left) { nodes[$0].leaf }.values.sorted { $0[0] < $1[0] }.map { same in
      let leaf = nodes[same[0]].leaf
      var finding = Finding(kind: .onlyByKill, state: name(leaf), snapshots: same.count)
      let isSought = { [known, world, without] (snapshot: Snapshot) in
        snapshot.leaf == leaf && known[world.fingerprint(of: snapshot.withoutWhatIsOver)].map { !without[$0] } ?? false
      }
      finding.tell(ends(same), self, past: isSought) { replay, leaf in
        replay.passed.map { $0.leaf == leaf && replay.outcome.isAsTold } ?? false
      }
      return finding
    }.numbered
  }

  /// What links, redirects and persons tell the app where nothing takes it.
  ///
  /// A network that comes or goes is no news where nothing waits for it, nor is a tab that is closed.
  func ignoredEvents(_ isReal: [Bool]) -> [Finding] {
    let events = world.flow.app.events
    var told: [(event: IgnoredEvent, ends: [End])] = []
    for (event, ways) in ignored.all where [.link, .browserRedirected, .person].contains(events[event.event].kind) {
      let ends: [End] = ways.filter { isReal[$0.node] }.map { ($0.node, [$0.way], event.leaf) }
      if !ends.isEmpty { told.append((event, ends)) }
    }
    func order(_ told: (event: IgnoredEvent, ends: [End])) -> (Int, Int, Int) {
      (told.ends[0].node, told.event.event, told.event.leaf)
    }
    return told.sorted { order($0) < order($1) }.map { event, ends in
      var finding = Finding(kind: .ignored, state: name(event.leaf), event: events[event.event].name)
      finding.tell(ends, self) { replay, leaf in
        let outcome = replay.outcome
        let isIgnored = { (fact: Happening.Fact) in fact.isEvent(named: events[event.event].name, .ignored) }
        return outcome.isAsTold && outcome.state(at: isIgnored, in: world) == world.name(ofState: leaf)
      }
      return finding
    }.numbered
  }

  private func stops(_ isReal: [Bool]) -> [Finding] {
    let groups = Dictionary(grouping: nodes.indices.filter { isReal[$0] && nodes[$0].isStop }) { nodes[$0].leaf }
    return groups.values.sorted { $0[0] < $1[0] }.map { stops in
      var finding = Finding(kind: .stop, state: name(nodes[stops[0]].leaf), snapshots: stops.count)
      let outcome = finding.tell(ends(stops), self) { replay, leaf in
        guard case .stuck = replay.outcome.ended.how else { return false }
        return replay.outcome.snapshot.leaf == leaf && replay.outcome.isAsTold
      }
      finding.timer = outcome.flatMap { world.timerStillSet(in: $0.snapshot, since: $0.startedAt) }
      return finding
    }
  }

  private func ends(_ indices: [Int]) -> [End] { indices.map { (node: $0, last: [], leaf: nodes[$0].leaf) } }

  /// What a state is called, with its sub-flow where others are called so too.
  func name(_ leaf: Int?) -> String? { leaf.map { world.flow.app.place(of: world.flow.app.states[$0], sharedNames) } }

  /// Which nodes lead to no goal and no end.
  private func trapped() -> [Bool] {
    // A flow that has no goal misses none.
    let hasGoal = world.flow.app.states.contains(where: \.isGoal) || nodes.contains(where: \.isGoal)
    guard hasGoal || expanded < nodes.count else {
      return Array(repeating: false, count: nodes.count)
    }
    return reaching(\.isGoal).map { !$0 }
  }
}

extension Diagnostic {
  /// What went wrong and where, whatever is said of it.
  fileprivate var place: Diagnostic {
    var place = self
    (place.message, place.help) = ("", nil)
    for index in place.labels.indices { place.labels[index].text = "" }
    return place
  }
}

extension RunOutcome {
  /// No step or fault of the scenario was in vain: what went wrong is the flow's.
  var isAsTold: Bool {
    problems.allSatisfy { problem in
      ["stopped-elsewhere", "endless-run"].contains(problem.code)
        || !problem.labels.contains { $0.site.document.path == World.replayed }
    }
  }
}
