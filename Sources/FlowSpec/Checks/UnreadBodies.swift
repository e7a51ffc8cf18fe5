import JSONSyntax

extension Check {
  /// Bodies of one kind that are sent to a route which reads another and not this one: JSON where it reads a form.
  ///
  /// A route that reads no body at all, or the text of any, is content with all.
  static let unreadBodies: @Sendable (Examined) -> [Diagnostic] = { examined in
    var models: [String: ReadBodies] = [:]
    return examined.visits.compactMap { visit in
      guard let sent = visit.bodyKind, case .segments(let path) = visit.path, let model = examined.model(for: visit),
        let route = model.route(visit.method, path)
      else { return nil }
      let reads = models[model.name] ?? ReadBodies(of: model)
      models[model.name] = reads
      let read = reads.kinds(on: route.line)
      guard let other = read.first, !read.contains(sent), !read.contains("text") else { return nil }
      return Diagnostic(
        "unread-body", severity: .warning,
        "\(route.line) of \"\(model.name)\" reads request.\(other), and is sent \(sent)",
        at: visit.line, "sends \(sent)", help: "send it in \"\(other)\", or let the route read request.\(sent)")
    }
  }
}

extension Visit {
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

/// Which kinds of bodies the routes of a model read, as far as its text shows.
private struct ReadBodies {
  private var routes: [String: [String]] = [:]
  private var states: [String] = []
  private var lets: [(name: String, texts: [String])] = []

  init(of model: ServiceModel) {
    guard let node = try? JSONParser.parse(model.document.bytes, as: .document) else { return }
    lets = node.members("let").map { ($0.name, $0.value.texts) }
    states = ["states", "flows", "actions", "sometimes", "on"].flatMap { node.member($0)?.texts ?? [] }
    guard case .array(let all)? = node.member("routes")?.kind else { return }
    for route in all {
      if case .string(let line)? = route.member("on")?.kind { routes[line, default: []] += route.texts }
    }
  }

  /// Of what stands on a route, in all states, which may go on with it, and in the lets that these use.
  func kinds(on line: String) -> [String] {
    var texts = (routes[line] ?? []) + states
    var left = lets
    while let index = left.firstIndex(where: { definition in texts.contains { $0.has(word: definition.name) } }) {
      texts += left.remove(at: index).texts
    }
    return ["json", "form", "text"].filter { kind in texts.contains { $0.has(word: "request.\(kind)") } }
  }
}

extension JSONNode {
  fileprivate func members(_ name: String) -> [JSONMember] {
    if case .object(let members)? = member(name)?.kind { members } else { [] }
  }

  fileprivate func member(_ name: String) -> JSONNode? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.name == name }?.value
  }
}
