import FlowEngine
import FlowSpec

/// What `flowrun test [PATH…]` does.
enum TestCommand {
  @Sendable static func perform(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    var report = TestReport(
      console: console, isAccepting: invocation.has(.accept), isJSON: invocation.has(.jsonResults))
    do throws(Failure) {
      if let file = invocation.value(.junit) {
        var documents = Documents(named: invocation.operands.map(Paths.plain))
        try documents.refuseToReplace(file, for: .junit)
        try report.keep(in: file)
      }
      try expectAcceptable(invocation)
      try expectTestable(invocation.operands)
      try test(Workspace(invocation.operands), &report)
      try report.writeJUnit()
    } catch {
      report.stop(error, at: invocation.operands.isEmpty ? "flows" : invocation.operands.joined(separator: ", "))
      throw error
    }
    return try report.finish()
  }

  private static func expectAcceptable(_ invocation: Invocation) throws(Failure) {
    guard invocation.has(.accept) else { return }
    if let variable = environment("CI"), !["false", "0"].contains(variable.lowercased()) {
      throw Failure(
        .usage, "traces are not accepted where the variable CI is set",
        help: "look at the difference on your own machine, accept it there, and commit the golden")
    }
    if invocation.has(.jsonResults) {
      throw Failure(.usage, "--accept lists what changed: it does not go with --json")
    }
  }

  /// One file that says what it is, and is nothing to test, is refused as by the commands that take one file.
  private static func expectTestable(_ operands: [String]) throws(Failure) {
    guard operands.count == 1, Files.kind(of: operands[0]) == .file else { return }
    var documents = Documents(named: operands)
    guard (try? documents.kind(of: operands[0])) == .service || (try? documents.isKeptStore(operands[0])) == true else {
      return
    }
    try documents.refuseOther(than: operands[0], toBe: .tested)
  }

  private static func test(_ workspace: Workspace, _ report: inout TestReport) throws(Failure) {
    for path in workspace.others {
      var documents = workspace.documents
      try report.stranger(path, documents.strangeness(of: path))
    }
    for (flow, paths) in workspace.strays.sorted(by: { $0.key < $1.key }) {
      var documents = workspace.documents
      try report.strays(paths, of: flow, documents.astray(paths, of: flow))
    }
    var documents = workspace.documents
    var likely = LikelyScenarios()
    for path in workspace.strayGoldens { try report.stray(GoldenTest.Orphan(path, &likely, &documents)) }
    for (path, failure) in workspace.unreadable { try report.stuck(path, of: nil, failure) }
    var loaded: [LoadedTests] = []
    for files in workspace.flows { loaded.append(try LoadedTests(of: files, &documents)) }
    let unasked = UnaskedRoutes(of: loaded.compactMap { try? $0.flow.get().flow })
    // What has errors may ask for any of them.
    let isComplete = loaded.allSatisfy { (try? $0.flow.get()) != nil }
    for (number, tests) in loaded.enumerated() {
      let routes = (try? tests.flow.get()).map { loaded in
        unasked.routes(of: loaded.flow, at: number) { isComplete && workspace.knowsFlows(ofServiceAt: $0.path) }
      }
      try test(tests, unasked: routes ?? [], documents, &report)
    }
    if report.isEmpty {
      let service = workspace.services.first.map { "\($0) is a service: flowrun check \(quoted($0)) looks at it" }
      throw Failure(.noFile, "there is no flow to test", help: service)
    }
  }

  private static func test(
    _ loadedTests: LoadedTests, unasked: [Set<Int>], _ documents: Documents, _ report: inout TestReport
  ) throws(Failure) {
    let files = loadedTests.files
    var documents = documents
    let loaded: LoadedFlow
    do throws(Failure) { loaded = try loadedTests.flow.get() } catch  where error.code == .invalidDocument {
      return try report.invalid(files, error.diagnostics)
    } catch {
      return try report.stuck(files.path, of: files.path, error)
    }
    var coverage = Coverage(loaded.flow, unasked: unasked)
    // What cannot be read may be the scenario of a golden that seems to have none.
    var isReadable = true
    for test in GoldenTest.tests(of: files) {
      let result: GoldenTest.Result
      do throws(Failure) {
        if test.isNew, let folder = documents.likelyFolder(of: files.path) {
          result = .displaced(folder: folder)
        } else {
          result = try test.result(of: loaded, accepting: report.isAccepting, &coverage)
        }
      } catch { result = .stuck(error) }
      switch result {
      case .invalid, .stuck: isReadable = false
      default: break
      }
      try report.add(test, of: files.path, result)
    }
    // Some scenarios alone say nothing about what the others reach.
    if files.isWhole { try report.add(coverage.uncovered, of: files.path) }
    for orphan in loadedTests.orphans {
      let isOurs = documents.isTrace(orphan.golden, of: loaded.flow.name)
      try report.orphan(orphan, flow: files.path, isOurs: isOurs, mayRemove: isReadable)
    }
  }
}

/// A flow with what is tested of it, as it is before anything is accepted.
private struct LoadedTests {
  let files: Workspace.Flow
  let flow: Result<LoadedFlow, Failure>
  let orphans: [GoldenTest.Orphan]

  init(of files: Workspace.Flow, _ documents: inout Documents) throws(Failure) {
    self.files = files
    do throws(Failure) {
      flow = .success(try LoadedFlow(files.path, documents: &documents, toBe: .tested))
    } catch { flow = .failure(error) }
    orphans = try GoldenTest.orphans(of: files, &documents)
  }
}
