import Expressions
import JSONSyntax

/// What loading gave: the value when nothing was wrong enough to stop it, and everything that was found.
package struct Checked<Value: Sendable>: Sendable {
  /// `nil` exactly when `diagnostics` holds an error.
  package let value: Value?
  private let findings: Findings
  /// Finds the rest, none of which is an error.
  private let rest: @Sendable (inout Findings) -> Void

  /// By document and position; worked out anew for whoever asks.
  package var diagnostics: [Diagnostic] {
    var findings = findings
    rest(&findings)
    return findings.sorted
  }

  init(_ value: Value?, _ findings: Findings, rest: @escaping @Sendable (inout Findings) -> Void = { _ in }) {
    self.value = findings.hasErrors ? nil : value
    (self.findings, self.rest) = (findings, rest)
  }
}

/// The kinds of documents that authors write; each names itself in the member of this name.
package enum DocumentKind: String, Sendable, CaseIterable {
  case flow, service, scenario
}

/// From text to what is checked: text → tree → declarations → model → checks.
package enum Loading {
  /// Loads a flow with the models of its services, whose paths are relative to the flow's folder.
  package static func flow(at path: String, reader: inout some DocumentReader) -> Checked<Flow> {
    var findings = Findings()
    guard let declaration = declaration(at: path, as: .object(.flow), reader: &reader, &findings) else {
      return Checked(nil, findings)
    }
    var builder = FlowBuilder(declaration, findings)
    findings = builder.findings
    var known: [ScalarString: Declaration] = [:]
    let document = declaration.site.document
    let beside = [document.bytes] + document.beside
    let models = builder.services.map { model(of: $0, in: path, beside, reader: &reader, &known, &findings) }
    let flow = builder.flow(models: models, findings)
    findings = builder.findings
    var judged = findings
    let examinations = builder.examined(flow).map { Examination($0, &judged) }
    // What the flow was made from is held along, for whoever will not wait until it is taken apart.
    return Checked(judged.hasErrors ? nil : flow, findings) { [builder] findings in
      withExtendedLifetime(builder) {}
      for examination in examinations { examination.report(to: &findings) }
      findings.reportUnusedOverrules()
    }
  }

  /// Checks a service document by itself; names of other services are taken on trust.
  package static func service(at path: String, reader: inout some DocumentReader) -> Checked<ServiceModel> {
    var findings = Findings()
    guard let declaration = declaration(at: path, as: .object(.service), reader: &reader, &findings) else {
      return Checked(nil, findings)
    }
    var surroundings = Surroundings()
    surroundings.isAlone = true
    let references = References(flow: nil, known: [], isShared: true)
    var builder = MachineBuilder(.service, declaration, surroundings, findings, references)
    let model = builder.model()
    findings = builder.compilation.findings
    var judged = findings
    let examined = Examined(builder, model.machine, flow: nil, model: model, service: nil)
    Examination(examined, &judged).report(to: &findings)
    findings.reportUnusedOverrules(
      except: ["unanswered-request", "loop-without-wait", "secret-over-http", "unset-key", "secret-shown"])
    return Checked(model, findings)
  }

  /// Loads a scenario and resolves its names against the flow it is for.
  package static func scenario(
    at path: String, for flow: Flow, reader: inout some DocumentReader
  ) -> Checked<Scenario> {
    built(at: path, as: .object(.scenario), for: flow, reader: &reader) { $0.scenario() }
  }

  /// Finds what is wrong with the shape of a scenario, where its flow has errors and nothing else can be told of it.
  package static func shape(
    ofScenarioAt path: String, forFlowAt flow: String, reader: inout some DocumentReader
  ) -> Checked<Void> {
    var findings = Findings()
    let bytes = reader.read(flow) ?? []
    let root = try? JSONParser.parse(bytes, as: .document)
    let beside = [bytes] + models(of: bytes, root, at: flow, reader: &reader)
    _ = declaration(at: path, as: .object(.scenario), beside: beside, reader: &reader, &findings)
    return Checked((), findings)
  }

  /// Loads what a person does in the words of a scenario's script: a JSON array of its steps.
  package static func script(
    at path: String, for flow: Flow, reader: inout some DocumentReader
  ) -> Checked<[Scenario.Step]> {
    built(at: path, as: .list(.object(.step)), for: flow, reader: &reader) { builder in
      builder.document.items.compactMap { builder.step($0) }
    }
  }

  private static func built<Value>(
    at path: String, as shape: Shape, for flow: Flow, reader: inout some DocumentReader,
    _ build: (inout ScenarioBuilder) -> Value
  ) -> Checked<Value> {
    var findings = Findings()
    let beside = [flow.document.bytes] + flow.document.beside
    guard let declaration = declaration(at: path, as: shape, beside: beside, reader: &reader, &findings) else {
      return Checked(nil, findings)
    }
    var builder = ScenarioBuilder(declaration, flow, findings)
    let value = build(&builder)
    return Checked(value, builder.compilation.findings)
  }

  /// What a document is, by the member that names it; `nil` when it has none, or is no JSON object.
  package static func kind(of bytes: [UInt8]) -> DocumentKind? {
    guard let root = try? JSONParser.parse(bytes, as: .document), case .object(let members) = root.kind else {
      return nil
    }
    guard !isKeptStore(members.map(\.name)) else { return nil }
    return members.lazy.compactMap { DocumentKind(rawValue: $0.name) }.first
  }

  /// The document of a service's model, each read once.
  private static func model(
    of service: Declaration.Entry, in flow: String, _ beside: [[UInt8]], reader: inout some DocumentReader,
    _ known: inout [ScalarString: Declaration], _ findings: inout Findings
  ) -> Declaration? {
    guard let model = service.value["model"], let relative = model.string else { return nil }
    let path = reader.name(ofPath: folder(of: flow) + relative)
    // A file whose name has a composed letter is another than one whose name has it decomposed.
    if let read = known[ScalarString(path)] { return read }
    let declaration = declaration(
      at: path, as: .object(.service), namedAt: model.site, beside: beside, reader: &reader, &findings)
    known[ScalarString(path)] = declaration
    return declaration
  }

  /// Reads a document and holds it against its shape: that of a kind, or a list that is the script.
  private static func declaration(
    at path: String, as shape: Shape, namedAt site: Site? = nil, beside: [[UInt8]]? = nil,
    reader: inout some DocumentReader, _ findings: inout Findings
  ) -> Declaration? {
    let kind: Kind? = if case .object(let kind) = shape { kind } else { nil }
    guard let bytes = reader.read(path) else {
      findings.add(absence(of: path, namedAt: site, reader))
      return nil
    }
    do throws(JSONSyntaxError) {
      let root = try JSONParser.parse(bytes, as: .document)
      let document = Document(
        path: path, bytes: bytes, beside: beside ?? models(of: bytes, root, at: path, reader: &reader))
      if let kind, let other = otherKind(of: root, than: kind) {
        findings.error(
          "wrong-document", "\(path) is a \(other.name), not a \(kind.rawValue)",
          at: site ?? Site(document: document, range: other.nameRange), "is a \(other.name)",
          help: kind == .scenario
            ? "give it a name with \"scenario\" in place of \"\(other.name)\", or keep it in another folder"
            : "name a document that begins with \"\(kind.rawValue)\"")
        return nil
      }
      var grammarian = DeclarationReader(document: document, findings: findings)
      let declaration = grammarian.read(document: root, as: shape, named: kind?.grammar.title ?? "the script")
      findings = grammarian.findings
      if let kind, let declaration { checkName(of: declaration, as: kind, in: &findings) }
      if let format = declaration?["format"], let number = format.whole, number != 1 {
        findings.error(
          "unknown-format", "format \(number) is not known", at: format.site, "this flowrun reads format 1",
          help: "use a newer flowrun, or write \"format\": 1 if the document needs nothing newer")
      }
      return declaration
    } catch {
      let document = Document(
        path: path, bytes: bytes, beside: beside ?? models(of: bytes, nil, at: path, reader: &reader))
      if let site, leadsElsewhere(path, from: site.document.path) {
        // What is no document need not be ours to show.
        findings.error("no-document", "\(path) is no JSON document", at: site, "leads out of the flow's folder")
      } else {
        var found = error.diagnostic(in: document)
        if error.code == "empty-document", let kind { found.help = help(forNothingWhere: kind) }
        findings.add(found)
      }
      return nil
    }
  }

  /// What is written where there is nothing: what is read as a flow may be meant as any document.
  private static func help(forNothingWhere kind: Kind) -> String {
    let kinds = kind == .flow ? DocumentKind.allCases.map(\.rawValue) : [kind.rawValue]
    return "write " + kinds.map { "{\"\($0)\": …}" }.joined(separator: " or ")
  }

  /// Whether a path that a document names leads out of the folder where that document is.
  private static func leadsElsewhere(_ path: String, from document: String) -> Bool {
    let folder = folder(of: document)
    guard path.hasPrefix(folder) else { return true }
    let relative = path.dropFirst(folder.count)
    return relative.hasPrefix("/") || relative.split(separator: "/").contains("..")
  }

  /// Flows and services are found by their files, and told of by their names.
  ///
  /// Of scenarios see `misorder`; a pipe has no name to be found by.
  private static func checkName(of declaration: Declaration, as kind: Kind, in findings: inout Findings) {
    guard [.flow, .service].contains(kind), let named = declaration[kind.rawValue], let name = named.string,
      !name.isEmpty, named.site.document.path.hasSuffix(".json"), name != named.site.document.stem
    else { return }
    findings.warning(
      "misnamed-\(kind.rawValue)",
      "the \(kind.rawValue) is called \"\(name)\", its file \"\(named.site.document.stem).json\"", at: named.site,
      "not the file's name", help: "call both alike: people look for it by its name")
  }

  /// The documents that another names as models; `root` is `nil` where that is no JSON.
  private static func models(
    of bytes: [UInt8], _ root: JSONNode?, at path: String, reader: inout some DocumentReader
  ) -> [[UInt8]] {
    var named: [String] = []
    if let root {
      root.collectModels(into: &named)
    } else {
      let text = LooseText(bytes)
      named = text.nodes.filter { $0.kind == .string && text.name(of: $0) == "model" }.map { text.text($0.range) }
    }
    var (models, missing) = ([[UInt8]](), String?.none)
    for path in named.map({ reader.name(ofPath: folder(of: path) + $0) }) {
      if let model = reader.read(path) { models.append(model) } else { missing = missing ?? path }
    }
    guard let missing else { return models }
    // One of these may have been meant, and what it calls secret is: in a folder where models are, or beside it.
    let name = missing.dropFirst(folder(of: missing).count)
    let usual = ["services/", ""].map { folder(of: path) + $0 + name }.filter { reader.neighbours(of: $0).contains($0) }
    for path in usual + reader.neighbours(of: missing).prefix(20) where models.joined().count < 1 << 20 {
      models += [reader.read(path)].compactMap(\.self)
    }
    return models
  }

  /// The member by which a document says that it is of another kind than its place needs.
  private static func otherKind(of root: JSONNode, than kind: Kind) -> JSONMember? {
    guard case .object(let members) = root.kind, !members.contains(where: { $0.name == kind.rawValue }) else {
      return nil
    }
    return members.first { DocumentKind(rawValue: $0.name) != nil && $0.name != kind.rawValue }
  }

  /// The name of a file without its folder and its ending.
  static func stem(of path: String) -> String {
    let name = path.dropFirst(folder(of: path).count)
    return String(name.hasSuffix(".json") ? name.dropLast(5) : name)
  }

  /// The folder of a path, with its slash; empty for none.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }
}

extension JSONNode {
  /// What stands under the name `model`, wherever that is.
  fileprivate func collectModels(into named: inout [String]) {
    switch kind {
    case .array(let elements): for element in elements { element.collectModels(into: &named) }
    case .object(let members):
      for member in members {
        if case .string(let text) = member.value.kind {
          if member.name.hasPrefix("model") { named.append(text) }
        } else {
          member.value.collectModels(into: &named)
        }
      }
    case .null, .bool, .int, .double, .string, .wholeNumberTooLarge: break
    }
  }
}

extension JSONSyntaxError {
  func diagnostic(in document: Document) -> Diagnostic {
    Diagnostic(
      code, message, at: Site(document: document, range: range), label, help: help,
      related: related.map { (Site(document: document, range: $0.range), $0.label) })
  }
}
