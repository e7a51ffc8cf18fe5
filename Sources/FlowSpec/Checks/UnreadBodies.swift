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
      let read = models[model.name, default: ReadBodies(of: model)].kinds(on: route.line)
      guard let other = read.first, !read.contains(sent), !read.contains("text") else { return nil }
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

/// Which kinds of bodies the routes of a model read, as far as its text shows: what stands on a route, in all states, which
/// may go on with it, and in the lets that these use.
private struct ReadBodies {
  private var routes: [String: [String]] = [:]
  private var lets: [Substring: [String]] = [:]
  /// What the lets read that were looked into.
  private var known: [Substring: Set<String>] = [:]
  private var ofStates: Set<String> = []
  private var ofRoutes: [String: Set<String>] = [:]

  init(of model: ServiceModel) {
    guard let node = try? JSONParser.parse(model.document.bytes, as: .document) else { return }
    for definition in node.members("let") { lets[definition.name[...]] = definition.value.texts }
    if case .array(let all)? = node.member("routes")?.kind {
      for route in all {
        if case .string(let line)? = route.member("on")?.kind { routes[line, default: []] += route.texts }
      }
    }
    ofStates = read(by: ["states", "flows", "actions", "sometimes", "on"].flatMap { node.member($0)?.texts ?? [] })
  }

  mutating func kinds(on line: String) -> Set<String> {
    if let known = ofRoutes[line] { return known }
    let kinds = ofStates.union(read(by: routes[line] ?? []))
    ofRoutes[line] = kinds
    return kinds
  }

  private mutating func read(by texts: [String]) -> Set<String> {
    var kinds = Set(Visit.bodyKinds.filter { kind in texts.contains { $0.has(word: "request.\(kind)") } })
    for name in Words(texts).all where lets[name] != nil { kinds.formUnion(read(byLet: name)) }
    return kinds
  }

  private mutating func read(byLet name: Substring) -> Set<String> {
    if let known = known[name] { return known }
    // A let that needs itself reads no more by that.
    known[name] = []
    let kinds = read(by: lets[name] ?? [])
    known[name] = kinds
    return kinds
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
