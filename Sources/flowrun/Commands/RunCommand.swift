import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec

/// What `flowrun run FLOW` does.
enum RunCommand {
  @Sendable static func perform(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    try check(invocation, console)
    let path = invocation.operands[0]
    var documents = Documents(named: invocation.operands)
    if let file = invocation.value(.trace) { try documents.refuseToReplace(file, for: .trace) }
    let loaded = try LoadedFlow(path, documents: &documents, toBe: .run)
    let config = try GivenConfig.read(invocation, for: loaded.flow)
    let store = try invocation.value(.store).map { path throws(Failure) in
      try documents.refuseToReplace(path, for: .store)
      return try StoreFile(path, of: loaded.flow)
    }
    if let store, let dropped = store.kept?.dropped, !dropped.isEmpty {
      let words = "\(loaded.path) does not declare all that \(store.path) holds; the next store is without"
      try console.write("flowrun: \(printable("\(words) \(dropped.listed)"))\n", to: .errors)
    }
    if SessionCommand.isMeant(by: invocation) {
      try SessionCommand(invocation: invocation, console: console, loaded: loaded, config: config, store: store)
        .perform()
    }
    let (scenario, outcome) = try run(loaded, asked: invocation.value(.scenario), store, config: config)
    // The process ends with the run: to take the flow apart before would take as long as to run it.
    UnsafeMutablePointer.allocate(capacity: 1).initialize(to: (loaded, outcome))
    let trace = TraceWriter.trace(of: outcome, scenario: scenario)
    if let file = invocation.value(.trace) { try Files.write(trace, to: file) }
    if invocation.has(.json) {
      try console.write(trace)
    } else if !outcome.happenings.isEmpty {
      let shown =
        invocation.has(.showSecrets)
        ? TraceWriter.trace(of: outcome, scenario: scenario, display: .realText) : trace
      let style = console.style(.out)
      try console.write(
        Timeline(Trace(readingBack: shown), of: loaded.flow, style: style, width: console.width(of: .out)).text)
    }
    guard !outcome.succeeded else { return .done }
    try console.write("\n" + console.renderer(.errors).text(of: outcome.problems), to: .errors)
    return .failed
  }

  /// Runs the flow in its simulated world; with a store, from what is kept there to what is kept then.
  private static func run(
    _ loaded: LoadedFlow, asked: String?, _ store: StoreFile?, config: [Int: Value]
  ) throws(Failure) -> (Scenario?, RunOutcome) {
    let kept = store?.kept?.values
    // The usual scenario tells of a first launch.
    let scenario = kept == nil || asked != nil ? try loaded.scenario(asked: asked) : nil
    if let store, let scenario, kept != nil, scenario.given.after != nil || !scenario.given.store.isEmpty {
      throw Failure(
        .usage, "scenario \"\(scenario.name)\" says itself what is stored, and \(store.path) is there already",
        help: "without --scenario the run begins with what \(store.path) holds")
    }
    let outcome = loaded.run(scenario, kept: kept, config: config)
    try store?.keep(outcome, of: loaded.flow)
    return (scenario, outcome)
  }

  private static func check(_ invocation: Invocation, _ console: Console) throws(Failure) {
    try checkSecrets(invocation, console)
    try LiveOptions.check(invocation)
    try SavedScenario.check(invocation)
    try checkFiles(invocation)
  }

  /// What a run writes replaces neither what it reads nor what else it writes.
  private static func checkFiles(_ invocation: Invocation) throws(Failure) {
    let written = [Option.trace, .store, .save]
    var named: [(option: Option, places: [String])] = []
    for option in written + [.answers, .configFile, .certificateAuthority] {
      guard let path = invocation.value(option) else { continue }
      let place = Files.place(of: path)
      let paths = option.name == Option.store.name ? StoreFile.places(at: place) : [place]
      // Two names may be of one file.
      let places = paths + paths.compactMap(Files.identity)
      if let other = named.first(where: { !Set($0.places).isDisjoint(with: places) }),
        written.contains(where: { $0.name == other.option.name })
      {
        throw Failure(
          .usage, "\(other.option.name) and \(option.name) name the same file", help: "give each a file of its own")
      }
      named.append((option, places))
    }
  }

  /// Secrets are for the eyes of who sits at the terminal, never for a file.
  private static func checkSecrets(_ invocation: Invocation, _ console: Console) throws(Failure) {
    guard invocation.has(.showSecrets) else { return }
    for option in [Option.json, .trace] where invocation.has(option) {
      throw Failure(.usage, "--show-secrets is for the terminal only: it does not go with \(option.name)")
    }
    guard console.isTerminal(.out) else {
      throw Failure(.usage, "--show-secrets is for the terminal only, and standard output is none")
    }
  }
}

extension StoreFile {
  /// Nothing of a simulated run reaches anybody before it is over, so its last store is all that is kept.
  fileprivate func keep(_ outcome: RunOutcome, of flow: Flow) throws(Failure) {
    let store = FlowStore(outcome.snapshot.app.store, of: flow)
    // A run that could not begin has changed nothing.
    guard !outcome.happenings.isEmpty, store != kept?.store else { return }
    try keep(store)
  }
}

extension Trace {
  /// Reads what this program has written.
  init(readingBack trace: [UInt8]) throws(Failure) {
    do throws(TraceError) {
      try self.init(reading: trace, mostInLine: .max)
    } catch {
      throw Failure(.ownFault, "line \(error.line) of the trace cannot be read back: \(error.message)")
    }
  }
}
