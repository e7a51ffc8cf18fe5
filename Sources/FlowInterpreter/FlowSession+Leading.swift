import Expressions
import FlowEngine
import FlowSpec

/// Where a session stands, for whoever leads it in a person's place.
package struct FlowStanding: Sendable {
  /// What a live device is asked for.
  package struct Asked: Sendable {
    package let title: String
    package let result: [FlowOffer.Field]
    package let failures: [String]
  }
  /// Counts what has happened; another number is another standing.
  package let revision: Int
  /// Everything that has happened was told to `outputs`, and then that the session waits.
  package let isSettled: Bool
  /// How often `outputs` has said that the session waits; who has heard less has not heard what came since.
  package let waitsTold: Int
  /// The innermost active state with a name; `nil` while the app is not running.
  package let state: (name: String, title: String?)?
  /// The name of the active goal, `nil` outside goals.
  package let goal: String?
  /// How often a goal was entered.
  package let goalsEntered: Int
  package let offers: [FlowOffer]
  /// The simulated mails that can be opened, the oldest first.
  package let inbox: [Mail]
  /// The same as a script would name them, for messages.
  package let offered: [String]
  /// Whether the automatic person has something left to do with a simulated page or mail.
  package let hasPage: Bool
  /// The time of the session's clock, and when time alone brings something next.
  package let now: Duration
  package let due: Duration?
  /// Whether an answer, a time-out or a retry is still to come.
  package let isAnswerDue: Bool
  /// Says of the timer that goes off next how a script lets it; `nil` where none is set.
  package let timer: String?
  /// The title of the simulated page that is shown, unless there is something secret in it.
  package let page: String?
  /// Whether a real browser is open.
  package let isBrowserOpen: Bool
  package let asked: Asked?
  /// What is to go wrong and has not yet, with words for it.
  package let armed: [(target: Scenario.Fault.Target, words: String)]
  package let isOnline: Bool
  package let isAppRunning: Bool
}

/// For whoever leads a session: what neither apps nor persons can do to it.
extension FlowSession {
  package var standing: FlowStanding {
    let snapshot = live.snapshot
    // What is only shown takes no alias of the trace.
    var (peek, tracer) = (pages, tracer)
    let leaf = snapshot.firstActive(of: world.flow) { _ in true }
    return FlowStanding(
      revision: revision, isSettled: revisionTold == revision, waitsTold: waitsTold,
      state: leaf.map { ($0.name, $0.title) }, goal: snapshot.activeGoal(of: world.flow), goalsEntered: goalsEntered,
      offers: offers, inbox: isListening ? snapshot.inbox : [], offered: world.offers(in: snapshot),
      hasPage: peek.nextOfPages(in: snapshot) != nil,
      now: snapshot.now.sinceEpoch, due: live.nextDue?.sinceEpoch, isAnswerDue: live.isAnswerDue,
      timer: live.timerStillSet,
      page: snapshot.page.flatMap { tracer?.text(of: $0.title) },
      isBrowserOpen: snapshot.isBrowserOutside, asked: asked(in: snapshot), armed: live.armed,
      isOnline: snapshot.device.online, isAppRunning: snapshot.app.isRunning)
  }

  /// Does something if nothing else has happened since; `nil` when it has.
  package func at<Result: Sendable, Problem: Error>(
    _ revision: Int, _ body: @Sendable (isolated FlowSession) async throws(Problem) -> Result
  ) async throws(Problem) -> Result? {
    guard isRunning, !isLeft, revision == self.revision else { return nil }
    return try await body(self)
  }

  /// Takes a step of a script that is a person's to do.
  ///
  /// - Returns: Whether it is offered now; `nil` where time has replaced the page that it is for.
  package func take(_ step: Scenario.Step, withExamples: Bool) throws(Refusal) -> Bool? {
    let page = live.snapshot.page
    return try happen { (live) throws(Refusal) in
      if step.isOfPage, live.snapshot.page !== page { return nil }
      guard let choice = try world.choice(for: step, in: live.snapshot, withExamples: withExamples).get() else {
        return false
      }
      live.take(choice)
      return true
    }
  }

