import Expressions

/// What the app hears and tells: events, emits, screens.
extension MachineBuilder {
  mutating func readSignals() {
    for entry in document["events"].entries { declareEvent(entry) }
    for entry in document["emits"].entries {
      compilation.ledger.declare(.emit, entry.name, at: entry.nameSite)
      let lacksType = entry.value.entries.contains { !$0.value.has("type") && !$0.value.has("one of") }
      if lacksType || entry.value.isDeeplyDamaged { broken.insert("emits.\(entry.name)") }
      emitIndices[entry.name] = emits.count
      emits.append(
        ObjectType(title: entry.name, fields: compilation.fields(entry.value.entries, title: "").fields))
    }
    for entry in document["screens"].entries {
      compilation.ledger.declare(.screen, entry.name, at: entry.nameSite)
      screens[entry.name] = compilation.fields(entry.value["fields"].entries, title: "screen \(entry.name)")
    }
  }

  private mutating func declareEvent(_ entry: Declaration.Entry) {
    guard let kind = eventKind(entry.name, at: entry.nameSite) else {
      refusedEvents.insert(entry.name)
      return
    }
    compilation.ledger.declare(.event, entry.name, at: entry.nameSite)
    if entry.value.isDeeplyDamaged { broken.insert(entry.name) }
    let fields = entry.value["fields"].entries
    if let first = fields.first, [.browserClosed, .deviceOnline, .deviceOffline].contains(kind) {
      compilation.findings.error(
        "wrong-field", "\"\(entry.name)\" has no fields", at: first.nameSite, "never has a value",
        help: "only events of a person, \"browser.redirected\" and \"link.…\" have fields")
    }
    if kind == .link { checkFilled(by: entry.name, fields.map(\.name)) }
    if [.link, .browserRedirected].contains(kind) {
      compilation.refuseParts(in: fields, of: "an address", readAs: "event")
    }
    eventIndices[entry.name] = events.count
    let type = compilation.fields(fields, title: "event \(entry.name)")
    events.append(
      Event(
        name: entry.name, title: entry.value["title"]?.string, kind: kind, fields: type,
        examples: zip(fields, type.fields).map { example($0.value, of: $1) }, refs: compilation.refs(of: entry.value),
        site: entry.nameSite))
  }

  /// A variable of a link's address that its event does not declare is lost; fields beside them come in the query.
  private mutating func checkFilled(by name: String, _ fields: [String]) {
    guard let link = surroundings.link(ofEvent: name) else { return }
    for variable in link.variables ?? [] where !fields.contains(variable) {
      let nearest = nearestName(to: variable, among: fields.filter { link.variables?.contains($0) != true })
      compilation.findings.warning(
        "unread-variable", "event \(name) has no field \"\(variable)\", which this address fills", at: link.site,
        "\"{\(variable)}\" is lost",
        help: nearest.map { "did you mean \"{\($0)}\"?" } ?? "add \"\(variable)\" to the fields of the event")
    }
  }

  /// What an automatic run uses for a field; in a form it is typed, and what takes any JSON takes no list and no object.
  mutating func example(
    _ declaration: Declaration, of field: ObjectType.Field, isTyped: Bool = false
  ) -> ValueTemplate? {
    guard let example = declaration["example"] else { return nil }
    var destined = Destined(
      title: "example", type: field.type, allowed: field.allowed, isSecret: field.secret != nil)
    destined.isTyped = isTyped && field.type == .dyn
    return compilation.value(example.node, in: example.site.document, into: destined, standing: base)
  }

  /// The index of the event that `on` or a scenario names; those that need no declaration are made when first named.
  mutating func event(_ name: String, at site: Site) -> Int? {
    if name == "browser.redirected" { needRedirects(at: site) }
    compilation.ledger.use(.event, name)
    if let index = eventIndices[name] { return index }
    // It has been told of there.
    if refusedEvents.contains(name) { return nil }
    guard let kind = eventKind(name, at: site) else { return nil }
    var fields: [ObjectType.Field] = []
    if kind == .person {
      compilation.unknown(
        "event", name, at: site, among: events.map(\.name),
        "\"\(name)\" is not declared under \"events\"")
      return nil
    }
    if kind == .link, let link = surroundings.link(ofEvent: name) {
      fields = (link.variables ?? []).map { ObjectType.Field(name: $0, type: .string) }
    }
    eventIndices[name] = events.count
    events.append(
      Event(
        name: name, title: nil, kind: kind, fields: ObjectType(title: "event \(name)", fields: fields),
        examples: fields.map { _ in nil }, refs: [], site: site))
    return events.count - 1
  }

