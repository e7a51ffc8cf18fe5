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
    let named = examined.redirectsNamed
    guard let flow = examined.flow, !addresses.isEmpty || !named.isEmpty else { return sent }
    let known = KnownAddresses(flow)
    let keys = SegmentKeys(examined)
    return sent
      + named.compactMap { named in
        let text = normalizedAddress(String(named.address.prefix { !"?#".contains($0) }), isWhole: true)
        // A service may mail it, too.
        if known.mayBeLink(text, isWhole: true) { return nil }
        if let strange = known.strangeRedirect(to: text, at: named.site) { return strange }
        return named.isForCode && !examined.hidesAddresses ? known.strangePage(to: text, at: named.site) : nil
      }
      + addresses.compactMap { methods, uri, isMailed in
        let address = known.address(uri, of: examined, keys)
        let found = methods.map { unanswered($0, address, at: uri.site, isMailed: isMailed, examined, known) }
        return found.contains { $0 == nil } ? nil : found[0]
      }
  }

  private static func noRoute(_ method: String, _ path: String, _ model: ServiceModel, at site: Site) -> Diagnostic {
    let nearest = nearestName(to: "\(method) \(path)", among: model.routes.map(\.shape)).flatMap { shape in
      model.routes.first { $0.shape == shape }
    }
    return Diagnostic(
      "unanswered-request", "the model \"\(model.name)\" has no route for this \(method)", at: site,
      "would be answered with 404",
      help: nearest.map { "did you mean \($0.line)?" }
        ?? "its routes are \(model.routes.map(\.line).listed)")
  }

  /// An address that is written out; behind what may be anything it may go on in any way.
  private static func unanswered(
    _ method: String, _ address: WrittenOutAddress, at site: Site, isMailed: Bool, _ examined: Examined,
    _ addresses: KnownAddresses
  ) -> Diagnostic? {
    let flow = addresses.flow
    let (text, isWhole) = (address.text, address.isWhole)
    let place = addresses.place(of: text)
    if isWhole, !isMailed, let strange = addresses.strangeRedirect(to: text, at: site) { return strange }
    let isAppLink = addresses.mayBeLink(text, isWhole: isWhole)
    if isMailed, !isAppLink, place != nil, !flow.participants.contains(where: { $0.kind == .browser }) {
      return unopened(at: site)
    }
    guard !text.contains("%"), !isAppLink, !addresses.mayBeRedirect(text) else { return nil }
    if let place {
      guard let model = place.model, !model.hasBrokenRoutes, isWhole || !addresses.mayGoOn(text),
        !model.mayTake(method, KnownAddresses.path(of: text, below: place.base, isWhole: isWhole), isWhole: isWhole)
      else { return nil }
      return noRoute(method, String(address.shape.dropFirst(place.base.count)), model, at: site)
    }
    // A base that is not known, or not yet told apart, may be the one.
    guard isMailed, !examined.hidesAddresses, ["https://", "http://"].contains(where: text.hasPrefix),
      text.count(where: { $0 == "/" }) > 2, flow.services.allSatisfy({ $0.url != nil }), addresses.isElsewhere(text)
    else { return nil }
    let shapes = addresses.linkShapes
    let nearest = nearestName(to: address.shape, among: shapes).flatMap(shapes.firstIndex).map { flow.links[$0].text }
    return Diagnostic(
      "unanswered-request", "no service has this address, and no link of the app is like it", at: site,
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
}

extension Examined {
  /// The model that is to answer; `nil` when it is not known.
  func model(for visit: Visit) -> ServiceModel? {
    guard let service = visit.to ?? service, let flow else { return visit.to == nil ? model : nil }
    return flow.services[service].model
  }

  /// The one route that takes a request whatever it puts into its path; `nil` where that is not known.
  func surelyAsks(_ request: RequestSpec) -> (model: ServiceModel, route: Route)? {
    let visit = Visit(request)
    guard let model = model(for: visit), let route = model.surelyAsked(by: visit) else { return nil }
    return (model, route)
  }
}

extension ServiceModel {
  /// The one route that takes it whatever it puts into its path; `nil` where that is not known.
  func surelyAsked(by visit: Visit) -> Route? {
    guard case .segments(let path) = visit.path, !visit.keepsMethod, let route = route(visit.method, path),
      zip(route.path.segments, path).allSatisfy({ $0.variable != nil || $1.literal != nil })
    else { return nil }
    return route
  }
}

extension Template {
  /// As `PathPattern.shape` has a segment: with what is worked out unnamed.
  fileprivate var shape: String {
    parts.map { if case .literal(let text) = $0 { pathEncoded(text) } else { "{}" } }.joined()
  }
}

/// An address to which the app asks a service to send the browser back.
private struct NamedRedirect {
  let address: String
  let site: Site
  /// Whether it is said where the app asks for a code, or redeems one.
  let isForCode: Bool
}

extension Examined {
  /// Those that documents say (RFC 6749, section 4.1.1).
  fileprivate var redirectsNamed: [NamedRedirect] {
    guard model == nil else { return [] }
    return visits.flatMap { visit in
      let parts = RequestPart.allCases.map { (part: $0, members: visit.sent(in: $0) ?? []) }
      let isForCode = visit.request?.method != "GET" && parts.flatMap(\.members).contains(where: \.isOfCode)
      return parts.flatMap { part, members in
        members.compactMap { member -> NamedRedirect? in
          guard member.name.joined == "redirecturi" else { return nil }
          switch member.value {
          case .literal(.string(let text)):
            return NamedRedirect(
              address: text.string, site: site(of: member.name, in: part.rawValue, at: visit.site), isForCode: isForCode
            )
          case .template(let placed):
            let known = placed.template.known(with: machine.config)
            return known.isWhole
              ? NamedRedirect(address: known.start, site: placed.site, isForCode: isForCode) : nil
          default: return nil
          }
        }
      }
    }
  }
}

extension SentMember {
  /// Whether it says that its request asks for a code, or redeems one.
  fileprivate var isOfCode: Bool { name == "response_type" || redeemsCode }
}
