import Expressions
import FlowEngine
import FlowSpec
import JSONSyntax

/// What a person does, as `--answer` and `--answers` give it.
enum Answers {
  /// In order: those of the command line, or those of the file.
  static func read(_ invocation: Invocation, for flow: Flow) throws(Failure) -> [Scenario.Step] {
    let given = invocation.values(.answer)
    guard let file = invocation.value(.answers) else {
      var steps: [Scenario.Step] = []
      for (index, answer) in given.enumerated() { steps += try step(answer, number: index + 1, for: flow) }
      return steps
    }
    guard given.isEmpty else {
      throw Failure(
        .usage, "--answer and --answers are given both",
        help: "put it into the file: {\"event\": \"user.acts\", \"with\": {…}}")
    }
    var documents = Documents(named: [file])
    if try documents.kind(of: file) == .scenario {
      let command = "flowrun \(quoted(invocation.operands[0])) --scenario \(quoted(file))"
      throw Failure(
        .usage, "\(file) is a scenario, and --answers takes the list of steps alone",
        help: "\(command) runs it; for --answers, put its \"script\" into a file")
    }
    let steps = try script(at: file, for: flow, &documents, wrong: .invalidDocument)
    if Files.isOpenToOthers(file), let secret = steps.lazy.compactMap({ $0.secretField(of: flow) }).first {
      throw .openToOthers(file, because: "\"\(secret)\" is secret")
    }
    return steps
  }

  /// Nothing makes a real server do what its model would do.
  static func refuseFaults(of live: [String], in steps: [Scenario.Step], for flow: Flow) throws(Failure) {
    for step in steps {
      guard case .fault(let fault) = step.kind, case .route(let service, _, _) = fault.target else { continue }
      let name = flow.participants[flow.services[service].participant].name
      guard live.contains(name) else { continue }
      throw Failure(.usage, "a fault cannot strike \"\(name)\", which is live", diagnostics: [.faultOfLive(step)])
    }
  }

  /// `EVENT`, `EVENT={fields}`, or a step in the words of a script.
  private static func step(_ answer: String, number: Int, for flow: Flow) throws(Failure) -> [Scenario.Step] {
    let parts = answer.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if !answer.hasPrefix("{"), parts[0].contains("{") {
      throw Failure(.usage, "--answer, number \(number), has no \"=\" before its fields", help: "write EVENT={…}")
    }
    var event = JSONWriter()
    event.string(String(parts[0]))
    let name = String(decoding: event.bytes, as: UTF8.self)
    let text =
      answer.hasPrefix("{")
      ? "[\(answer)]" : parts.count == 1 ? "[{\"event\": \(name)}]" : "[{\"event\": \(name), \"with\": \(parts[1])}]"
    let path = "--answer, number \(number)"
    // Told without what stands there: nobody typed all of it.
    guard (try? JSONParser.parse(Array(text.utf8), as: .document)) != nil else {
      throw Failure(.usage, "\(path), is no JSON", help: "write EVENT, EVENT={\"FIELD\": …} or a step of a script")
    }
    var document = Typed(bytes: Array(text.utf8))
    let steps = try script(at: path, for: flow, &document, wrong: .usage)
    guard steps.count == 1 else {
      throw Failure(.usage, "\(path), says more than one thing", help: "give each of them an --answer of its own")
    }
    return steps
  }

  /// `code` is what mistakes in it are: a document has them, or the command line.
  private static func script(
    at path: String, for flow: Flow, _ reader: inout some DocumentReader, wrong code: ExitCode
  ) throws(Failure) -> [Scenario.Step] {
    let checked = Loading.script(at: path, for: flow, reader: &reader)
    guard let steps = checked.value else { throw .invalid(path, checked.diagnostics, code) }
    for step in steps {
      guard case .kill(_?) = step.kind else { continue }
      throw .invalid(path, [.killNotInScenario(step)], code)
    }
    return steps
  }
}

extension Scenario.Step {
  /// The first secret that it fills in: a field of an event or of what the device gives, or one of a form that a service
  /// calls so; `nil` for none.
  fileprivate func secretField(of flow: Flow) -> String? {
    switch kind {
    case .event(_, let fields): return fields.first { $0.declared?.secret != nil }?.name
    case .submit(_, let fields):
      let secrets = Set(flow.services.flatMap(\.secrets).filter { [nil, .form].contains($0.part) }.map(\.name))
      return fields.first { $0.declared?.secret != nil || secrets.contains($0.name) }?.name
    case .fault(let fault):
      guard case .result(let fields) = fault.effect else { return nil }
      return fields.first { $0.declared?.secret != nil }?.name
    case .arrive(let address): return flow.secretBrought(by: address.template.source)
    default: return nil
    }
  }
}

/// What stands on the command line, as a document.
private struct Typed: DocumentReader {
  let bytes: [UInt8]

  mutating func read(_ path: String) -> [UInt8]? { bytes }
}

extension Diagnostic {
  fileprivate static func killNotInScenario(_ step: Scenario.Step) -> Diagnostic {
    Diagnostic(
      "wrong-step", "only a scenario says between which durable writes a kill strikes", at: step.site, "not here",
      help: "write {\"kill\": true}")
  }

  fileprivate static func faultOfLive(_ step: Scenario.Step) -> Diagnostic {
    Diagnostic(
      "wrong-step", "only what is simulated goes wrong when it is told to", at: step.site, "asks a live service",
      help: "leave it out, or let the service be simulated")
  }
}
