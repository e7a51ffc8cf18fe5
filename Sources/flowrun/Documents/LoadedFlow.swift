import Expressions
import FlowEngine
import FlowSpec

/// A flow from a file, and the scenarios in the folder of the same name beside it.
struct LoadedFlow {
  let path: String
  let flow: Flow
  private let documents: Documents
  /// Held for what it was made from: who runs a flow once ends before it would be worth taking that apart.
  private let checked: Checked<Flow>

  /// What is to become of it, which who names something else is told.
  enum Use: String {
    case run, tested, explored, measured, drawn

    /// What stands before the flow in the command line.
    var command: String {
      switch self {
      case .run: "flowrun"
      case .tested: "flowrun test"
      case .explored: "flowrun explore"
      case .measured: "flowrun bench"
      case .drawn: "flowrun draw"
      }
    }

    func command(with flow: String) -> String { "\(command) \(quoted(flow))" }

    /// The command line that does it with a scenario; `nil` where that is done with a whole flow alone.
    func command(with flow: String, _ scenario: String) -> String? {
      let named = "\(quoted(flow))\(self == .drawn ? " --as sequence" : "") --scenario \(quoted(scenario))"
      return [.run, .explored, .drawn].contains(self) ? "\(command) \(named)" : nil
    }
  }

  init(_ path: String, documents: inout Documents, toBe done: Use) throws(Failure) {
    let checked = try documents.loaded { Loading.flow(at: path, reader: &$0) }
    guard let flow = checked.value else {
      // It may be no flow at all, and then its errors are beside the point.
      try documents.refuseOther(than: path, toBe: done)
      if try documents.kind(of: path) == nil { throw .invalid(path, documents.strangeness(of: path)) }
      throw .invalid(path, checked.diagnostics)
    }
    (self.path, self.flow, self.documents, self.checked) = (path, flow, documents, checked)
  }

  /// A scenario that can be run: those that it starts from are in order too.
  func scenario(at path: String) throws(Failure) -> Scenario {
    let scenario = try document(at: path)
    let folder = ScenarioFolder(flow: self.path)
    var chain = [scenario]
    var seen: Set = [scenario.name]
    // Those behind the first one too many are not worth reading.
    while chain.count < Scenario.deepest + 2, let name = chain.last?.given.after, seen.insert(name).inserted {
      let earlier = folder.path(of: name)
      guard Files.isTaken(earlier) else { break }
      chain.append(try document(at: earlier))
    }
    // All names are asked for only where one is none of those that were followed.
    let names = chain.last?.given.after == nil ? chain.map(\.name) : try folder.scenarios
    let misorder = Loading.misorder(of: chain, among: names)
    guard misorder.isEmpty else { throw .invalid(path, misorder) }
    return scenario
  }

  /// The one that is asked for, by name or by file; else `default`, if there is one.
  func scenario(asked: String?) throws(Failure) -> Scenario? {
    let folder = ScenarioFolder(flow: path)
    guard let asked else {
      let usual = folder.path(of: "default")
      return Files.isTaken(usual) ? try scenario(at: usual) : nil
    }
    let isFile = asked.contains("/") || asked.hasSuffix(".json")
    let file = isFile ? asked : folder.path(of: asked)
    guard Files.isTaken(file) else {
      let known = try folder.scenarios
      let name = Paths.stem(of: asked, ending: ".json") ?? asked
      if isFile, !known.contains(name) { throw .missing(file, "file") }
      throw Failure(
        .noFile, "\(path) has no scenario \"\(asked)\"",
        help: known.contains(name) ? "did you mean \"\(name)\"?" : likely(asked, among: known))
    }
    return try scenario(at: file)
  }

  /// The one that is asked for, to go on after it, and how it has ended; `nil` where none is.
  func ended(asked: String?) throws(Failure) -> (scenario: Scenario, outcome: RunOutcome)? {
    guard let asked, let scenario = try scenario(asked: asked) else { return nil }
    let outcome = run(scenario)
    guard outcome.succeeded else {
      throw Failure(
        .failed, "nothing goes on after \"\(scenario.name)\", which does not succeed itself",
        diagnostics: outcome.problems)
    }
    return (scenario, outcome)
  }

  /// The name of a scenario, and of those that it goes on after.
  func lineage(of scenario: Scenario) throws(Failure) -> [String] {
    var names = [scenario.name]
    var next = scenario.given.after
    while let name = next, !names.contains(name) {
      names.append(name)
      next = try self.scenario(asked: name)?.given.after
    }
    return names
  }

  /// What one that goes on after a scenario would find by its name, in the flow's folder, where that is another; `nil`
  /// where it is this one.
  func otherThan(_ scenario: Scenario) -> String? {
    let own = ScenarioFolder(flow: path).path(of: scenario.name)
    return Files.isTaken(own) && Files.real(own) == Files.real(scenario.document.path) ? nil : own
  }

  private func document(at path: String) throws(Failure) -> Scenario {
    if Files.kind(of: path) == .folder { throw Files.unreadable(path, EISDIR) }
    var reader = documents
    let checked = try reader.loaded { Loading.scenario(at: path, for: flow, reader: &$0) }
    guard let scenario = checked.value else { throw .invalid(path, checked.diagnostics) }
    return scenario
  }

  /// `kept` is the store as an earlier run left it.
  func run(_ scenario: Scenario?, kept: [Value]? = nil, config: [Int: Value] = [:]) -> RunOutcome {
    Running.run(flow, scenario: scenario, kept: kept, config: config) { name in
      var reader = documents
      return Loading.scenario(at: ScenarioFolder(flow: path).path(of: name), for: flow, reader: &reader).value
    }
  }
}

extension Failure {
  static func invalid(
    _ path: String, _ diagnostics: [Diagnostic], _ code: ExitCode = .invalidDocument
  ) -> Failure {
    let errors = diagnostics.filter { $0.severity == .error }.count
    return Failure(code, "\(path) has \(counted(errors, "error"))", diagnostics: diagnostics)
  }
}
