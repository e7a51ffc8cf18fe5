import Expressions
import JSONSyntax

/// Builds a scenario from its document, with its names resolved against a flow.
struct ScenarioBuilder: Sendable {
  let document: Declaration
  let flow: Flow
  var compilation: Compilation
  /// Values are templates over `config` and `now`.
  let standing: Standing
  private let configType: ObjectType
  /// Each is worked out once, however many steps ask for it.
  lazy var offers = Offers(of: flow.services.compactMap(\.model))
  lazy var eventIndices = Dictionary(zip(flow.app.events.map(\.name), flow.app.events.indices)) { first, _ in first }

  init(_ document: Declaration, _ flow: Flow, _ findings: Findings) {
    (self.document, self.flow) = (document, flow)
    let references = References(
      flow: flow.name, known: flow.steps.map(\.id), isShared: false)
    compilation = Compilation(document, findings, references)
    configType = ObjectType(title: "config", fields: flow.app.config.map(\.field))
    let names = ["store", "memory", "device"] + Standing.elsewhere.keys
    let sentence = "the values of a scenario read only \"config\" and \"now\""
    standing = Standing(
      scope: Scope(
        variables: [
          Scope.Variable(name: "config", type: .object(configType), root: Root.config.rawValue),
          Scope.Variable(name: "now", type: .timestamp, root: Root.now.rawValue),
        ], elsewhere: Dictionary(uniqueKeysWithValues: names.map { ($0, sentence) })))
  }

  mutating func scenario() -> Scenario {
    compilation.checkRefs(of: document)
    let given = self.given(document["given"])
    let script = document["script"].map { $0.items.compactMap { step($0) } }
    let faults = document["faults"].items.compactMap { fault($0) }
    return Scenario(
      name: document["scenario"]?.string ?? "", nameSite: document["scenario"]?.site ?? document.site,
      title: document["title"]?.string, refs: compilation.refs(of: document), document: document.site.document,
      given: given, script: script, faults: faults, ends: ends(), readSettings: compilation.ledger.used(.config))
  }

  private mutating func ends() -> (name: String, site: Site)? {
    guard let declaration = document["ends"], let name = declaration.string else { return nil }
    let states = flow.app.states.filter { !$0.name.isEmpty }.map(\.name)
    let names = states + flow.app.routines[0].ends
    let isThere = compilation.index(
      of: name, "state", at: declaration.site, among: names, "\"ends\" names neither a state nor an end of the flow",
      entitled: flow.app.states.first { $0.title == name }?.name)
    return isThere.map { _ in (name, declaration.site) }
  }

  private mutating func given(_ declaration: Declaration?) -> Scenario.Given {
    let device = declaration?["device"]
    let now = declaration?["now"].flatMap { instant($0) }
    if let platform = device?["platform"] { _ = refusesTemplates(in: platform.node, of: platform.site.document) }
    return Scenario.Given(
      after: declaration?["after"]?.string, afterSite: declaration?["after"]?.site,
      store: assignments(declaration?["store"].entries ?? [], to: flow.app.store),
      config: (declaration?["config"].entries ?? []).compactMap { config($0) }, online: device?["online"]?.flag,
      native: device?["native"]?.flag, platform: device?["platform"]?.string, now: now,
      nowSite: declaration?["now"]?.site, services: (declaration?["services"].entries ?? []).compactMap { service($0) })
  }

  private mutating func instant(_ declaration: Declaration) -> Timestamp? {
    guard let text = declaration.string else { return nil }
    let value = compilation.literal(text, at: declaration.site, into: Destined(title: "now", type: .timestamp))
    if case .timestamp(let instant) = value { return instant }
    return nil
  }

  private mutating func config(_ entry: Declaration.Entry) -> (key: Int, value: Value)? {
    let keys = flow.app.config
    guard let index = configType.index(of: entry.name) else {
      compilation.unknown(
        "key", entry.name, at: entry.nameSite, among: keys.map(\.name),
        "\"\(entry.name)\" is no key of the flow's config")
      return nil
    }
    let document = entry.nameSite.document
    guard !refusesTemplates(in: entry.value.node, of: document) else { return nil }
    return compilation.setting(
      entry.value.node, in: document, into: Destined(keys[index].field), help: "leave it out for that of the flow"
    ).map { (index, $0) }
  }

  /// Config and device are what the run's templates read: none is worked out in them.
  private mutating func refusesTemplates(in node: JSONNode, of document: Document) -> Bool {
    switch node.kind {
    case .string(let text) where text.hasTemplate:
      compilation.findings.error(
        "not-allowed-here", "\"config\" and \"device\" of \"given\" take no templates",
        at: Site(document: document, range: node.range), "would stay as it is written", help: "give the value itself")
      return true
    case .array(let elements): return elements.contains { refusesTemplates(in: $0, of: document) }
    case .object(let members): return members.contains { refusesTemplates(in: $0.value, of: document) }
    default: return false
    }
  }

