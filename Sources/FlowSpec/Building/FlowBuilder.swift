import Expressions
import JSONSyntax

/// Builds a flow from its document and the documents of its services.
struct FlowBuilder {
  let document: Declaration
  private let steps: [(id: String, site: Site)]
  private var readers: ParticipantReader
  private(set) var findings: Findings
  private let references: References
  private var carried: Set<String> = []
  private var named: [String: Site] = [:]
  private var spans: [Duration] = [.zero]
  /// Models that were built, each once, since participants may share one, and with what: lets, what is declared and used.
  private var models: [(model: ServiceModel, builder: MachineBuilder)] = []
  private var modelsByPath: [ScalarString: Int] = [:]
  private var app: MachineBuilder?

  init(_ document: Declaration, _ findings: Findings) {
    self.document = document
    steps = document["source"]?["refs"].entries.map { ($0.name, $0.nameSite) } ?? []
    let isUnread = document.isDamaged || document["source"]?.isDeeplyDamaged == true
    references = References(
      flow: document["flow"]?.string ?? "", known: isUnread ? nil : steps.map(\.id), isShared: false)
    readers = ParticipantReader(document, findings, references)
    self.findings = readers.compilation.findings
    spans += readers.compilation.noted.flatMap(\.expression.facts.spans)
  }

  /// The participants that are services, with their declarations.
  var services: [Declaration.Entry] { readers.services }

  /// `models` holds the declared model of each service, `nil` where it has none.
  mutating func flow(models declarations: [Declaration?], _ diagnosed: Findings) -> Flow {
    findings = diagnosed
    let surroundings = surroundings(ofModels: declarations)
    let models = declarations.map { $0.flatMap { model($0, surroundings) } }
    var builder = MachineBuilder(.app, document, readers.surroundings, findings, references)
    let redirects = readers.app?["redirectUris"].items ?? []
    let redirectURIs = redirects.compactMap { redirectURI($0, with: &builder) }
    var services = zip(readers.services, models).map { service($0, model: $1, with: &builder) }
    let app = builder.machine()
    finish(builder.compilation)
    for ledger in ([builder] + self.models.map(\.builder)).map(\.compilation.ledger) {
      for (service, name) in ledger.secretAnswers { services[service].hide(name) }
    }
    builder.compilation.ledger.merge(readers.compilation.ledger)
    let links = readers.surroundings.links.compactMap { link in
      link.pattern.map { text, origin, path in
        LinkPattern(
          name: link.name, text: text, origin: origin, segments: path.segments,
          event: builder.eventIndices["link.\(link.name)"])
      }
    }
    let flow = Flow(
      name: document["flow"]?.string ?? "", title: document["title"]?.string ?? document["flow"]?.string ?? "",
      document: document.site.document, steps: steps, participants: readers.surroundings.participants, app: app,
      services: services, redirectURIs: redirectURIs, links: links, capabilities: readers.surroundings.capabilities,
      screenTitles: screenTitles, spans: Set(spans).sorted(), carriedRefs: carried, namedRefs: named,
      overrules: findings.overrules)
    self.app = builder
    return flow
  }

  /// The machines of the flow that was built: the app's, and each model's once.
  mutating func examined(_ flow: Flow) -> [Examined] {
    var all = app.map { [Examined($0, flow.app, flow: flow, model: nil, service: nil)] } ?? []
    // They were built in the order of the services.
    var rest = flow.services.indices[...]
    for (model, builder) in models {
      guard let index = rest.first(where: { flow.services[$0].model === model }) else { continue }
      rest = rest[(index + 1)...]
      all.append(Examined(builder, model.machine, flow: flow, model: model, service: index))
    }
    return all
  }

  private var screenTitles: [String: String] {
    document["screens"].entries.reduce(into: [:]) { $0[$1.name] = $1.value["title"]?.string }
  }

  private mutating func finish(_ compilation: Compilation) {
    findings = compilation.findings
    carried.formUnion(compilation.references.carried)
    named.merge(compilation.references.named) { first, _ in first }
    for placed in compilation.noted { spans += placed.expression.facts.spans }
  }

  private func surroundings(ofModels all: [Declaration?]) -> Surroundings {
    var surroundings = readers.surroundings
    surroundings.unreadPeer = all.indices.first { readers.services[$0].value.has("model") && all[$0] == nil }
    surroundings.peers = all.enumerated().compactMap { index, peer in
      peer?["service"]?.string.map { ($0, index) }
    }
    // What has no document to be named by is named as the flow does; it can be live only.
    var named = Set(surroundings.peers.map(\.name))
    for (index, entry) in readers.services.enumerated() where !entry.value.has("model") {
      if named.insert(entry.name).inserted { surroundings.peers.append((entry.name, index)) }
    }
    return surroundings
  }

  private mutating func model(_ declaration: Declaration, _ surroundings: Surroundings) -> ServiceModel? {
    let path = declaration.site.document.path
    if let built = modelsByPath[ScalarString(path)] { return models[built].model }
    let references = References(flow: references.flow, known: references.known, isShared: true)
    var builder = MachineBuilder(.service, declaration, surroundings, findings, references)
    let model = builder.model()
    finish(builder.compilation)
    modelsByPath[ScalarString(path)] = models.count
    models.append((model, builder))
    return model
  }

  private func service(_ entry: Declaration.Entry, model: ServiceModel?, with builder: inout MachineBuilder) -> Service
  {
    let settings = builder.base.readingOnly(["config"])
    let kept = builder.base.readingOnly(["config", "store", "memory"])
    let own = entry.value["secrets"].items.compactMap { SecretName($0.string ?? "") }
    let listed = model?.secrets ?? []
    return Service(
      participant: readers.surroundings.participants.firstIndex { $0.name == entry.name } ?? 0,
      url: url(entry.value["url"], with: &builder, in: settings),
      origins: entry.value["origins"].items.compactMap { url($0, with: &builder, in: kept) },
      secrets: listed + own.filter { !listed.contains($0) }, model: model)
  }
}
