import Expressions

extension Check {
  /// Requests, pages, redirects and mailed links that no route of the model answers.
  static let unansweredRequests: @Sendable (Examined) -> [Diagnostic] = { examined in
    let sent = examined.visits.compactMap { visit -> Unanswered? in
      guard case .segments(let path) = visit.path, let model = examined.model(for: visit), !model.hasBrokenRoutes,
        model.route(visit.method, path) == nil
      else { return nil }
      return (visit.method, "/\(path.map(\.template.source).joined(separator: "/"))", model, visit.line)
    }
    let links = examined.actions.mails.flatMap(\.links).map { ("GET", $0.uri) }
    let addresses = links + examined.visits.compactMap { visit in visit.uri.map { (visit.method, $0) } }
    return (sent + addresses.compactMap { unanswered($0, at: $1, examined) }).map { method, path, model, site in
      let lines = model.routes.map(\.line)
      let nearest = nearestName(to: "\(method) \(path)", among: lines)
      return Diagnostic(
        "unanswered-request", "the model \"\(model.name)\" has no route for this \(method)", at: site,
        "would be answered with 404",
        help: nearest.map { "did you mean \($0)?" } ?? "its routes are \(lines.joined(separator: ", "))")
    }
  }

  private typealias Unanswered = (method: String, path: String, model: ServiceModel, site: Site)

  /// An address that is written out; behind an expression it may be anything.
  private static func unanswered(_ method: String, at uri: PlacedTemplate, _ examined: Examined) -> Unanswered? {
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
    let place = flow.services.flatMap { service in
      (service.origins + [service.url].compactMap(\.self)).map {
        (base: $0.template.known(with: flow.app.config), model: service.model)
      }
    }.filter { $0.base.isWhole && text.hasPrefix($0.base.start + "/") }
      .max { $0.base.start.count < $1.base.start.count }
    guard let place, let model = place.model, !model.hasBrokenRoutes, !text.contains("%"),
      !model.routes.contains(where: { $0.method == method && mayLead(to: $0.path.segments, below: place.base.start) }),
      !flow.links.contains(where: { mayLead(to: $0.segments, below: $0.origin) }),
      !flow.redirectURIs.contains(where: { $0.template.known(with: flow.app.config).start.hasPrefix(text) })
    else { return nil }
    return (method, String(text.dropFirst(place.base.start.count)), model, uri.site)
  }
}

extension Examined {
  /// The model that is to answer; `nil` when it is not known.
  func model(for visit: Visit) -> ServiceModel? {
    guard let service = visit.to ?? service, let flow else { return visit.to == nil ? model : nil }
    return flow.services[service].model
  }
}