  /// From now on something goes wrong with what is simulated.
  package func arm(_ fault: Scenario.Fault, byHand: Bool) { happen { $0.arm(fault, byHand: byHand) } }

  /// What was to go wrong with this and has not yet goes as usual.
  package func disarm(_ target: Scenario.Fault.Target) { happen { $0.disarm(target) } }

  /// What was to go wrong and has not, for a session that is over.
  package var idleFaults: [Diagnostic] { live.idleFaults }

  /// Does what the automatic person would do with a simulated page or mail.
  package func takePage() {
    happen { live in
      if let choice = pages.nextOfPages(in: live.snapshot) { live.take(choice) }
    }
  }

  /// The page of a live service counts as closed although nobody has closed it; the trace says why.
  package func givePageUp(because reason: String) { happen { $0.givePageUp(because: reason) } }

  /// The app is killed, as a system does it: requests are cut off, what is stored stays.
  ///
  /// Far behind the clock it is killed where it stands, and what would have fallen due for it is left out.
  package func kill() {
    happen(most: Self.mostAtOnce) { $0.take(.kill) }
    timePasses()
  }

  /// Somebody wants it to end at once: the app is killed, and nothing is noted any more.
  package func interrupt() {
    endRecording()
    kill()
    stop()
  }

  /// The person opens the app that is not running.
  package func launch() { happen { $0.take(.launch) } }

  /// The clock has moved: what fell due on the way happens.
  ///
  /// Much of it happens bit by bit, and the session waits only behind it: what came of a part is told, and forgotten,
  /// before the next.
  package func timePasses() { happen(most: Self.mostAtOnce) { _ in } }

  /// From now on the session ends with an error where a run of a scenario would, for its length; real time may go on for
  /// ever.
  package func limit() { live.isLimited = true }

  /// Begins where a run of a scenario has ended, by a clock that shows its time; to be called before `run()`.
  package func resume(after scenario: String, in snapshot: Snapshot) {
    precondition(!isRunning && !isOver && openers.isEmpty, "A session begins once.")
    (live, resumed) = (LiveRun(world, from: snapshot, after: scenario), scenario)
    lastGiven = snapshot.app.store
    guard tracer != nil else { return }
    tracer = TraceWriter(world, startedAt: snapshot.now, config: snapshot.app.config)
    tracer?.know(snapshot, of: world)
  }

  /// From now on all that happens is noted, to be told as a scenario.
  package func record() { live.recording = Recording(world, after: resumed, from: live.snapshot) }

  /// What happens from now on is not noted any more.
  package func endRecording() { live.recording?.end() }

  /// What was noted as the document of a scenario, and what a run of it comes to; `nil` where nothing was to be noted.
  package func recorded(
    as name: String, config: [(name: String, value: Value)]
  ) -> (document: [UInt8], Recording.Repetition)? {
    live.recording?.scenario(named: name, config: config, failure: live.failure)
  }

  private func asked(in snapshot: Snapshot) -> FlowStanding.Asked? {
    guard world.outside.device, let (index, input) = world.asked(in: snapshot) else { return nil }
    let capability = world.flow.capabilities[index]
    let examples: [Value] = (try? world.example(of: index, input: input, in: snapshot).get()) ?? []
    return FlowStanding.Asked(
      title: capability.title, result: offered(capability.result, examples), failures: capability.failures)
  }
}

extension Scenario.Step {
  /// Whether it is done to the page that is shown.
  fileprivate var isOfPage: Bool {
    switch kind {
    case .submit, .follow: true
    default: false
    }
  }
}

extension Snapshot {
  var isBrowserOutside: Bool {
    if case .outside? = browser.tab?.content { true } else { false }
  }
}
