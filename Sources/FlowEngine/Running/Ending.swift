import Expressions
import FlowSpec

extension Driver {
  /// What came of it, with the sentence that says where it stopped.
  consuming func outcome() -> RunOutcome {
    var problems = problems
    let how = how()
    if !isStopped {
      problems += neverStruck
      if let problem = unexpected(how) { problems.append(problem) }
    }
    let ended = Ended(lane: world.lanes.app, how: how)
    let refs = problems.isEmpty ? scenario?.refs ?? [] : []
    step.record(.ended(ended), refs: refs)
    let startedAt = startedAt
    let (snapshot, happened) = step.end()
    return RunOutcome(
      happened: happened, ended: ended, problems: problems, startedAt: startedAt, snapshot: snapshot,
      world: world)
  }

  private var neverStruck: [Diagnostic] {
    if faults.isEmpty { return [] }
    let timer = timerStillSet
    return faults.idle.prefix(Self.mostProblems).map {
      .faultNeverStruck($0, timer: timer, in: world.flow)
    }
  }

  private var timerStillSet: String? { world.timerStillSet(in: step.snapshot, since: startedAt) }

  private func how() -> Ended.How {
    isStopped ? .error(problems.last?.message ?? "the run was stopped") : step.snapshot.stop(of: world.flow)
  }

  /// Another end than the scenario says; where it says nothing, one that nobody would leave the app in.
  private func unexpected(_ how: Ended.How) -> Diagnostic? {
    guard let expected = scenario?.ends else {
      switch how {
      case .goal, .end, .rest: return nil
      case .stuck, .stopped, .error: return .stoppedElsewhere(how, timer: timerStillSet, site: site)
      }
    }
    if case .end(expected.name) = how { return nil }
    // Of the flow's own state and a sub-flow's that are called alike, the flow's is meant.
    let isOwn = world.flow.app.states.contains { $0.routine == 0 && $0.name == expected.name }
    let active = step.snapshot.firstActive(of: world.flow) { $0.name == expected.name && (!isOwn || $0.routine == 0) }
    if active != nil { return nil }
    let namesake = step.snapshot.firstActive(of: world.flow) { $0.name == expected.name }
    let routine = namesake.map { world.flow.app.routines[$0.routine].name }
    return .anotherEnd(how, timer: timerStillSet, expected: expected, namesakeIn: routine)
  }

  private var site: Site {
    let document = scenario?.document ?? world.flow.document
    return Site(document: document, range: 0..<0)
  }
}

extension World {
  /// Says of the app's timer that goes off next how a script lets it; `nil` where none is set.
  func timerStillSet(in snapshot: Snapshot, since start: Timestamp) -> String? {
    let timers = snapshot.app.run?.levels.flatMap(\.timers) ?? []
    guard let timer = timers.min(by: { $0.due < $1.due }),
      let taken = flow.app.states[timer.state].after[timer.index].transition.first
    else { return nil }
    let (place, wait) = (flow.app.place(of: flow.app.states[timer.state], []), timer.due.since(snapshot.now).inUnits)
    return "the timer \"\(place): \(taken.name ?? taken.target.words(in: flow, service: nil))\" is still set: "
      + "{\"advance\": \"\(wait)\"} lets it go off, at +\(elapsedWords(timer.due.milliseconds(since: start)))"
      + (taken.when == nil ? "" : "; it leads on if its \"when\" holds then")
  }
}

extension Snapshot {
  /// How a run ends that stops here.
  func stop(of flow: Flow) -> Ended.How {
    if let end = app.ended { return .end(end) }
    guard let leaf = app.run?.levels.last?.leaf else { return .stopped }
    if let goal = activeGoal(of: flow) { return .goal(state: goal) }
    if let rest = firstActive(of: flow, where: { $0.isRest }) { return .rest(state: rest.name) }
    return .stuck(state: flow.app.states[leaf].name)
  }

  /// The name of an active goal, `nil` for none.
  package func activeGoal(of flow: Flow) -> String? {
    firstActive(of: flow) { $0.isGoal }?.name
  }

  /// The innermost of the app's active states with a name that is so, those of calling states included.
  package func firstActive(of flow: Flow, where isSought: (State) -> Bool) -> State? {
    guard let run = app.run else { return nil }
    for level in run.levels.indices.reversed() {
      for index in flow.app.enclosing(run.levels[level].leaf) {
        let state = flow.app.states[index]
        if state.parent != nil, isSought(state) { return state }
      }
    }
    return nil
  }
}
