import Expressions
import FlowSpec
import JSONSyntax

/// What `flowrun check [PATH…]` does.
enum CheckCommand {
  @Sendable static func perform(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    let workspace = try Workspace(invocation.operands)
    if let failure = workspace.unreadable.first?.failure { throw failure }
    let (diagnostics, services) = try findings(in: workspace)
    if invocation.has(.jsonFindings) {
      try console.write(DiagnosticRenderer.json(of: diagnostics))
    } else {
      try console.write(console.renderer(.out).text(of: diagnostics))
      try console.write(summary(of: diagnostics, workspace, services: services) + "\n")
    }
    return diagnostics.contains { $0.severity == .error } ? .invalidDocument : .done
  }

  /// Flow by flow with what belongs to it; each finding once, though several flows share a service.
  ///
  /// With the number of services that were looked at, models of the flows included.
  private static func findings(in workspace: Workspace) throws(Failure) -> (found: [Diagnostic], services: Int) {
    var documents = workspace.documents
    var services = Set(workspace.services)
    var found: [Diagnostic] = []
    var seen: Set<Diagnostic> = []
    func add(_ diagnostics: [Diagnostic]) {
      for diagnostic in diagnostics {
        // A shared service is read with each flow, and what helps may name the flow.
        var told = diagnostic
        told.help = nil
        if seen.insert(told).inserted { found.append(diagnostic) }
      }
    }
    for files in workspace.flows {
      let checked = Loading.flow(at: files.path, reader: &documents)
      guard let flow = checked.value else {
        add(checked.diagnostics)
        continue
      }
      services.formUnion(flow.services.compactMap { $0.model?.document.path })
      let loaded = files.scenarios.map { Loading.scenario(at: $0, for: flow, reader: &documents) }
      let scenarios = loaded.compactMap(\.value)
      add(Loading.diagnostics(checked.diagnostics, of: flow, given: scenarios))
      for scenario in loaded { add(scenario.diagnostics) }
      // A broken scenario may be what another starts from, or what carries a step.
      guard scenarios.count == files.scenarios.count else { continue }
      if files.isWhole {
        add(Loading.misorder(of: scenarios))
        add(Loading.unusedRefs(of: flow, scenarios: scenarios))
      } else {
        add(try misorder(of: scenarios, in: files, for: flow, &documents))
      }
    }
    for path in workspace.services { add(Loading.service(at: path, reader: &documents).diagnostics) }
    // Of what a flow names as its model the flow has said what is wrong.
    let read = Set(found.flatMap(\.labels).map(\.site.document.path))
    for path in workspace.others where !read.contains(path) { add(Loading.stranger(at: path, reader: &documents)) }
    for path in workspace.strays { add([.stray(path, bytes: documents.read(path) ?? [])]) }
    if let failure = documents.unreadable { throw failure }
    return (found, services.count)
  }

  /// How some scenarios of a flow start from each other and from those that are not looked at.
  private static func misorder(
    of scenarios: [Scenario], in files: Workspace.Flow, for flow: Flow, _ documents: inout Documents
  ) throws(Failure) -> [Diagnostic] {
    let folder = ScenarioFolder(flow: files.path)
    var all = scenarios
    for path in try folder.scenarios.map(folder.path(of:)) where !files.scenarios.contains(path) {
      if let other = Loading.scenario(at: path, for: flow, reader: &documents).value { all.append(other) }
    }
    return Loading.misorder(of: all).filter { diagnostic in
      diagnostic.labels.contains { files.scenarios.contains($0.site.document.path) }
    }
  }

  private static func summary(of diagnostics: [Diagnostic], _ workspace: Workspace, services: Int) -> String {
    let scenarios = workspace.flows.map(\.scenarios.count).reduce(workspace.strays.count, +)
    let place =
      "\(counted(workspace.flows.count, "flow")), \(counted(services, "service")), "
      + counted(scenarios, "scenario")
    let counts = [Diagnostic.Severity.error, .warning, .remark].map { severity in
      (severity, diagnostics.filter { $0.severity == severity }.count)
    }
    let problems = counts.filter { $0.1 > 0 }.map { counted($0.1, $0.0.rawValue) }
    let isClean = counts[0].1 + counts[1].1 == 0
    return ((isClean ? ["no problems"] : []) + problems).joined(separator: ", ") + " in \(place)"
  }
}

extension Loading {
  /// What is wrong with a JSON file that is none of our documents.
  fileprivate static func stranger(at path: String, reader: inout Documents) -> [Diagnostic] {
    let bytes = reader.read(path) ?? []
    guard let root = try? JSONParser.parse(bytes, as: .document) else {
      return flow(at: path, reader: &reader).diagnostics
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

  fileprivate static func stray(_ path: String, bytes: [UInt8]) -> Diagnostic {
    let document = Document(path: path, bytes: bytes)
    let flow = ScenarioFolder.flow(ofScenarioAt: path)
    return Diagnostic(
      "scenario-without-flow", "There is no flow \(flow) for this scenario",
      at: Site(document: document, range: 0..<min(1, bytes.count)), "belongs to no flow",
      help: "a scenario stands in the folder that is named like its flow")
  }
}
