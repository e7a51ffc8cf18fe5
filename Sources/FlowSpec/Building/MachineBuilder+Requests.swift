import Expressions

extension MachineBuilder {
  mutating func request(_ declaration: Declaration, standing: Standing) -> RequestSpec? {
    let methods = ["get", "post", "put", "patch", "delete"]
    let to = destination(declaration.entry("to"))
    guard let line = methods.lazy.compactMap({ declaration.entry($0) }).first else { return nil }
    let path = path(line.value, standing: standing)
    let headers = compilation.headers(declaration["headers"], standing: standing)
    let bearer = compilation.template(declaration["bearer"], in: standing)
    checkAuthorization(declaration)
    let body = compilation.body(of: declaration, standing: standing)
    let retry = declaration["retry"].map { self.retry($0, standing: standing.readingResponse(of: to)) }
    let query = compilation.scalars(declaration["query"], standing: standing)
    guard let to, let path else { return nil }
    return RequestSpec(
      to: to, method: line.name.uppercased(), path: path, query: query, headers: headers, bearer: bearer, body: body,
      timeout: timeout(declaration["timeout"]), retry: retry, site: declaration.site)
  }

  /// How long a try waits for its answer: 30 s unless the author says otherwise.
  private mutating func timeout(_ declaration: Declaration?) -> Duration {
    guard let declaration, let timeout = declaration.duration else { return .seconds(30) }
    if timeout <= .zero {
      compilation.findings.error(
        "wrong-duration", "a \"timeout\" must be longer than nothing", at: declaration.site, "no answer comes in time",
        help: "30s is what a request waits without one")
    }
    return timeout
  }

  /// The service that `to` names.
  mutating func destination(_ entry: Declaration.Entry?) -> Destination? {
    guard let entry, let name = entry.value.string else { return nil }
    if let peer = surroundings.peers.first(where: { $0.name == name }) { return peer.service }
    if surroundings.isAlone {
      guard name.isEmpty else { return 0 }
      compilation.unknown("participant", name, at: entry.value.site, among: [], "\"to\" names nobody")
      return nil
    }
    let names = surroundings.peers.map(\.name)
    guard purpose == .app else {
      if let unread = surroundings.unreadPeer { return unread }
      if surroundings.isBlind { return nil }
      missingPeer(name, at: entry.value.site, among: names)
      return nil
    }
    let other = surroundings.participants.first { $0.name == name }
    compilation.unknown(
      "participant", name, at: entry.value.site, among: names,
      other != nil
        ? "\"to\" names \"\(name)\", which is no participant of kind \"service\""
        : "\"to\" names the service \"\(name)\", which is no participant",
      other.map { "is of kind \"\($0.kind.rawValue)\"" })
    return nil
  }

  /// A service document names another: the flow's participants have to bring it in.
  private mutating func missingPeer(_ name: String, at site: Site, among names: [String]) {
    let lanes = surroundings.participants.filter { $0.kind == .service }
    let own = lanes.firstIndex { $0.name == name }
    let service = surroundings.peers.first { $0.service == own }
    let named = service?.name ?? nearestName(to: name, among: names)
    let peer = surroundings.peers.first { $0.name == named }
    let label = (peer.map { lanes[$0.service] } ?? surroundings.participants.last).map {
      Diagnostic.Label(site: $0.site, text: peer.map { "its service is \"\($0.name)\"" } ?? "none of these is it")
    }
    compilation.findings.add(
      Diagnostic(
        code: "unknown-participant", message: "no participant of the flow has a model whose \"service\" is \"\(name)\"",
        labels: [Diagnostic.Label(site: site, text: "no service has this name")] + (label.map { [$0] } ?? []),
        help: service.map { "participant \"\(name)\" has the service \"\($0.name)\": write that" }
          ?? named.map { "did you mean \"\($0)\"?" } ?? "add a participant with the \"model\" of that service"))
  }

  mutating func path(_ declaration: Declaration, standing: Standing) -> PathTemplate? {
    guard let text = declaration.string else { return nil }
    if text.hasPrefix("${") { return compilation.address(declaration, in: standing).map { .url($0) } }
    let isPath = text.hasPrefix("/") && !text.literalText.utf8.contains { "?# ".utf8.contains($0) }
    let isAddress = ["https://", "http://"].contains(where: text.hasPrefix)
    let help =
      isAddress
      ? "the address is the \"url\" of the participant that \"to\" names; here stands what follows it, from \"/\" on"
      : "a path begins with \"/\"; what follows \"?\" stands in \"query\"; a blank is \"%20\""
    if let help = isPath ? text.pathHelp : help {
      compilation.findings.error("wrong-path", "this is no path", at: declaration.site, "not a path", help: help)
      return nil
    }
    let pieces = text.segments
    refuseVariables(in: pieces, at: declaration.site)
    let segments = pieces.map {
      compilation.template($0.text, at: declaration.site, offset: $0.offset, in: standing)?.decoded
    }
    let found = segments.compactMap { $0 }
    return found.count == segments.count ? .segments(found) : nil
  }

