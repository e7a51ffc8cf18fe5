import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec

/// A run that a session leads: with live services, or with what a person does given beforehand.
struct SessionCommand {
  let invocation: Invocation
  let console: Console
  let loaded: LoadedFlow
  /// By the number of the flow's config.
  let config: [Int: Value]

  /// Whether a command line asks for such a run.
  static func isMeant(by invocation: Invocation) -> Bool {
    [Option.live, .answer, .answers].contains(where: invocation.has)
  }

  /// Ends the program.
  func perform() throws(Failure) -> Never {
    let flow = loaded.flow
    let steps = try Answers.read(invocation, for: flow)
    let services: [LiveServices.Service] = []
    let clock: any SessionClock = services.isEmpty ? VirtualClock() : SystemClock()
    let report = try SessionReport(
      invocation, on: console, flow: flow, liveServices: Set(services.map(\.name)))
    let session = try session(clock: clock)
    let person = AnsweringPerson(steps, of: flow, leavingPages: !invocation.has(.answers))
    let run = SessionRun(session, led: person, clock: clock, reporting: report)
    Signals.run { [self] stops in await lead(run, through: steps.count, until: stops) }
  }

  private func session(clock: any SessionClock) throws(Failure) -> FlowSession {
    let names = loaded.flow.app.config.map(\.name)
    let config = Dictionary(uniqueKeysWithValues: config.map { (names[$0.key], FlowValue($0.value)) })
    do throws(StartError) {
      return try FlowSession(
        CheckedFlow(loaded.flow), clock: clock, config: config, traces: true)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  private func lead(_ run: SessionRun, through count: Int, until stops: AsyncStream<Void>) async -> ExitCode {
    var run = run
    let ending = await run.run(until: stops)
    do throws(Failure) {
      try run.report.close()
      return try code(of: run, ended: ending, answers: count)
    } catch {
      console.report(error)
      return error.code
    }
  }

  /// Says what went wrong, and what to do where the person was needed.
  private func code(
    of run: SessionRun, ended ending: Result<String, any Error>?, answers: Int
  ) throws(Failure) -> ExitCode {
    if let failure = run.failure { throw failure }
    if run.isInterrupted { return .interrupted }
    if case .failure(let error as RunError)? = ending {
      throw Failure(.failed, "the run ended with an error", diagnostics: [error.cause])
    }
    let how = run.report.last?.text("how")
    guard how != "goal", how != "end" else { return .done }
    if how == "rest" { return .done }
    return .failed
  }
}
