import Expressions
import FlowEngine
import FlowSpec

extension FlowSession {
  /// Launches the app and lets it live, until the flow ends.
  ///
  /// Call it once: a new session with the store that was kept last launches the app anew, also after an error. Requests,
  /// time-outs and `keep` run inside it. To end the session, call `stop()`; to cancel its task is what a kill would be:
  /// what was not kept yet is lost, and the trace has no end. Its task holds on to the session until then.
  ///
  /// It returns, and `outputs` ends, once every call of the adapter, of `keep` and of the clock's `sleep` has: who ignores
  /// that its task is cancelled holds it up, also where the flow has ended.
  ///
  /// - Returns: The name of the flow's `end` that was reached. A flow without one goes on until it is stopped.
  /// - Throws: `RunError` for an error while running, `CancellationError` when stopped or cancelled, what `keep` or the
  ///   clock throws (a `CancellationError` of theirs looks like a stop), `StartError.hasRun` when it is called again.
  public func run() async throws -> String {
    if isLeft, revision == 0 { throw CancellationError() }
    guard !isRunning, !isOver else { throw StartError.hasRun }
    defer { outputs.finish() }
    isRunning = true
    happen { [resumed, openers, startsOnline] live in
      if let startsOnline, live.snapshot.device.online != startsOnline { live.take(startsOnline ? .online : .offline) }
      if resumed == nil { live.launch(by: openers) } else { live.settle() }
    }
    return try await withThrowingDiscardingTaskGroup(returning: String.self) { group in
      // An adapter may take its time to return: nothing can be told any more meanwhile.
      defer {
        (isRunning, isOver) = (false, true)
        // Nothing has told so where it ends by an error that is none of the flow's.
        withdrawAsk()
        tellWhetherAnswerIsAwaited()
        letIn()
      }
      for await _ in wakes {
        try await doWhatIsPending(in: &group)
        if let end = try end() {
          group.cancelAll()
          return end
        }
        if isLeft { break }
        awaitTime(in: &group)
        tellWhetherAnswerIsAwaited()
        if revisionTold < revision, !isBehind {
          revisionTold = revision
          waitsTold += 1
          say(.waiting)
        }
      }
      group.cancelAll()
      throw CancellationError()
    }
  }

  /// Ends the session where it stands, as when the app goes out of use: what was told to it is kept and told first,
  /// requests that are under way are cut off, and then `run()` throws `CancellationError`.
  ///
  /// Nothing can be told to it any more. A flow that has ended by then ends as it does; where `run()` comes later, it
  /// throws at once. Whether a browser tab is left open is for the app to say; what the device is asked is withdrawn.
  public func stop() {
    guard !isOver, !isLeft else { return }
    isLeft = true
    if isRunning {
      happen(most: Self.mostAtOnce) { $0.end() }
    } else {
      isOver = true
      outputs.finish()
    }
  }

  /// As much may fall due before something is told of it.
  static let mostAtOnce = 1000

  /// Lets something happen to the run at the instant that the clock shows, or behind the `most` that fell due on the way.
  @discardableResult
  func happen<Result, Problem: Error>(
    most: Int = .max, _ body: (inout LiveRun) throws(Problem) -> Result
  ) throws(Problem) -> Result {
    if let now = Timestamp(sinceEpoch: clock.now) { isBehind = !live.advance(to: now, most: most) }
    // Also behind a refusal: time has passed all the same.
    defer { note() }
    return try body(&live)
  }

  /// Takes down what has come of the run, to be done by `run()`.
  private func note() {
    revision += 1
    if live.hasEnded { live.end() }
    pending += live.takeEffects()
    for (number, giveUp) in underWay where live.request(number) == nil {
      giveUp.finish()
      underWay[number] = nil
    }
    if !isBehind || live.hasEnded { letIn() }
    wake.yield()
  }

  /// The end that the flow has reached, `nil` while it goes on.
  private func end() throws -> String? {
    if let failure = live.failure { throw RunError(failure) }
    if let clockFailure { throw clockFailure }
    return live.snapshot.app.ended
  }

  /// In order: nothing overtakes a store that is being kept.
  ///
  /// Of a run that has failed nothing goes out any more.
  private func doWhatIsPending(in group: inout ThrowingDiscardingTaskGroup<any Error>) async throws {
    while let effect = pending.popFirst() {
      try Task.checkCancellation()
      switch effect {
      case .stored(let values):
        lastGiven = values
        try await keep(FlowStore(values, of: world.flow))
      case .opened(let url): if live.failure == nil, !isLeft { say(.opened(url: url.string)) }
      case .closed: say(.closedBrowser)
      case .happened(let happening):
        tell(happening)
        if case .request(let sent) = happening.fact, live.failure == nil, !isLeft { send(sent.number, in: &group) }
      }
    }
  }

