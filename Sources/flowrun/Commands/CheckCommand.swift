import FlowSpec
import JSONSyntax

/// What `flowrun check [PATH…]` does.
enum CheckCommand {
  @Sendable static func perform(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    let isJSON = invocation.has(.jsonFindings)
    let workspace: Workspace
    do throws(Failure) { workspace = try Workspace(invocation.operands) } catch {
      if isJSON { try console.write(DiagnosticRenderer.json(of: [Diagnostic(error, at: invocation.operands.first)])) }
      throw error
    }
    let found = findings(in: workspace)
    if isJSON {
      try console.write(
        DiagnosticRenderer.json(of: found.diagnostics + found.unreadable.map { Diagnostic($0.failure, at: $0.path) }))
    } else {
      try console.write(console.renderer(.out).text(of: found.diagnostics))
      try console.write(summary(of: found, workspace) + "\n")
    }
    for (_, failure) in found.unreadable { console.report(failure) }
    // What cannot be read is graver than what is wrong.
    let grave: [Diagnostic.Severity] = invocation.has(.strict) ? [.error, .warning] : [.error]
    return found.unreadable.first?.failure.code
      ?? (found.diagnostics.contains { grave.contains($0.severity) } ? .invalidDocument : .done)
  }

  /// Flow by flow with what belongs to it.
  private static func findings(in workspace: Workspace) -> CheckFindings {
    var found = CheckFindings(workspace)
    for files in workspace.flows { found.look(at: files) }
    for path in workspace.services { found.look(atServiceAt: path, isWhole: workspace.knowsFlows(ofServiceAt: path)) }
    // Of what a flow names as its model the flow has said what is wrong.
    let read = Set(found.diagnostics.flatMap(\.labels).map { ScalarString($0.site.document.path) })
    for path in workspace.others where !read.contains(ScalarString(path)) {
      found.add(found.documents.strangeness(of: path))
    }
    for (flow, paths) in workspace.strays.sorted(by: { $0.key < $1.key }) {
      let bytes = found.documents.read(paths[0]) ?? []
      let site = Site(document: Document(path: paths[0], bytes: bytes), range: 0..<min(1, bytes.count))
      let words = found.documents.astray(paths, of: flow)
      found.add([
        Diagnostic("scenario-without-flow", words.message, at: site, "belongs to no flow", help: words.help)
      ])
    }
    for path in workspace.passedOver { found.add([.passedOver(path)]) }
    return found
  }

  private static func summary(of found: CheckFindings, _ workspace: Workspace) -> String {
    let scenarios = workspace.flows.map(\.scenarios.count).reduce(workspace.strays.values.joined().count, +)
    let place =
      "\(counted(workspace.flows.count, "flow")), \(counted(found.services.count, "service")), "
      + counted(scenarios, "scenario")
    let counts = [Diagnostic.Severity.error, .warning, .remark].map { severity in
      (severity, found.diagnostics.filter { $0.severity == severity }.count)
    }
    var problems = counts.filter { $0.1 > 0 }.map { counted($0.1, $0.0.rawValue) }
    if !found.unreadable.isEmpty { problems.append("\(found.unreadable.count) unreadable") }
    let isClean = counts[0].1 + counts[1].1 + found.unreadable.count == 0
    return ((isClean ? ["no problems"] : []) + problems).joined(separator: ", ") + " in \(place)"
  }
}

/// What is found, each once, though several flows share a service.
private struct CheckFindings {
  var documents: Documents
  private(set) var diagnostics: [Diagnostic] = []
  /// Those that were looked at, models of the flows included.
  private(set) var services: Set<ScalarString>
  /// With their paths, or those of the documents that name them; `nil` where it is a folder of scenarios.
  private(set) var unreadable: [(path: String?, failure: Failure)] = []
  private var seen: Set<Diagnostic> = []
  /// The names of the flows that have a document as a model, by where that is.
  private var flowsByModel: [ScalarString: [String]] = [:]
  /// Whether all flows were read: one with errors may name any model.
  private var isComplete = true

  init(_ workspace: Workspace) {
    (documents, services) = (workspace.documents, Set(workspace.services.map(ScalarString.init)))
    for (path, failure) in workspace.unreadable { note(failure, at: path) }
  }

  mutating func add(_ found: [Diagnostic]) {
    for diagnostic in found {
      // A shared service is read with each flow: what helps may name the flow, and what has to do with it a scenario.
      var told = diagnostic
      told.help = nil
      told.labels.removeLast(max(0, told.labels.count - 1))
      if seen.insert(told).inserted { diagnostics.append(diagnostic) }
    }
  }

  private mutating func note(_ failure: Failure, at path: String? = nil) {
    let message = ScalarString(failure.message)
    if !unreadable.contains(where: { ScalarString($0.failure.message) == message }) {
      unreadable.append((path, failure))
    }
  }

