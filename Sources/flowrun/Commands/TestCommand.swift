import FlowEngine
import FlowSpec

/// What `flowrun test [PATH…]` does.
enum TestCommand {
  @Sendable static func perform(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    if invocation.has(.accept), environment("CI") != nil {
      throw Failure(
        .usage, "traces are not accepted where the variable CI is set",
        help: "look at the difference on your own machine, accept it there, and commit the golden")
    }
    if invocation.has(.accept), invocation.has(.jsonResults) {
      throw Failure(.usage, "--accept lists what changed: it does not go with --json")
    }
    let workspace = try Workspace(invocation.operands)
    var report = TestReport(
      console: console, isAccepting: invocation.has(.accept), isJSON: invocation.has(.jsonResults))
    for path in workspace.others { try report.stranger(path) }
    for path in workspace.strays { try report.stray(path) }
    var documents = workspace.documents
    if let file = invocation.value(.junit) { try documents.refuseToReplace(file, for: .junit) }
    for files in workspace.flows { try test(files, &documents, &report) }
    if report.isEmpty {
      let service = workspace.services.first.map { "\($0) is a service: flowrun check \($0) looks at it" }
      throw Failure(.noFile, "there is no flow to test", help: service)
    }
    if let file = invocation.value(.junit) { try Files.write(Array(report.results.junit.utf8), to: file) }
    return try report.finish()
  }

  private static func test(
    _ files: Workspace.Flow, _ documents: inout Documents, _ report: inout TestReport
  ) throws(Failure) {
    let tests = GoldenTest.tests(of: files)
    let loaded: LoadedFlow
    do throws(Failure) {
      loaded = try LoadedFlow(files.path, documents: &documents, toBe: "tested")
    } catch  where error.code == .invalidDocument {
      return try report.invalid(files.path, of: files.path, error.diagnostics)
    }
    var coverage = Coverage(loaded.flow)
    for test in tests { try report.add(test, of: files.path, try test.result(of: loaded, &coverage)) }
    // Some scenarios alone say nothing about what the others reach.
    if files.isWhole { try report.add(coverage.uncovered, of: files.path) }
    for orphan in GoldenTest.orphans(of: files, tests: tests) { try report.orphan(orphan, flow: files.path) }
  }
}
