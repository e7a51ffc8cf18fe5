import Expressions

/// Reads a flow's participants and what they declare, before any machine is built.
struct ParticipantReader: Sendable {
  let document: Declaration
  var compilation: Compilation
  private(set) var surroundings = Surroundings()
  /// The declarations of the services, in participant order.
  private(set) var services: [Declaration.Entry] = []
  private(set) var app: Declaration?

  init(_ document: Declaration, _ findings: Findings, _ references: References) {
    self.document = document
    surroundings.isBlind = document.hidesNames
    compilation = Compilation(document, findings, references)
    for entry in document["participants"].entries { read(entry) }
    checkKinds()
    app = document["participants"].entries.first { $0.value.kind == .app }?.value
    if let app, !app.isDeeplyDamaged { surroundings.takesRedirects = !app["redirectUris"].items.isEmpty }
    for entry in app?["links"].entries ?? [] { readLink(entry) }
    readCapabilities()
  }

  private mutating func read(_ entry: Declaration.Entry) {
    guard let word = entry.value["kind"]?.string ?? entry.value.kind?.rawValue else { return }
    let kind = word == Kind.peer.rawValue ? .service : Participant.Kind(rawValue: word) ?? .person
    if kind == .service {
      if !entry.value.has("url"), !entry.value.has("model"), !entry.value.isDamaged {
        compilation.findings.error(
          "missing-member", "a service needs \"url\", \"model\" or both", at: entry.nameSite,
          "neither real nor simulated",
          help: "add \"model\" with the path of a service document, or \"url\" with its address")
      }
      surroundings.peers.append((entry.name, services.count))
      services.append(entry)
    }
    surroundings.participants.append(
      Participant(name: entry.name, title: entry.value["title"]?.string ?? entry.name, kind: kind, site: entry.nameSite)
    )
  }

  private mutating func checkKinds() {
    guard let declaration = document["participants"] else { return }
    for kind in [Participant.Kind.app, .browser, .inbox, .device] {
      let lanes = surroundings.participants.filter { $0.kind == kind }
      if kind == .app, lanes.isEmpty, !compilation.isBlind {
        compilation.findings.error(
          "missing-participant", "a flow has a participant of kind \"app\"", at: declaration.site.start,
          "there is no app",
          help: "add \"app\": {\"kind\": \"app\"}")
      }
      guard lanes.count > 1 else { continue }
      compilation.findings.error(
        "duplicate-participant", "there is one participant of kind \"\(kind.rawValue)\" at most", at: lanes[1].site,
        "one too many", help: "remove one of them", related: (lanes[0].site, "the first"))
    }
  }

  private mutating func readLink(_ entry: Declaration.Entry) {
    compilation.ledger.declare(.link, entry.name, at: entry.nameSite)
    var link = Surroundings.Link(name: entry.name, site: entry.value.site)
    defer { surroundings.add(link) }
    guard let text = entry.value.string else { return }
    guard let (origin, path) = Self.split(text), let pattern = PathPattern(path) else {
      compilation.findings.error(
        "wrong-link", "\"\(text)\" is no pattern of a URL", at: entry.value.site, "not understood",
        help: text.contains("?")
          ? "leave out what begins with \"?\": what an address has there comes as fields of the link's event by itself"
          : text.pathHelp ?? text.variableHelp
            ?? "write an origin and a path with at most one variable in a segment: \"https://example.com/welcome/{token}\""
      )
      return
    }
    link.pattern = (text, origin, pattern)
  }

  /// Scheme, host and port; and the path; `nil` where it has no scheme or path, or a port that is no number.
  static func split(_ text: String) -> (origin: String, path: String)? {
    guard let colon = text.firstIndex(of: ":"), isScheme(text[..<colon]) else { return nil }
    let rest = text[text.index(after: colon)...]
    guard rest.hasPrefix("//") else {
      return rest.hasPrefix("/") ? (String(text[...colon]), String(rest)) : nil
    }
    let slash = rest.dropFirst(2).firstIndex(of: "/") ?? text.endIndex
    guard hasOnePort(rest[..<slash].dropFirst(2).utf8) else { return nil }
    return (String(text[..<slash]), slash == text.endIndex ? "/" : String(text[slash...]))
  }

  /// What the app can ask of the device, in declared order.
  private mutating func readCapabilities() {
    let device = document["participants"].entries.first { $0.value["kind"]?.string == "device" }
    guard let device, device.value.kind == .device else { return }
    for entry in device.value["capabilities"].entries {
      compilation.ledger.declare(.capability, entry.name, at: entry.nameSite)
      if entry.value.isDeeplyDamaged { surroundings.brokenCapabilities.insert(entry.name) }
      surroundings.capabilities.append(capability(entry))
    }
  }

  private mutating func capability(_ entry: Declaration.Entry) -> Capability {
    let input = compilation.fields(entry.value["input"].entries, title: "input of \(entry.name)")
    let result = compilation.fields(entry.value["result"].entries, title: "result of \(entry.name)")
    let standing = Standing(scope: Scope(variables: [], elsewhere: Standing.elsewhere))
      .reading("input", .object(input), .input)
    var example: [ValueTemplate] = Array(repeating: .literal(.null), count: result.fields.count)
    let given = entry.value.isDeeplyDamaged ? [] : entry.value["example"].entries
    for (field, value) in compilation.values(of: given, for: result, standing: standing) {
      example[field] = value.value
    }
    return Capability(
      name: entry.name, title: entry.value["title"]?.string ?? entry.name, input: input, result: result,
      example: example, failures: entry.value["failures"].items.compactMap(\.string))
  }
}

extension Site {
  /// The first character, which stands for something long.
  var start: Site { Site(document: document, range: range.lowerBound..<(range.lowerBound + 1)) }
}
