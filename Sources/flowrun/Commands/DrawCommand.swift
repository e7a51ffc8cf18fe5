import Expressions
import FlowDrawing
import FlowEngine
import FlowSpec

/// What `flowrun draw FLOW` does.
enum DrawCommand {
  private enum Diagram: String, CaseIterable {
    case states, sequence
  }

  @Sendable static func perform(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    let diagram = try choice(of: .asDiagram, among: Diagram.allCases.map(\.rawValue), invocation)
    _ = try choice(of: .format, among: ["mermaid"], invocation)
    let path = invocation.operands[0]
    if path.hasSuffix(".jsonl") {
      try drawTrace(at: path, invocation, on: console)
      return .done
    }
    var documents = Documents(named: invocation.operands)
    let loaded = try LoadedFlow(path, documents: &documents, toBe: .drawn)
    guard diagram == Diagram.sequence.rawValue else {
      if invocation.has(.scenarioDrawn) {
        throw Failure(.usage, "--scenario goes with --as sequence: a flow has the same states in every scenario")
      }
      try console.write(StateDiagram(of: loaded.flow).mermaid)
      return .done
    }
    let scenario = try loaded.scenario(asked: invocation.value(.scenarioDrawn))
    let outcome = loaded.run(scenario)
    let trace = try Trace(readingBack: TraceWriter.trace(of: outcome, scenario: scenario))
    try console.write(SequenceDiagram(of: trace).mermaid)
    guard !outcome.succeeded else { return .done }
    try console.write(console.renderer(.errors).text(of: outcome.problems), to: .errors)
    return .failed
  }

  /// A trace that somebody has kept says all that its diagram needs.
  private static func drawTrace(at path: String, _ invocation: Invocation, on console: Console) throws(Failure) {
    if invocation.has(.scenarioDrawn) || invocation.value(.asDiagram) == Diagram.states.rawValue {
      throw Failure(.usage, "\(path) is a trace, and a trace is drawn as sequence, without --scenario")
    }
    let bytes = try Files.read(path, most: .max)
    let trace: Trace
    do throws(TraceError) {
      trace = try Trace(reading: bytes)
    } catch {
      throw Failure(.invalidDocument, "\(path):\(error.line): \(error.message)")
    }
    if let error = trace.firstStrangeLine {
      throw Failure(.invalidDocument, "\(path):\(error.line): \(error.message)")
    }
    try console.write(SequenceDiagram(of: trace).mermaid)
    guard trace.lines.last?.kind != .ended else { return }
    try console.write("\(path) breaks off: it has no line \"ended\", and what came then is not drawn\n", to: .errors)
  }

  /// The value of an option that knows a few words; the first where it is not given.
  private static func choice(
    of option: Option, among words: [String], _ invocation: Invocation
  ) throws(Failure) -> String {
    guard let word = invocation.value(option) else { return words[0] }
    guard !words.contains(word) else { return word }
    let nearest = nearestName(to: word, among: words).map { "did you mean \($0)?" }
    throw Failure(
      .usage, "\(option.name) has no \"\(word)\"", help: nearest ?? "it takes \(words.joined(separator: " or "))")
  }
}
