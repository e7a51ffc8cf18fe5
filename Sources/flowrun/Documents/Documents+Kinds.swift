import Expressions
import FlowEngine
import FlowSpec
import JSONSyntax

extension Documents {
  /// Throws where something stands at a path that is no flow; `done` is what a flow would be.
  mutating func refuseOther(than path: String, toBe done: LoadedFlow.Use) throws(Failure) {
    if Files.kind(of: path) == .folder { throw .folder(path, with: firstFlow(in: path), toBe: done) }
    let wanted = "only a flow can be \(done.rawValue)"
    if let scenario = ScenarioFolder.scenario(ofGoldenAt: path) {
      let flow = ScenarioFolder.flow(ofScenarioAt: scenario)
      throw Failure(
        .usage, "\(path) is a golden trace; \(wanted)",
        help: ScenarioFolder.hasFlow(scenario) ? done.command(with: flow, scenario) ?? done.command(with: flow) : nil)
    }
    switch try kind(of: path) {
    case .service:
      throw Failure(.usage, "\(path) is a service; \(wanted)", help: "flowrun check \(quoted(path)) looks at it")
    case .scenario:
      let flow = ScenarioFolder.flow(ofScenarioAt: path)
      let command = done.command(with: flow, path)
      throw Failure(
        .usage, "\(path) is a scenario; \(command == nil ? wanted : "it is \(done.rawValue) with its flow")",
        help: ScenarioFolder.hasFlow(path) ? command ?? done.command(with: flow) : astray([path], of: flow).help)
    case nil where try isKeptStore(path):
      throw Failure(.usage, "\(path) is a store that a run has kept; \(wanted)")
    case nil where isTrace(path):
      throw Failure(.usage, "\(path) is a trace; \(wanted)", help: Self.whatDraws(path))
    case .flow, nil: break
    }
  }

  /// What is wrong with the scenarios of one folder whose flow is not there, and what to do about it.
  mutating func astray(_ paths: [String], of flow: String) -> (message: String, help: String) {
    let what = paths.count == 1 ? "this scenario" : "the \(paths.count) scenarios of this folder"
    let flows = neighbours(of: paths[0]).filter { (try? kind(of: $0)) == .flow }
    if flows.isEmpty {
      let likely = likelyFlow(for: flow)
      let help = likely.map { "did you mean \($0)? A scenario stands in \(ScenarioFolder(flow: $0).path)/" }
      return ("There is no flow \(flow) for \(what)", help ?? ScenarioFolder.help)
    }
    let folders = flows.map { ScenarioFolder(flow: $0).path + "/" }
    return (
      paths.count == 1
        ? "This scenario lies beside the flows, not in the folder of one"
        : "\(paths.count) scenarios lie beside the flows, not in the folder of one",
      "a scenario stands in the folder that is named like its flow: move it into "
        + (folders.count == 1 ? folders[0] : "one of \(folders.listed)")
    )
  }

  /// The first flow of a folder, by the names of the files.
  private mutating func firstFlow(in folder: String) -> String? {
    let paths = ((try? Files.names(in: folder)) ?? []).map { Paths.joined(Paths.plain(folder), $0) }
    return paths.first { $0.hasSuffix(".json") && Files.kind(of: $0) == .file && (try? kind(of: $0)) == .flow }
  }

  private mutating func isTrace(_ path: String) -> Bool {
    guard path.hasSuffix(".jsonl"), let header = read(path)?.prefix(while: { $0 != UInt8(ascii: "\n") }) else {
      return false
    }
    return (try? Trace(reading: Array(header))) != nil
  }

  /// Whether each line of a file is one of a trace of that flow.
  mutating func isTrace(_ path: String, of flow: String) -> Bool {
    read(path).flatMap { try? Trace(reading: $0) }?.header.flow == flow
  }

  private static func whatDraws(_ path: String) -> String { "flowrun draw \(quoted(path)) draws it" }

  /// What is wrong with a JSON file that is none of our documents.
  mutating func strangeness(of path: String) -> [Diagnostic] {
    let bytes = read(path) ?? []
    if isTrace(path) {
      let site = Site(document: Document(path: path, bytes: bytes), range: 0..<1)
      return [
        Diagnostic(
          "unknown-document", "This document is the trace of a run: it is neither checked nor tested", at: site,
          "a trace", help: Self.whatDraws(path))
      ]
    }
    guard let root = try? JSONParser.parse(bytes, as: .document) else {
      return Loading.flow(at: path, reader: &self).diagnostics
    }
    return [.unknownDocument(root, Document(path: path, bytes: bytes))]
  }
}

extension Diagnostic {
  fileprivate static func unknownDocument(_ root: JSONNode, _ document: Document) -> Diagnostic {
    let kinds = DocumentKind.allCases.map(\.rawValue)
    var place = root.range.lowerBound..<min(root.range.lowerBound + 1, document.bytes.count)
    var help = "a member names what it is: \(kinds.map { "\"\($0)\"" }.joined(separator: ", "))"
    if case .object(let members) = root.kind {
      for member in members {
        guard let nearest = nearestName(to: member.name, among: kinds) else { continue }
        (place, help) = (member.nameRange, "did you mean \"\(nearest)\"?")
        break
      }
    }
    return Diagnostic(
      "unknown-document", "This document is neither a flow nor a service nor a scenario",
      at: Site(document: document, range: place), "of no kind", help: help)
  }
}
