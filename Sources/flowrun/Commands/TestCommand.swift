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
    let workspace = try Workspace(invocation.operands)
    var report = TestReport(console: console, isAccepting: invocation.has(.accept))
    for path in workspace.others { try report.stranger(path) }
    for path in workspace.strays { try report.stray(path) }
    var documents = workspace.documents
    for files in workspace.flows { try test(files, &documents, &report) }
    if report.isEmpty { throw Failure(.noFile, "there is no flow to test") }
    return try report.finish()
  }

  private static func test(
    _ files: Workspace.Flow, _ documents: inout Documents, _ report: inout TestReport
  ) throws(Failure) {
    let tests = GoldenTest.tests(of: files)
    let loaded: LoadedFlow
    do throws(Failure) {
      loaded = try LoadedFlow(files.path, documents: &documents)
    } catch {
      return try report.invalid(files.path, error.diagnostics)
    }
    for test in tests { try report.add(test, try test.result(of: loaded)) }
    for orphan in GoldenTest.orphans(of: files, tests: tests) { try report.orphan(orphan, flow: files.path) }
  }
}
