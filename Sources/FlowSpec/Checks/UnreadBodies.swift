import Expressions

extension Check {
  /// Bodies of one kind that are sent to a route which reads another and not this one: JSON where it reads a form.
  ///
  /// A route that reads no body at all, or the text of any, is content with all.
  static let unreadBodies: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.visits.compactMap { visit in
      guard let sent = visit.bodyKind, case .segments(let path) = visit.path, let model = examined.model(for: visit),
        let route = model.route(visit.method, path)
      else { return nil }
      let read = Set(ofBodiesReadBy: route.expressions)
      guard let other = Visit.bodyKinds.first(where: read.contains), read.isDisjoint(with: [sent, "text"]),
        // It may be read once the route has led on.
        !route.goesOn || Set(ofBodiesReadBy: model.expressions).isDisjoint(with: [sent, "text"])
      else { return nil }
      return Diagnostic(
        "unread-body", severity: .warning,
        "\(route.line) of \"\(model.name)\" reads request.\(other), and is sent \(sent)",
        at: visit.line, "sends \(sent)", help: "send it in \"\(other)\", or let the route read request.\(sent)")
    }
  }
}

extension Visit {
  fileprivate static let bodyKinds = ["json", "form", "text"]

  /// As expressions call it; `nil` without a body.
  fileprivate var bodyKind: String? {
    if form != nil { return method == "GET" ? nil : "form" }
    switch request?.body {
    case .json: return "json"
    case .form: return "form"
    case .text, nil: return nil
    }
  }
}

extension Set<String> {
  /// The kinds of bodies that expressions read, by themselves or through lets.
  fileprivate init(ofBodiesReadBy expressions: [PlacedExpression]) {
    let readings = expressions.flatMap(\.expression.readings).map(\.name).filter { $0.hasPrefix("request.") }
    self.init(
      Visit.bodyKinds.filter { kind in readings.contains { MemberPath($0, below: "request.\(kind)") != nil } })
  }
}
