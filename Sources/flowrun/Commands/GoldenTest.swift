import FlowEngine
import FlowSpec

/// One scenario, or the automatic run of a flow without any, with its golden.
struct GoldenTest {
  /// How people call it and how it is accepted: the path of the scenario, or of the flow.
  let path: String
  /// `nil` for an automatic run.
  let scenario: String?
  let golden: String

  enum Result {
    case passed
    /// No golden yet.
    case missing(trace: [UInt8])
    case changed(GoldenDifference, trace: [UInt8])
    /// The run itself went wrong, behind another decision than the golden's where one is told.
    case failed([Diagnostic], departure: String?)
    case invalid([Diagnostic])
    /// A scenario that this one goes on after has errors.
    case behindInvalid(String)
    /// A scenario that this one goes on after does not succeed.
    case behindFailed(String)
    /// The scenario or the golden cannot be read.
    case stuck(Failure)
  }

  /// All tests of a flow.
  static func tests(of files: Workspace.Flow) -> [GoldenTest] {
    if files.scenarios.isEmpty, files.isWhole {
      return [
        GoldenTest(path: files.path, scenario: nil, golden: ScenarioFolder(flow: files.path).golden(of: "default"))
      ]
    }
    return files.scenarios.map {
      GoldenTest(path: $0, scenario: $0, golden: ScenarioFolder.golden(ofScenarioAt: $0))
    }
  }

  /// Goldens that belong to no test.
  static func orphans(of files: Workspace.Flow, tests: [GoldenTest]) throws(Failure) -> [String] {
    guard files.isWhole else { return [] }
    let folder = ScenarioFolder(flow: files.path)
    let used = Set(tests.map(\.golden))
    return try folder.goldens.map(folder.golden(of:)).filter { !used.contains($0) }
  }

  /// Runs it; what a run that succeeds has reached counts as covered where there is a golden, or will be.
  func result(of loaded: LoadedFlow, accepting: Bool, _ coverage: inout Coverage) throws(Failure) -> Result {
    var situation: Scenario?
    if let scenario {
      do throws(Failure) {
        situation = try loaded.scenario(at: scenario)
      } catch  where error.code == .invalidDocument {
        let place = error.diagnostics.first { $0.severity == .error }?.labels.first?.site.document.path
        guard let place, place != scenario else { return .invalid(error.diagnostics) }
        return .behindInvalid(place)
      }
    }
    let outcome = loaded.run(situation)
    let known = Files.isTaken(golden) ? try Files.read(golden, most: .max) : nil
    guard outcome.succeeded else {
      if outcome.problems.map(\.code) == ["earlier-scenario-failed"], let earlier = situation?.given.after {
        return .behindFailed(ScenarioFolder(flow: loaded.path).path(of: earlier))
      }
      let departure = known.flatMap { GoldenComparison.departure(golden: $0, of: outcome, scenario: situation) }
      return .failed(outcome.problems, departure: departure)
    }
    if known != nil || accepting { coverage.add(outcome.happenings) }
    let trace = TraceWriter.trace(of: outcome, scenario: situation)
    switch GoldenComparison.compare(golden: known, run: trace) {
    case .matches: return .passed
    case .missing: return .missing(trace: trace)
    case .changed(let difference): return .changed(difference.hiding(outcome), trace: trace)
    }
  }
}
