import Expressions

extension Check {
  /// Requests, pages and redirects that no route of the model answers.
  static let unansweredRequests: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.visits.compactMap { visit in
      guard case .segments(let path) = visit.path, let model = examined.model(for: visit), !model.hasBrokenRoutes,
        model.route(visit.method, path) == nil
      else { return nil }
      let line = "\(visit.method) /\(path.map(\.template.source).joined(separator: "/"))"
      let lines = model.routes.map(\.line)
      let nearest = nearestName(to: line, among: lines)
      return Diagnostic(
        "unanswered-request", "the model \"\(model.name)\" has no route for this \(visit.method)", at: visit.line,
        "would be answered with 404",
        help: nearest.map { "did you mean \($0)?" } ?? "its routes are \(lines.joined(separator: ", "))")
    }
  }
}

extension Examined {
  /// The model that is to answer; `nil` when it is not known.
  func model(for visit: Visit) -> ServiceModel? {
    guard let service = visit.to ?? service, let flow else { return visit.to == nil ? model : nil }
    return flow.services[service].model
  }
}
