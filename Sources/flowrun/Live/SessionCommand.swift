import Expressions
import FlowEngine
import FlowHTTP
import FlowInterpreter
import FlowSpec

/// A run that a session leads: with live services, or with what a person does given beforehand.
struct SessionCommand {
  let invocation: Invocation
  let console: Console
  let loaded: LoadedFlow
  /// By the number of the flow's config.
  let config: [Int: Value]
  /// What keeps the app's store; `nil` where it is forgotten.
  let store: StoreFile?

  /// Whether a command line asks for such a run.
  static func isMeant(by invocation: Invocation) -> Bool {
    [Option.live, .answer, .answers, .interactive].contains(where: invocation.has)
  }

  /// Whether a person at the terminal is asked.
  var isInteractive: Bool { invocation.has(.interactive) }

  /// Ends the program when the run has ended.
  func perform() throws(Failure) -> Never {
    try checkOptions()
    let flow = loaded.flow
    let steps = try Answers.read(invocation, for: flow)
    let live = try LiveOptions(invocation, for: flow)
    try Answers.refuseFaults(of: live.services.map(\.name), in: steps, for: flow)
    try OpenFiles.makeRoom(isNeeded: !live.services.isEmpty)
    let earlier = try earlier()
    let saved = try SavedScenario(invocation, of: loaded, config: config, after: earlier?.scenario)
    var config = config
    let browser = live.services.isEmpty ? nil : try LiveBrowser(live, for: flow, config: &config, console: console)
    // Begins when simulated runs do, unless one goes on later.
    let virtual =
      live.services.isEmpty ? ManualClock(at: earlier?.end.now.sinceEpoch ?? ManualClock.start) : nil
    let clock: any SessionClock = virtual ?? SystemClock()
    let session = try session(live, clock: clock, config: config)
    let person: any Person =
      isInteractive
      ? try TerminalPerson(on: console, mishaps: Mishaps(of: flow, live: live.services.map(\.name)))
      : AnsweringPerson(steps, of: flow, leavingPages: !invocation.has(.answers))
    // The last, since it empties an earlier trace.
    let report = try SessionReport(
      invocation, on: console, flow: flow, liveServices: Set(live.services.map(\.name)))
    let run = SessionRun(
      session: session, person: person, clock: clock, virtual: virtual, browser: browser, report: report,
      stepCount: steps.count)
    try Signals.run { stops in
      if let earlier { await session.resume(after: earlier.scenario.name, in: earlier.end) }
      if virtual != nil { await session.limit() }
      return await lead(run, saving: saved, until: stops)
    }
  }

  private func checkOptions() throws(Failure) {
    if isInteractive, let option = [Option.answer, .answers].first(where: invocation.has) {
      throw Failure(.usage, "\(option.name) does not go with --interactive: the person at the terminal decides")
    }
    if isInteractive, invocation.has(.scenario) {
      if let option = [Option.live, .store, .config, .configFile].first(where: invocation.has) {
        throw Failure(
          .usage, "\(option.name) does not go with --interactive and --scenario: the run goes on where that one ends")
      }
    } else if invocation.has(.scenario) {
      throw Failure(
        .usage, "--scenario is for simulated runs without answers",
        help: "put the steps of its script into a file for --answers, and what it gives into --config")
    }
    if invocation.has(.showSecrets) {
      throw Failure(.usage, "--show-secrets is for simulated runs without answers and without --interactive")
    }
  }

  /// The scenario that the person goes on after, and where a run of it ends; `nil` where the app is launched.
  private func earlier() throws(Failure) -> (scenario: Scenario, end: Snapshot)? {
    guard isInteractive, invocation.has(.scenario) else { return nil }
    return try loaded.ended(asked: invocation.value(.scenario)).map { ($0.scenario, $0.outcome.nextStart) }
  }

  private func session(
    _ live: LiveOptions, clock: any SessionClock, config: [Int: Value]
  ) throws(Failure) -> FlowSession {
    let names = loaded.flow.app.config.map(\.name)
    let config = Dictionary(uniqueKeysWithValues: config.map { (names[$0.key], FlowValue($0.value)) })
    let services = live.services.isEmpty ? LiveServices.none : LiveServices(live.services, through: try adapter(live))
    do throws(StartError) {
      return try FlowSession(
        CheckedFlow(loaded.flow), live: services, device: FlowDevice(isLive: isInteractive), clock: clock,
        config: config, store: store?.kept?.store, traces: true,
        keep: { [store] in try store?.keep($0) })
    } catch {
      throw Failure(.usage, error.description, help: help(for: error))
    }
  }

  private func adapter(_ live: LiveOptions) throws(Failure) -> HTTPAdapter {
    do throws(HTTPUnavailable) {
      return try HTTPAdapter(live.http)
    } catch {
      throw Failure(.unreachable, error.description)
    }
  }

  private func help(for error: StartError) -> String? {
    switch error {
    case .noModel(let service), .noAddress(let service): "say where it is: --live \(service)=https://…"
    case .badAddress:
      "an address is written like https://id.example.org:8443/base: without user name, query, fragment and blank; ports "
        + "go up to 65535; write the host in ASCII, as xn--…"
    default: nil
    }
  }

  private func lead(
    _ run: SessionRun, saving saved: SavedScenario?, until stops: AsyncStream<Void>
  ) async -> ExitCode {
    var run = run
    if saved != nil { await run.session.record() }
    let ending = await run.run(until: stops)
    let idleFaults = isInteractive ? [] : await run.session.idleFaults
    let code = reported { () throws(Failure) in try close(run, ended: ending, idleFaults: idleFaults) }
    guard let saved, let (document, repetition) = await run.session.recorded(as: saved.name, config: saved.config)
    else { return code }
    return reported { () throws(Failure) in
      try saved.write(document, repetition, on: console)
      return code
    }
  }

  private func reported(_ part: () throws(Failure) -> ExitCode) -> ExitCode {
    do throws(Failure) { return try part() } catch {
      console.report(error)
      return error.code
    }
  }
}
