import Expressions

extension Check {
  /// Requests, pages, redirects and mailed links that no route of the model answers.
  static let unansweredRequests: @Sendable (Examined) -> [Diagnostic] = { examined in
    var sent: [Diagnostic] = []
    // More than are told need not be put into words.
    for visit in examined.visits where sent.count < Findings.most {
      guard case .segments(let path) = visit.path, let model = examined.model(for: visit), !model.hasBrokenRoutes,
        visit.methods.allSatisfy({ model.route($0, path) == nil })
      else { continue }
      sent.append(
        noRoute(visit.method, "/" + path.map(\.template.shape).joined(separator: "/"), model, at: visit.line))
    }
    let links = examined.actions.mails.flatMap(\.links).map { (["GET"], $0.uri, true) }
    let addresses = links + examined.visits.compactMap { visit in visit.uri.map { (visit.methods, $0, false) } }
    return sent
      + addresses.compactMap { methods, uri, isMailed in
        let found = methods.map { unanswered($0, at: uri, isMailed: isMailed, examined) }
        return found.contains { $0 == nil } ? nil : found[0]
      }
  }

  private static func noRoute(_ method: String, _ path: String, _ model: ServiceModel, at site: Site) -> Diagnostic {
    let nearest = nearestName(to: "\(method) \(path)", among: model.routes.lazy.map(\.shape)).flatMap { shape in
      model.routes.first { $0.shape == shape }
    }
    return Diagnostic(
      "unanswered-request", "the model \"\(model.name)\" has no route for this \(method)", at: site,
      "would be answered with 404",
      help: nearest.map { "did you mean \($0.line)?" }
        ?? "its routes are \(model.routes.map(\.line).listed)")
  }

  /// An address that is written out; behind an expression it may be anything.
  private static func unanswered(
    _ method: String, at uri: PlacedTemplate, isMailed: Bool, _ examined: Examined
  ) -> Diagnostic? {
    guard let flow = examined.flow else { return nil }
    let known = uri.template.known(with: examined.machine.config)
    let text = known.start.prefix { !"?#".contains($0) }
    let isWhole = known.isWhole || text.endIndex < known.start.endIndex
    func mayLead(to pattern: [PathPattern.Segment], below base: String) -> Bool {
      guard text.hasPrefix(base + "/") else { return false }
      let path = text.dropFirst(base.count).split(separator: "/").dropLast(isWhole || text.last == "/" ? 0 : 1)
      return (isWhole ? pattern.count == path.count : pattern.count >= path.count)
        && zip(pattern, path).allSatisfy { $0.matches(Text(String($1))) }
    }
    // As in a run the nearest base counts.
    let places = flow.services.flatMap { service in
      (service.origins + [service.url].compactMap(\.self)).map {
        (base: $0.template.known(with: flow.app.config), model: service.model)
      }
    }
    let place = places.filter { $0.base.isWhole && text.hasPrefix($0.base.start + "/") }
      .max { $0.base.start.count < $1.base.start.count }
    if isWhole, !isMailed, let strange = strangeRedirect(to: text, of: flow, at: uri.site) { return strange }
    let isAppLink = flow.links.contains { mayLead(to: $0.segments, below: $0.origin) }
    if isMailed, !isAppLink, place != nil, !flow.participants.contains(where: { $0.kind == .browser }) {
      return unopened(at: uri.site)
    }
    guard !text.contains("%"), !isAppLink,
      !flow.redirectURIs.contains(where: { $0.template.known(with: flow.app.config).start.hasPrefix(text) })
    else { return nil }
    if let place {
      guard let model = place.model, !model.hasBrokenRoutes,
        !model.routes.contains(where: { $0.method == method && mayLead(to: $0.path.segments, below: place.base.start) })
      else { return nil }
      return noRoute(method, String(text.dropFirst(place.base.start.count)), model, at: uri.site)
    }
    // A base that is not known, or not yet told apart, may be the one.
    guard isMailed, !examined.hidesAddresses, ["https://", "http://"].contains(where: text.hasPrefix),
      text.count(where: { $0 == "/" }) > 2, flow.services.allSatisfy({ $0.url != nil }),
      places.allSatisfy({ $0.base.isWhole && !$0.base.start.hasPrefix(text) })
    else { return nil }
    let nearest = nearestName(to: String(text), among: flow.links.map(\.text))
    return Diagnostic(
      "unanswered-request", "no service has this address, and no link of the app is like it", at: uri.site,
      "leads nowhere",
      help: nearest.map { "did you mean \($0)?" }
        ?? "if it is one of theirs, add it to \"links\" of the app or to \"origins\" of a service")
  }
}

extension Check {
  /// A mailed link to a page, of a flow in which nobody has a browser.
  private static func unopened(at site: Site) -> Diagnostic {
    Diagnostic(
      "missing-participant", severity: .warning,
      "a mailed link to a page needs a participant of kind \"browser\"", at: site, "there is no browser",
      help: "add \"browser\": {\"kind\": \"browser\"} to \"participants\"")
  }

  /// An address, without its query, that has the scheme of the app's own redirect URIs and is none of these.
  ///
  /// The address of another app is nobody's mistake.
  private static func strangeRedirect(to address: Substring, of flow: Flow, at site: Site) -> Diagnostic? {
    let redirects = flow.redirectURIs.map { $0.template.known(with: flow.app.config) }
    let own = redirects.map { withScheme($0.start.prefix { !"?#".contains($0) }) }
    let (scheme, text) = withScheme(address)
    guard let scheme, !["http", "https"].contains(scheme), redirects.allSatisfy(\.isWhole),
      own.contains(where: { $0.scheme == scheme }), !own.contains(where: { $0.text == text })
    else { return nil }
    let shown = flow.redirectURIs.map { uri in
      withScheme(uri.template.shown(with: flow.app.config).prefix { !"?#".contains($0) }).text
    }
    let nearest = nearestName(to: text, among: own.map(\.text))
      .flatMap { nearest in own.firstIndex { $0.text == nearest } }.map { shown[$0] }
    return Diagnostic(
      "unanswered-request", "this is no redirect URI of the app, though it has the scheme of one", at: site,
      "leads nowhere", help: nearest.map { "did you mean \($0)?" } ?? "they are \(shown.listed)")
  }

  /// An address with its scheme in lower case, as it is compared (RFC 3986, section 3.1); `nil` without one.
  private static func withScheme(_ address: Substring) -> (scheme: String?, text: String) {
    let scheme = address.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard scheme.first?.isLetter == true, address[scheme.endIndex...].first == ":" else {
      return (nil, String(address))
    }
    return (scheme.lowercased(), scheme.lowercased() + address[scheme.endIndex...])
  }
}

extension Examined {
  /// The model that is to answer; `nil` when it is not known.
  func model(for visit: Visit) -> ServiceModel? {
    guard let service = visit.to ?? service, let flow else { return visit.to == nil ? model : nil }
    return flow.services[service].model
  }

  /// The one route that takes a request whatever it puts into its path; `nil` where that is not known.
  func surelyAsks(_ request: RequestSpec) -> (model: ServiceModel, route: Route)? {
    guard case .segments(let path) = request.path, let model = model(for: Visit(request)),
      let route = model.route(request.method, path),
      zip(route.path.segments, path).allSatisfy({ $0.variable != nil || $1.literal != nil })
    else { return nil }
    return (model, route)
  }
}

extension Template {
  /// As `PathPattern.shape` has a segment: with what is worked out unnamed.
  fileprivate var shape: String {
    parts.map { if case .literal(let text) = $0 { pathEncoded(text) } else { "{}" } }.joined()
  }
}