  /// `{id}` and `:id` are how routes and other tools write a variable; in a path that is sent they are text.
  private mutating func refuseVariables(in segments: [(text: String, offset: Int)], at site: Site) {
    for segment in segments where segment.text.utf8.contains(where: { "{}:".utf8.contains($0) }) {
      let text = segment.text.literalText
      guard text.utf8.contains(where: { "{}".utf8.contains($0) }) || text.utf8.first == UInt8(ascii: ":") else {
        continue
      }
      var name = text.filter { !"{}:$".contains($0) }
      if name.isEmpty { name = "id" }
      if !name.contains(".") { name = "memory.\(name)" }
      compilation.findings.error(
        "wrong-path", "\"\(segment.text)\" is plain text in a path that is sent",
        at: site.inside(segment.offset..<(segment.offset + segment.text.utf8.count)), "not a variable",
        help: "write ${…} with an expression, such as \"${\(name)}\"")
      return
    }
  }

  private mutating func checkAuthorization(_ declaration: Declaration) {
    if let bearer = declaration["bearer"], let text = bearer.string, text.lowercased().hasPrefix("bearer ") {
      compilation.findings.error(
        "wrong-bearer", "\"bearer\" takes the token alone", at: bearer.site, "the word \"Bearer\" is put before it",
        help: "leave out \"Bearer \"")
    }
    refuseHeader("authorization", beside: "bearer", in: declaration)
  }

  /// A header that says the same thing as a member.
  mutating func refuseHeader(_ name: String, beside member: String, in declaration: Declaration) {
    guard let entry = declaration.entry(member),
      let header = declaration["headers"].entries.first(where: { $0.name.lowercased() == name })
    else { return }
    compilation.findings.error(
      "conflicting-members", "\"\(member)\" and \(name.withArticle) header cannot stand together",
      at: header.nameSite, "one too many", help: "remove the one that is not meant",
      related: (entry.nameSite, "sets it already"))
  }

  private mutating func retry(_ declaration: Declaration, standing: Standing) -> Retry {
    refuseMisplaced(in: declaration)
    let when = declaration["when"].flatMap { condition($0, standing: standing) }
    let actions = actions(declaration["do"], standing: standing.testing(when))
    let call = purpose == .app ? declaration["call"].flatMap { routine($0) } : nil
    let most = declaration["most"]?.whole ?? 1
    let factor = declaration["factor"]?.number ?? 1
    for (name, number, help) in [
      ("most", Double(most), most < 1 ? "where nothing is tried again leave \"retry\" out" : nil),
      ("factor", factor, "with 1 each wait is as long as the first, with 2 twice as long as the one before"),
    ] where !(1...1000).contains(number) {
      guard let site = declaration[name]?.site else { continue }
      compilation.findings.error(
        "wrong-number", "\"\(name)\" is from 1 to 1000", at: site, "out of range", help: help)
    }
    if let factor = declaration.entry("factor"), !declaration.has("wait"), !declaration.isDamaged {
      compilation.findings.error(
        "missing-member", "\"factor\" multiplies \"wait\", and there is none", at: factor.nameSite,
        "has nothing to multiply", help: "add \"wait\", such as \"wait\": \"1s\"")
    }
    return Retry(
      when: when, most: Int(clamping: most), wait: declaration["wait"]?.duration ?? .zero, factor: factor,
      actions: actions, call: call, refs: compilation.refs(of: declaration))
  }

  /// What a state asks of the device, and what its `next` can read of it.
  mutating func perform(_ declaration: Declaration, standing: Standing) -> (PerformSpec, ObjectType)? {
    let name = declaration.string ?? (declaration.kind == .perform ? declaration["capability"]?.string : nil)
    let site = declaration.kind == .perform ? declaration["capability"]?.site : declaration.site
    guard let name, let site else { return nil }
    compilation.ledger.use(.capability, name)
    guard let index = surroundings.capabilities.firstIndex(where: { $0.name == name }) else {
      need(.device, for: "\"perform\"", at: site)
      compilation.unknown(
        "capability", name, at: site, among: surroundings.capabilities.map(\.name),
        "\"perform\" names the capability \"\(name)\", which the device does not declare")
      return nil
    }
    if surroundings.brokenCapabilities.contains(name) { return nil }
    let capability = surroundings.capabilities[index]
    var results = capability.result.fields
    for index in results.indices where results[index].type.isScalar { results[index].isNullable = true }
    results.append(ObjectType.Field(name: "failure", type: .string, allowed: capability.failures))
    let with = declaration.kind == .perform ? declaration.entry("with") : nil
    let given = Declaration.Entry(
      name: name, nameSite: site,
      value: with?.value ?? Declaration(node: declaration.node, site: site, content: .map([]), isDamaged: false))
    let input = fields(given, of: capability.input, standing: standing)
    let spec = PerformSpec(capability: index, input: input ?? [])
    return (spec, ObjectType(title: "result", fields: results))
  }
}
