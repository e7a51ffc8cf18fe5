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
      let (read, elsewhere) = models[model.name, default: ReadBodies(of: model)].kinds(on: route.line)
      guard let other = read.first, read.union(elsewhere).isDisjoint(with: [sent, "text"]) else { return nil }
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

/// Which kinds of bodies the routes of a model read, as far as its text shows.
private struct ReadBodies {
  /// What some text reads by itself, and the words in it, among which those of lets are.
  private struct Reading {
    let kinds: Set<String>
    let words: Words

    init(_ texts: [String]) {
      kinds = Set(Visit.bodyKinds.filter { kind in texts.contains { $0.has(word: "request.\(kind)") } })
      words = Words(texts, members: false)
    }
  }

  private var routes: [String: Reading] = [:]
  private var lets: [String: Reading] = [:]
  private var known: [String: Set<String>] = [:]
  /// What the states read, which a route may lead to, and what serves every route.
  private var elsewhere: Set<String> = []

  init(of model: ServiceModel) {
    guard let node = try? JSONParser.parse(model.document.bytes, as: .document) else { return }
    for definition in node.members("let") { lets[definition.name] = Reading(definition.value.texts) }
    if case .array(let all)? = node.member("routes")?.kind {
      for route in all {
        if case .string(let line)? = route.member("on")?.kind { routes[line] = Reading(route.texts) }
      }
    }
    let parts = ["states", "flows", "actions", "sometimes", "on"]
    elsewhere = kinds(Reading(parts.flatMap { node.member($0)?.texts ?? [] }))
  }

  /// Of what stands on a route itself, and what may be read once it leads on.
  mutating func kinds(on line: String) -> (read: Set<String>, elsewhere: Set<String>) {
    let read = known[line] ?? routes[line].map(kinds) ?? []
    known[line] = read
    return (read, elsewhere)
  }

  /// With the lets that it uses, directly or through others.
  private func kinds(_ reading: Reading) -> Set<String> {
    var kinds = reading.kinds
    var (pending, seen): ([Words], Set<String>) = ([reading.words], [])
    while let words = pending.popLast() {
      for name in words.all where seen.insert(name).inserted {
        guard let definition = lets[name] else { continue }
        kinds.formUnion(definition.kinds)
        pending.append(definition.words)
      }
    }
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