  private mutating func loaded<Value>(
    _ path: String, _ load: (inout Documents) -> Checked<Value>
  ) -> Checked<Value>? {
    do throws(Failure) { return try documents.loaded(load) } catch { note(error, at: path) }
    return nil
  }

  /// A flow with its scenarios.
  mutating func look(at files: Workspace.Flow) {
    guard let checked = loaded(files.path, { Loading.flow(at: files.path, reader: &$0) }) else {
      isComplete = false
      return
    }
    guard let flow = checked.value else {
      isComplete = false
      services.formUnion(documents.servicesOfLastLoad().map(ScalarString.init))
      let hasScenarios = !files.isWhole || !files.scenarios.isEmpty
      add(hasScenarios ? Loading.diagnosticsWithoutScenarios(checked.diagnostics) : checked.diagnostics)
      for path in files.scenarios {
        add(loaded(path) { Loading.shape(ofScenarioAt: path, forFlowAt: files.path, reader: &$0) }?.diagnostics ?? [])
      }
      return
    }
    let models = Set(flow.services.compactMap { $0.model.map { ScalarString($0.document.path) } })
    services.formUnion(models)
    for model in models {
      flowsByModel[ScalarString(Files.real(model.string)), default: []].append(flow.name)
    }
    let read = files.scenarios.compactMap { path in loaded(path) { Loading.scenario(at: path, for: flow, reader: &$0) }
    }
    let scenarios = read.compactMap(\.value)
    // One that cannot be read, or is not meant, may give what the others do not.
    let areAll = files.isWhole && scenarios.count == files.scenarios.count
    let found = areAll ? checked.diagnostics : Loading.diagnosticsWithoutScenarios(checked.diagnostics)
    add(Loading.diagnostics(found, of: flow, given: scenarios))
    for scenario in read { add(scenario.diagnostics) }
    do throws(Failure) { add(try misorder(of: scenarios, in: files, for: flow)) } catch { note(error) }
    // A broken scenario may be what carries a step.
    if areAll {
      add(Loading.unusedRefs(of: flow, scenarios: scenarios))
    }
  }

  /// A service by itself; where it is whole, all flows that may name it have been looked at.
  mutating func look(atServiceAt path: String, isWhole: Bool) {
    let checked = Loading.service(at: path, reader: &documents)
    add(checked.diagnostics)
    guard isWhole, isComplete, unreadable.isEmpty, let model = checked.value else { return }
    guard let flows = flowsByModel[ScalarString(Files.real(path))] else { return add([.unusedService(model)]) }
    add(Loading.strayRefs(of: model, flows: flows))
  }

  /// How some scenarios of a flow start from each other and from those that are not looked at.
  private mutating func misorder(
    of scenarios: [Scenario], in files: Workspace.Flow, for flow: Flow
  ) throws(Failure) -> [Diagnostic] {
    let folder = ScenarioFolder(flow: files.path)
    var all = scenarios
    let known = Set(files.scenarios.map(Paths.name))
    let names = try folder.scenarios
    for path in names.map(folder.path(of:)) where !known.contains(Paths.name(of: path)) {
      if let other = Loading.scenario(at: path, for: flow, reader: &documents).value { all.append(other) }
    }
    let looked = Set(files.scenarios)
    return Loading.misorder(of: all, among: names).filter { diagnostic in
      diagnostic.labels.contains { looked.contains($0.site.document.path) }
    }
  }
}

extension Diagnostic {
  fileprivate static func unusedService(_ model: ServiceModel) -> Diagnostic {
    let site = Site(document: model.document, range: 0..<min(1, model.document.bytes.count))
    return Diagnostic(
      "unused-service", severity: .remark, "no flow that was checked has \"\(model.name)\" as a model", at: site,
      "unused", help: "name it as the \"model\" of a participant, or remove it if no flow elsewhere does")
  }

  /// A file that its author takes for a document, as some systems name them.
  fileprivate static func passedOver(_ path: String) -> Diagnostic {
    let name = Paths.name(of: path)
    let right = ScenarioFolder.documentName(for: name) ?? name
    let reason = name.hasSuffix(".json") ? "begins with a dot" : "does not end in \".json\""
    return Diagnostic(
      code: "misnamed-document", severity: .warning, message: "\(path) is not looked at, since its name \(reason)",
      help: Files.kind(of: Paths.joined(Paths.folder(of: path), right)) == nil
        ? "rename it to \(right), or otherwise if it is none"
        : "\(right) stands beside it: remove this one, or rename it if it is something else")
  }

  /// What machines are told of what cannot be read.
  fileprivate init(_ failure: Failure, at path: String?) {
    let site = path.map { Site(document: Document(path: $0, bytes: []), range: 0..<0) }
    self.init(
      code: "unreadable-document", message: failure.message, labels: site.map { [Label(site: $0, text: "")] } ?? [],
      help: failure.help)
  }
}