  private mutating func eventKind(_ name: String, at site: Site) -> Event.Kind? {
    let known: [(String, Event.Kind, needs: Participant.Kind)] = [
      ("browser.redirected", .browserRedirected, .browser), ("browser.closed", .browserClosed, .browser),
      ("device.online", .deviceOnline, .device), ("device.offline", .deviceOffline, .device),
    ]
    if let found = known.first(where: { $0.0 == name }) {
      need(found.needs, for: "\"\(name)\"", at: site)
      return found.1
    }
    let lane = String(name.prefix { $0 != "." })
    if name.count > lane.count + 1 {
      if lane == "link" { return linkEvent(name, at: site) }
      if surroundings.participants.contains(where: { $0.name == lane && $0.kind == .person }) { return .person }
    }
    let persons = surroundings.participants.filter { $0.kind == .person }
    let people = persons.map(\.name)
    if isNobodys(name, of: lane, among: people) {
      guard missing.insert("\(lane).").inserted else { return nil }
      compilation.unknownPerson(name, of: lane, at: site, among: persons)
      return nil
    }
    let meant = nearestName(to: lane, among: people).map { "did you mean \"\($0)\(name.dropFirst(lane.count))\"?" }
    if let whole = event(withoutLane: name, among: known.map(\.0)) {
      compilation.unknown(
        "event", name, at: site, among: [], "\"\(name)\" is no event", help: "did you mean \"\(whole)\"?")
      return nil
    }
    compilation.unknown(
      "event", name, at: site, among: events.map(\.name) + known.map(\.0),
      "\"\(name)\" is no event",
      help: meant
        ?? "events are \((people.map { "\($0).…" } + ["link.…"] + known.map(\.0)).listed)")
    return nil
  }

  /// The declared event, or one that needs no declaration, that has this name behind the dot.
  private func event(withoutLane name: String, among known: [String]) -> String? {
    guard !name.contains(".") else { return nil }
    let all = document["events"].entries.map(\.name).filter { $0.contains(".") } + known
    let bare = all.map { String($0.drop { $0 != "." }.dropFirst()) }
    return (bare.firstIndex(of: name) ?? nearestName(to: name, among: bare).flatMap(bare.firstIndex)).map { all[$0] }
  }

  /// Whether the person is misspelt or missing, and not the event: nothing that is declared is anybody's to do.
  private mutating func isNobodys(_ name: String, of lane: String, among people: [String]) -> Bool {
    let lanes = lanes
    return !compilation.isBlind && name.count > lane.count + 1 && people.allSatisfy { !lanes.contains($0) }
      && lanes.contains(lane) && nearestName(to: lane, among: ["browser", "device", "link"]) == nil
  }

  private mutating func needRedirects(at site: Site) {
    guard !surroundings.takesRedirects, missing.insert("redirectUris").inserted else { return }
    compilation.findings.error(
      "missing-redirect-uri", "\"browser.redirected\" never happens: the app has no \"redirectUris\"", at: site,
      "nothing leads here", help: "add \"redirectUris\" to the app: the addresses at which the browser returns to it")
  }

  private mutating func linkEvent(_ name: String, at site: Site) -> Event.Kind? {
    let link = String(name.dropFirst("link.".count))
    compilation.ledger.use(.link, link)
    if surroundings.link(ofEvent: name) != nil { return .link }
    compilation.unknown(
      "link", link, at: site, among: surroundings.links.map(\.name),
      "\"\(name)\" names a link that the app does not declare", help: "add it to \"links\" of the app")
    return nil
  }

  /// Reports that a built-in participant is used and not there, once for each.
  mutating func need(_ kind: Participant.Kind, for user: String, at site: Site) {
    guard !compilation.isBlind, !surroundings.has(kind), missing.insert(kind.rawValue).inserted else { return }
    compilation.findings.error(
      "missing-participant", "\(user) needs a participant of kind \"\(kind.rawValue)\"", at: site,
      "there is no \(kind.rawValue)",
      help: "add \"\(kind.rawValue)\": {\"kind\": \"\(kind.rawValue)\"} to \"participants\"")
  }
}

extension Compilation {
  /// Told once for all events of a person.
  fileprivate mutating func unknownPerson(_ event: String, of lane: String, at site: Site, among persons: [Participant])
  {
    let meant = nearestName(to: lane, among: persons.map(\.name)).flatMap { name in persons.first { $0.name == name } }
    findings.error(
      "unknown-event", "\"\(event)\" is no event: no person is called \"\(lane)\"", at: site, "nobody does this",
      help: meant.map { "call the person \"\(lane)\", or the events \"\($0.name).…\"" }
        ?? "add \"\(lane)\": {\"kind\": \"person\"} to \"participants\"",
      related: meant.map { ($0.site, "the person is called so") })
  }
}
