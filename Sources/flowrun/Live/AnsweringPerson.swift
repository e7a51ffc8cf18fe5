import FlowEngine
import FlowInterpreter
import FlowSpec

/// A person whose answers were given beforehand: each is taken as soon as it is offered.
actor AnsweringPerson: Person {
  private let steps: [Scenario.Step]
  private let flow: Flow
  /// Whether simulated pages and mails are left to the automatic person.
  private let leavesPages: Bool
  /// How often a goal had been entered when the last answer was taken.
  private var goalsEntered = 0

  init(_ steps: [Scenario.Step], of flow: Flow, leavingPages: Bool) {
    (self.steps, self.flow) = (steps, flow)
    leavesPages = leavingPages
  }

  func act(in situation: Situation) throws(Failure) -> Act? {
    let standing = situation.standing
    guard situation.stepsTaken < steps.count else { return whatIsLeft(in: standing) }
    let step = steps[situation.stepsTaken]
    if isPossible(step, in: situation) {
      goalsEntered = standing.goalsEntered
      return .step(step)
    }
    if leavesPages, standing.hasPage { return .page }
    if isAwaiting(in: standing) { return .timePasses }
    throw .notTaken(.notOffered(step, in: flow, standing))
  }

  /// No question of this person stands anywhere.
  nonisolated func isInterrupted() {}

  /// Behind the last answer what is awaited still comes; the next goal is the end.
  private func whatIsLeft(in standing: FlowStanding) -> Act? {
    if standing.goal != nil, standing.goalsEntered > goalsEntered { return nil }
    if leavesPages, standing.hasPage { return .page }
    return isAwaiting(in: standing) ? .timePasses : nil
  }

  /// Whether something is to come that nobody has to do: an answer, a time-out, a retry, or what comes of the open page:
  /// the browser that the app hears of, or a timer after which it asks what was done there (RFC 8628, section 3.4).
  private func isAwaiting(in standing: FlowStanding) -> Bool {
    standing.isAnswerDue || standing.isBrowserOpen && (flow.app.hearsOfBrowser || standing.timer != nil)
  }

  /// Whether a step can be taken now.
  ///
  /// What is always possible in a simulated world waits in a live run for the answer that is under way, so that two runs
  /// are alike.
  private func isPossible(_ step: Scenario.Step, in situation: Situation) -> Bool {
    let offers = situation.standing.offers.map(\.act)
    switch step.kind {
    case .event(let index, _): return offers.contains(.event(flow.app.events[index].name))
    case .submit(let form, _): return offers.contains(.submits(form: form))
    case .follow(let link): return offers.contains(.follows(link: link))
    case .openMail(_, _, let link):
      guard let links = situation.standing.inbox.links(ofMailFor: step) else { return false }
      return link.map(links.contains) ?? true
    case .closeBrowser: return offers.contains(.closesBrowser)
    case .offline, .online, .advance, .kill, .launch, .relaunch, .arrive, .fault:
      return situation.isVirtual || !situation.standing.isAnswerDue
    }
  }
}

extension Diagnostic {
  /// Of a step that is not offered where a session stands; where that is not known, nothing is.
  static func notOffered(_ step: Scenario.Step, in flow: Flow, _ standing: FlowStanding?) -> Diagnostic {
    .notOffered(
      step, in: flow, choices: standing?.offered ?? [], links: standing?.inbox.links(ofMailFor: step),
      isRunning: standing?.isAppRunning ?? true, timer: standing?.timer)
  }
}

extension Failure {
  static func notTaken(_ diagnostic: Diagnostic) -> Failure {
    Failure(.failed, "an answer could not be taken", diagnostics: [diagnostic])
  }
}