  private mutating func service(_ entry: Declaration.Entry) -> (service: Int, store: [Assignment])? {
    guard let index = serviceIndex(entry.name, at: entry.nameSite) else { return nil }
    guard let model = flow.services[index].model else {
      _ = missesModel(at: entry.nameSite, among: [index])
      return nil
    }
    return (index, assignments(entry.value.entries, to: model.machine.store))
  }

  /// Tells of the one service without a model, where something is named that no model has; `false` where there is no such
  /// service, or several.
  mutating func missesModel(at site: Site, among services: [Int]? = nil) -> Bool {
    let live = (services ?? Array(flow.services.indices)).filter { flow.services[$0].model == nil }
    guard live.count == 1 else { return false }
    let participant = flow.participants[flow.services[live[0]].participant]
    compilation.findings.error(
      "service-without-model", "\"\(participant.name)\" has no \"model\", and scenarios name what no model has",
      at: participant.site, "can only be live", help: "add \"model\", or leave out what needs it",
      related: (site, "needs a model"))
    return true
  }

  /// The service of a participant.
  mutating func serviceIndex(_ name: String, at site: Site) -> Int? {
    if let index = flow.services.firstIndex(where: { flow.participants[$0.participant].name == name }) { return index }
    compilation.unknown(
      "participant", name, at: site, among: flow.services.map { flow.participants[$0.participant].name },
      "\"\(name)\" is no participant of kind \"service\"")
    return nil
  }
}

extension ScenarioBuilder {
  /// What is stored at first: keys by name, rows by the members of an object.
  private mutating func assignments(_ entries: [Declaration.Entry], to keys: [Key]) -> [Assignment] {
    let store = ObjectType(title: "store", fields: keys.map(\.field))
    return entries.flatMap { entry -> [Assignment] in
      guard let index = store.index(of: entry.name) else {
        compilation.unknown(
          "key", entry.name, at: entry.nameSite, among: keys.map(\.name),
          "\"\(entry.name)\" is no key of the store",
          help: flow.app.memory.contains { $0.name == entry.name }
            ? "it is one of memory, which each launch begins anew: let the script set it" : nil)
        return []
      }
      if let row = keys[index].rowType { return rows(entry, of: keys[index], at: index, row) }
      let place = Place(keys[index], area: .store, key: index, row: nil, field: nil, site: entry.nameSite)
      return assignment(entry.value.node, to: place, Destined(keys[index].field)).map { [$0] } ?? []
    }
  }

  private mutating func rows(_ entry: Declaration.Entry, of key: Key, at index: Int, _ row: ObjectType)
    -> [Assignment]
  {
    guard case .object(let members) = entry.value.node.kind else {
      compilation.mismatch(
        Destined(title: "the table \"\(key.name)\"", type: key.field.type, isName: false), entry.value.node.description,
        at: entry.value.site)
      return []
    }
    return members.flatMap { member -> [Assignment] in
      let site = Site(document: entry.nameSite.document, range: member.nameRange)
      guard let name = compilation.template(member.name, at: site, in: standing) else { return [] }
      guard case .object(let fields) = member.value.kind else {
        compilation.mismatch(
          Destined(title: member.name, type: .object(row)), member.value.description,
          at: Site(document: site.document, range: member.value.range))
        return []
      }
      if fields.isEmpty {
        let whole = Place(key, area: .store, key: index, row: .template(name), field: nil, site: site)
        return [Assignment(place: whole, value: .object([]), site: site)]
      }
      return fields.compactMap { field(of: row, $0, key, index, name, in: site.document) }
    }
  }

  private mutating func field(
    of row: ObjectType, _ member: JSONMember, _ key: Key, _ index: Int, _ name: PlacedTemplate, in document: Document
  ) -> Assignment? {
    let site = Site(document: document, range: member.nameRange)
    guard let field = compilation.field(member.name, of: row, at: site) else { return nil }
    let place = Place(key, area: .store, key: index, row: .template(name), field: field, site: site)
    return assignment(member.value, to: place, Destined(row.fields[field]))
  }

  private mutating func assignment(_ node: JSONNode, to place: Place, _ destined: Destined) -> Assignment? {
    compilation.value(node, in: place.site.document, into: destined, standing: standing)
      .map { Assignment(place: place, value: $0, site: place.site) }
  }
}
