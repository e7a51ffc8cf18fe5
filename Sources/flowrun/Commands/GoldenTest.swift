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
    /// A flow without scenarios, which likely lie in this folder.
    case displaced(folder: String)
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

  /// A golden that belongs to no test.
  struct Orphan {
    let golden: String
    /// What is likely its scenario, misnamed or elsewhere.
    private let scenario: String?

    init(_ golden: String, _ likely: inout LikelyScenarios, _ documents: inout Documents) {
      (self.golden, scenario) = (golden, likely.likelyScenario(ofGolden: golden, &documents))
    }

    /// What to do with that; `nil` where there is none.
    var advice: String? {
      guard let scenario, let right = ScenarioFolder.scenario(ofGoldenAt: golden) else { return nil }
      let isHere = Files.real(Paths.folder(of: scenario)) == Files.real(Paths.folder(of: golden))
      return isHere
        ? "\(scenario) lies here, and nothing looks at it: "
          + "rename it to \(Paths.name(of: right)), or otherwise if it is another."
        : "\(scenario) is called like it: move it to \(right), or rename it if it is another."
    }
  }

  /// Looked for before anything is accepted: what lies in the folder of another flow would get a golden there.
  static func orphans(of files: Workspace.Flow, _ documents: inout Documents) throws(Failure) -> [Orphan] {
    guard files.isWhole else { return [] }
    let folder = ScenarioFolder(flow: files.path)
    let used = Set(tests(of: files).map(\.golden))
    let goldens = try folder.goldens.map(folder.golden(of:)).filter { !used.contains($0) }
    var likely = LikelyScenarios()
    return goldens.map { Orphan($0, &likely, &documents) }
  }

  /// Whether it is an automatic run that nobody has accepted so far.
  var isNew: Bool { scenario == nil && !Files.isTaken(golden) }

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
