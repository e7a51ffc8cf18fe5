import Expressions

/// Builds a flow from its document and the documents of its services.
struct FlowBuilder {
  let document: Declaration
  let source: Source?
  private var readers: ParticipantReader
  private(set) var findings: Findings
  private let references: References
  private var carried: Set<String> = []
  private var spans: [Duration] = [.zero]
  /// Models that were built, each once: participants may share one.
  private var models: [ServiceModel] = []
  /// What each of them was built with: its lets, and what it declares and uses.
  private var builders: [MachineBuilder] = []
  private var app: BuiltApp?

  init(_ document: Declaration, _ findings: Findings) {
    self.document = document
    source = Source(document["source"])
    let isUnread = document.isDamaged || document["source"]?.isDeeplyDamaged == true
    references = References(
      flow: document["flow"]?.string ?? "", known: isUnread ? nil : source?.steps.map(\.id) ?? [], isShared: false)
    readers = ParticipantReader(document, findings, references)
    readers.readCapabilities()
    self.findings = readers.compilation.findings
    carried = readers.compilation.references.carried
    spans += readers.compilation.spans
  }

  /// The participants that are services, with their declarations.
  var services: [Declaration.Entry] { readers.services }

  /// `models` holds the declared model of each service, `nil` where it has none; `all` does things in any order.
  mutating func flow(
    models declarations: [Declaration?], _ diagnosed: Findings, all: ([@Sendable () -> Built]) -> [Built]
  ) -> Flow {
    findings = diagnosed
    for built in all(builds(declarations)) { take(built) }
    guard let app else { preconditionFailure("The app's machine is one of them.") }
    var services = readers.services.indices.map { index in
      let path = declarations[index]?.site.document.path
      return service(at: index, model: path.flatMap { path in models.first { $0.document.path == path } }, app)
    }
    for ledger in ([app.builder] + builders).map(\.compilation.ledger) {
      for (service, name) in ledger.secretAnswers { services[service].hide(name) }
    }
    self.app?.builder.compilation.ledger.merge(readers.compilation.ledger)
    let links = readers.links.map { link in
      LinkPattern(
        name: link.name, origin: link.origin, segments: link.segments,
        event: app.machine.events.firstIndex { $0.name == "link.\(link.name)" })
    }
    return Flow(
      name: document["flow"]?.string ?? "", title: document["title"]?.string ?? document["flow"]?.string ?? "",
      document: document.site.document, source: source, participants: readers.participants, app: app.machine,
      services: services, redirectURIs: app.redirectURIs, links: links, capabilities: readers.surroundings.capabilities,
      screenTitles: screenTitles, spans: sortedSpans, carriedRefs: carried)
  }

  /// The machines of the flow that was built: the app's, and each model's once.
  mutating func examined(_ flow: Flow) -> [Examined] {
    var all = app.map { [Examined($0.builder, flow.app, flow: flow, model: nil, service: nil)] } ?? []
    for (index, service) in flow.services.enumerated() {
      guard let model = service.model, let place = models.firstIndex(where: { $0 === model }),
        !flow.services[..<index].contains(where: { $0.model === model })
      else { continue }
      all.append(Examined(builders[place], model.machine, flow: flow, model: model, service: index))
    }
    return all
  }

  /// Each once.
  private var sortedSpans: [Duration] {
    var sorted: [Duration] = []
    for span in spans.sorted() where span != sorted.last { sorted.append(span) }
    return sorted
  }

  private var screenTitles: [String: String] {
    document["screens"].entries.reduce(into: [:]) { $0[$1.name] = $1.value["title"]?.string }
  }

  private var appDeclaration: Declaration? {
    document["participants"].entries.first { $0.value.kind == .app }?.value
  }

  private mutating func take(_ built: Built) {
    let compilation = built.builder.compilation
    findings.take(compilation.findings)
    carried.formUnion(compilation.references.carried)
    spans += compilation.spans
    switch built {
    case .app(let built): app = built
    case .model(let model, let builder):
      models.append(model)
      builders.append(builder)
    }
  }

  /// The machines, which need nothing of one another: the models', each once, and the app's.
  private func builds(_ declarations: [Declaration?]) -> [@Sendable () -> Built] {
    let surroundings = surroundings(declarations)
    let references = References(flow: references.flow, known: references.known, isShared: true)
    var known: [Declaration] = []
    for case let declaration? in declarations
    where !known.contains(where: { $0.site.document.path == declaration.site.document.path }) {
      known.append(declaration)
    }
    let models = known.map { declaration -> @Sendable () -> Built in
      { [findings] in
        var builder = ServiceBuilder(declaration, surroundings, findings, references)
        let model = builder.model()
        return .model(model, builder.machine)
      }
    }
    return models + [{ [self] in .app(builtApp()) }]
  }

  /// What the models can name beyond their own documents.
  private func surroundings(_ declarations: [Declaration?]) -> Surroundings {
    var surroundings = readers.surroundings
    surroundings.unreadPeer = declarations.indices.first {
      readers.services[$0].value.has("model") && declarations[$0] == nil
    }
    surroundings.peers = declarations.enumerated().compactMap { index, peer in
      peer?["service"]?.string.map { ($0, index) }
    }
    // What has no document to be named by is named as the flow does; it can be live only.
    for (index, entry) in readers.services.enumerated() where !entry.value.has("model") {
      guard !surroundings.peers.contains(where: { $0.name == entry.name }) else { continue }
      surroundings.peers.append((entry.name, index))
    }
    return surroundings
  }

  private func builtApp() -> BuiltApp {
    var builder = MachineBuilder(.app, document, readers.surroundings, findings, references)
    let redirects = appDeclaration?["redirectUris"].items ?? []
    let settings = builder.base.readingOnly(["config"])
    let redirectURIs = redirects.compactMap { builder.compilation.template($0, in: settings) }
    let kept = builder.base.readingOnly(["config", "store", "memory"])
    let addresses = readers.services.map { entry in
      BuiltApp.Addresses(
        url: url(entry.value["url"], with: &builder, in: settings),
        origins: entry.value["origins"].items.compactMap { url($0, with: &builder, in: kept) })
    }
    let machine = builder.machine()
    return BuiltApp(builder: builder, machine: machine, redirectURIs: redirectURIs, addresses: addresses)
  }

  private func service(at index: Int, model: ServiceModel?, _ app: BuiltApp) -> Service {
    let entry = readers.services[index]
    let own = entry.value["secrets"].items.compactMap { SecretName($0.string ?? "") }
    let listed = model?.secrets ?? []
    return Service(
      participant: readers.participants.firstIndex { $0.name == entry.name } ?? 0, url: app.addresses[index].url,
      origins: app.addresses[index].origins, secrets: listed + own.filter { !listed.contains($0) }, model: model)
  }
}

extension Source {
  init?(_ declaration: Declaration?) {
    guard let declaration else { return nil }
    let steps = declaration["refs"].entries.map { Step(id: $0.name, text: $0.value.string ?? "", site: $0.nameSite) }
    self.init(title: declaration["title"]?.string ?? "", steps: steps)
  }
}

extension SecretName {
  /// `code`, or with its place: `query.code`.
  init(_ text: String) {
    if let dot = text.firstIndex(of: "."), let part = Part(rawValue: String(text[..<dot])) {
      self.init(name: String(text[text.index(after: dot)...]), part: part)
    } else {
      self.init(name: text, part: nil)
    }
  }
}