  private func tell(_ happening: Happening) {
    if tracer != nil {
      tracer?.write(happening)
      let lines = String(decoding: tracer?.taken() ?? [], as: UTF8.self)
      for line in lines.split(separator: "\n") { say(.traced(line + "\n")) }
    }
    switch happening.fact {
    case .state(let entered) where entered.lane == world.appLane:
      if entered.isGoal { goalsEntered += 1 }
      // What asks has no states in it: another is entered once it is left.
      withdrawAsk()
      say(FlowOutput(entered))
    case .emit(world.appLane, let name, let fields):
      let declared = interface.emits.first { $0.name == name }?.fields
      say(.emitted(name, FlowFields(fields, declared: declared, secretUnder: secretMembers)))
    case .show(_, _, let screen, let fields):
      let declared = interface.screens.first { $0.name == screen }?.fields
      say(.shown(screen: screen, FlowFields(fields, declared: declared, secretUnder: secretMembers)))
    case .perform(_, _, let capability, let input) where world.outside.device && !isLeft:
      asksTold += 1
      let declared = interface.capabilities.first { $0.name == capability }?.input
      let given = asksTold == live.asks ? askedNow ?? input : input
      let fields = FlowFields(given, declared: declared, secretUnder: secretMembers)
      say(.asked(FlowAsk(number: asksTold, asker: asker), capability: capability, fields))
    case .killed: told = Told(opened: told.opened, awaitsAnswer: told.awaitsAnswer)
    case .ended:
      withdrawAsk()
      tellWhetherAnswerIsAwaited()
    default: break
    }
  }

  /// What the device was asked is over, and was not answered unless somebody has told so.
  private func withdrawAsk() {
    if case .asked(let ask, _, _)? = told.asked, ask.number > askAnswered { say(.withdrawn(ask)) }
    told.asked = nil
  }

  private func tellWhetherAnswerIsAwaited() {
    if told.awaitsAnswer != awaitsAnswer { say(.awaitsAnswer(awaitsAnswer)) }
  }

  /// What the device is asked with now, as it is: a trace has texts for numbers that are secret.
  private var askedNow: [NamedValue]? {
    world.asked(in: live.snapshot).map { asked in
      let fields = world.flow.capabilities[asked.capability].input.fields
      return zip(fields, asked.input).map { NamedValue(name: $0.name, value: $1) }
    }
  }

  private func say(_ output: FlowOutput) {
    told.note(output)
    outputs.yield(output)
  }

  /// Gives a live request to the adapter, unless it was given up before it went out.
  private func send(_ number: Int, in group: inout ThrowingDiscardingTaskGroup<any Error>) {
    guard let adapter, let (flight, timeout) = live.send(number, at: Timestamp(sinceEpoch: clock.now)) else { return }
    let request: AdapterRequest
    do throws(AdapterFailure) {
      request = try AdapterRequest(flight, timeout: timeout, of: world, in: live.snapshot)
    } catch {
      return received(.failure(.unreachable, reason: error.reason), for: number)
    }
    let (givenUp, giveUp) = AsyncStream.makeStream(of: Void.self)
    underWay[number] = giveUp
    group.addTask {
      try await untilGivenUp(givenUp) { await self.received(Answer(from: adapter, to: request), for: number) }
    }
  }

  private func received(_ answer: Answer, for number: Int) {
    guard isRunning else { return }
    let now = Timestamp(sinceEpoch: clock.now) ?? live.snapshot.now
    live.receive(answer, for: number, by: now)
    // What fell due meanwhile happens when the clock wakes the session: first come other answers that are there too.
    isBehind = !live.advance(to: now, most: 0)
    note()
  }

  /// Waits for what time brings next, and for nothing else.
  private func awaitTime(in group: inout ThrowingDiscardingTaskGroup<any Error>) {
    let due = live.nextDue
    guard due != sleeper?.due else { return }
    sleeper?.waker.finish()
    sleeper = nil
    guard let due else { return }
    let (givenUp, giveUp) = AsyncStream.makeStream(of: Void.self)
    sleeper = (due, giveUp)
    let clock = clock
    group.addTask {
      do {
        try await untilGivenUp(givenUp) {
          try await clock.sleep(until: due.sinceEpoch)
          // A clock may wake early, or show a time that is none: then it is asked again, though not without a pause.
          while Timestamp(sinceEpoch: clock.now).map({ $0 < due }) ?? true {
            try await Task.sleep(for: .milliseconds(10))
            try await clock.sleep(until: due.sinceEpoch)
          }
          await self.hearWhatHasCome()
          await self.timeHasCome(due)
        }
      } catch {
        if !Task.isCancelled { await self.clockHasFailed(error) }
      }
    }
  }

  private func timeHasCome(_ due: Timestamp) {
    guard isRunning, sleeper?.due == due else { return }
    sleeper = nil
    timePasses()
  }

  /// It ends the loop of `run()`: what a task of its group throws would not.
  private func clockHasFailed(_ error: any Error) {
    clockFailure = error
    wake.yield()
  }
}

/// Does something until it is done, or nobody wants it any more.
package func untilGivenUp(
  _ givenUp: AsyncStream<Void>, _ body: @escaping @Sendable () async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask(operation: body)
    group.addTask { for await _ in givenUp {} }
    defer { group.cancelAll() }
    try await group.next()
  }
}

extension Answer {
  fileprivate init(from adapter: any Adapter, to request: AdapterRequest) async {
    do throws(AdapterFailure) {
      let response = try await adapter.answer(to: request)
      guard (100...999).contains(response.status) else {
        self = .failure(.lost, reason: "the adapter gave status \(response.status), which is none of HTTP")
        return
      }
      let headers = response.headers.map { ($0.name, $0.value) }
      self = .response(Response(status: response.status, headers: headers, body: response.body))
    } catch {
      self = .failure(error.kind == .unreachable ? .unreachable : .lost, reason: error.reason)
    }
  }
}

extension FlowOutput {
  init(_ entered: StateEntered) {
    self = .entered(state: entered.name, subflow: entered.subflow, title: entered.title, isGoal: entered.isGoal)
  }
}

extension LiveRun.Effect {
  var isOfBrowser: Bool {
    switch self {
    case .opened, .closed: true
    case .stored, .happened: false
    }
  }
}
