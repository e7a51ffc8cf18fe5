import Expressions
import FlowEngine
import FlowSpec

/// Documents in memory, as bytes that need not be text.
struct Shelf: DocumentReader {
  var documents: [String: [UInt8]] = [:]

  /// Each stands below a line `=== path`.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var path: String?
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.starts(with: "=== ".utf8) {
        path = String(decoding: line.dropFirst(4), as: UTF8.self)
      } else if let path {
        documents[path, default: []] += line + [UInt8(ascii: "\n")]
      }
    }
  }

  func read(_ path: String) -> [UInt8]? { documents[path] }

  /// Reads every document, says what is wrong, and runs and tells what loads.
  func loadAndRun() {
    var shelf = self
    for path in documents.keys.sorted() where path != "scenario.json" && path != "flow.json" {
      render(Loading.service(at: path, reader: &shelf).diagnostics)
    }
    let flow = Loading.flow(at: "flow.json", reader: &shelf)
    render(flow.diagnostics)
    guard let flow = flow.value else { return }
    let scenario = Loading.scenario(at: "scenario.json", for: flow, reader: &shelf)
    render(scenario.diagnostics)
    run(flow, nil)
    if let scenario = scenario.value { run(flow, scenario) }
  }

  private func render(_ diagnostics: [Diagnostic]) {
    _ = DiagnosticRenderer().text(of: diagnostics)
  }

  private func run(_ flow: Flow, _ scenario: Scenario?) {
    let outcome = Running.run(flow, scenario: scenario) { $0 == scenario?.name ? scenario : nil }
    render(outcome.problems)
    let trace = TraceWriter.trace(of: outcome, scenario: scenario)
    guard let read = try? Trace(reading: trace) else { preconditionFailure("a trace that was written can be read") }
    _ = Timeline(read).text
    let world = World(flow)
    _ = Exploration.of(flow, most: 20)
    let moves = world.moves(in: outcome.snapshot, isStart: false)
    for move in moves.prefix(20) { _ = world.take(move, in: outcome.snapshot) }
  }
}
