import FlowEngine
import FlowInterpreter
import FlowSpec

extension SessionCommand {
  /// Tells how a run ended: where it stopped, what went wrong, and what to do where the person was needed.
  func close(
    _ run: SessionRun, ended ending: Result<String, any Error>?, idleFaults: [Diagnostic]
  ) throws(Failure) -> ExitCode {
    try run.report.close()
    let hasArrived = ["goal", "end"].contains(run.report.how)
    let isUnanswered = run.report.isUnanswered && !hasArrived
    if let failure = run.failure {
      // What could not be done then may be so for want of the answer.
      if isUnanswered, failure.code == .failed { throw .unanswered(failure.diagnostics) }
      throw failure
    }
    if run.isInterrupted { return .interrupted }
    if case .failure(let error)? = ending, !(error is CancellationError) { throw Self.failure(error) }
    if isUnanswered { throw .unanswered([]) }
    if run.lacksBrowser, !hasArrived {
      throw Failure(
        .unreachable, "the browser has failed, and the run came to no goal without the page",
        help: "name another program with --browser COMMAND")
    }
    if run.stepsTaken < run.stepCount { throw .answersLeft(from: run.stepsTaken + 1) }
    if !idleFaults.isEmpty {
      throw Failure(.failed, "what was to go wrong has not happened", diagnostics: idleFaults)
    }
    guard !hasArrived, let standing = run.standing else { return .done }
    if run.report.how == "rest" {
      if !isInteractive, let hint = hint(standing) { try console.write(printable(hint) + "\n", to: .errors) }
      return .done
    }
    if isInteractive { throw Failure(.failed, "the person has left before the app came to a goal or a rest") }
    let isWaiting = standing.offers.isEmpty && standing.timer != nil
    let place = isWaiting ? "time alone leads on" : "a person would be stuck"
    throw Failure(.failed, "the run stopped where \(place)", help: hint(standing) ?? standing.timer)
  }

  private static func failure(_ error: any Error) -> Failure {
    switch error {
    case let error as RunError: Failure(.failed, "the run ended with an error", diagnostics: [error.cause])
    case let error as Failure: error
    default: Failure(.ownFault, "the run ended for a reason that nobody gave")
    }
  }

  /// What the person could have done, as one would give it.
  private func hint(_ standing: FlowStanding) -> String? {
    let answers = standing.offers.compactMap(\.asAnswer)
    if answers.isEmpty { return nil }
    return "the person can go on: \(answers.joined(separator: ", or "))"
  }
}

extension Failure {
  fileprivate static func unanswered(_ diagnostics: [Diagnostic]) -> Failure {
    Failure(
      .unreachable, "the last request to a live service got no answer", help: "the run tells which one, and why",
      diagnostics: diagnostics)
  }

  fileprivate static func answersLeft(from number: Int) -> Failure {
    Failure(
      .failed, "the run ended before answer \(number) could be taken", help: "leave out what is not to happen any more")
  }
}

extension FlowOffer {
  /// An event as `--answer` takes it; `nil` for what stands on a page.
  fileprivate var asAnswer: String? {
    guard case .event(let name) = act else { return nil }
    if fields.isEmpty { return "--answer \(name)" }
    let members = fields.map {
      "\"\($0.name)\": \($0.isSecret ? "…" : $0.allowed.map { "\"\($0.joined(separator: "|"))\"" } ?? "…")"
    }
    return "--answer '\(name)={\(members.joined(separator: ", "))}'"
  }
}
