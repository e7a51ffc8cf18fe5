import Expressions

extension Check {
  /// What is misspelt here is told as that alone.
  static let unknownMembers: @Sendable (Examined) -> [Diagnostic] = { examined in
    let misspelt = nearMisses(examined)
    let places = Set(misspelt.compactMap { $0.labels.first?.site })
    return misspelt + unansweredMembers(examined).filter { $0.labels.first.map { !places.contains($0.site) } ?? true }
  }

  /// Members that are read behind a request and that no answer of the model's route has.
  ///
  /// Nothing is said of a route one of whose bodies is not written out, nor of what a named list of actions reads.
  private static let unansweredMembers: @Sendable (Examined) -> [Diagnostic] = { examined in
    var known: [ObjectIdentifier: AnsweredMembers] = [:]
    return examined.machine.states.flatMap { state -> [Diagnostic] in
      guard case .request(let request) = state.activity, let (model, route) = examined.surelyAsks(request) else {
        return []
      }
      let answered = known[ObjectIdentifier(route)] ?? AnsweredMembers(of: route, in: model)
      known[ObjectIdentifier(route)] = answered
      let places = state.next.map(\.site) + [request.site]
      var told: Set<MemberPath> = []
      return examined.expressions.flatMap { placed -> [Diagnostic] in
        guard places.contains(where: { $0.encloses(placed.site) }) else { return [] }
        return placed.expression.readings.compactMap { reading in
          guard let path = MemberPath(reading.name, below: "response.json"), !answered.mayHave(path),
            told.insert(path).inserted
          else { return nil }
          return Diagnostic(
            "unanswered-member", severity: .warning,
            "no answer of \(route.line) of \"\(model.name)\" has \(reading.name)",
            at: examined.site(of: reading.name, in: placed), "reads what is never there",
            help: answered.names.isEmpty
              ? "none has JSON with members" : "its answers have \(answered.names.listed)")
        }
      }
    }
  }
}

extension Examined {
  /// The one route that takes a request whatever it puts into its path; `nil` where that is not known.
  func surelyAsks(_ request: RequestSpec) -> (model: ServiceModel, route: Route)? {
    guard case .segments(let path) = request.path, let model = model(for: Visit(request)),
      let route = model.route(request.method, path),
      zip(route.path.segments, path).allSatisfy({ $0.variable != nil || $1.literal != nil })
    else { return nil }
    return (model, route)
  }
}

/// The JSON with which a route may answer.
private struct AnsweredMembers {
  /// `nil` where one of them is not written out.
  private let bodies: [ValueTemplate]?

  /// Of one that leads on, that of all states too.
  init(of route: Route, in model: ServiceModel) {
    let leadsOn = route.next.contains { if case .reply = $0.target { false } else { true } }
    let replies = (route.next + model.sometimes + (leadsOn ? model.machine.transitions : [])).replies
    bodies = replies.contains(where: \.mayBeAnyJSON) ? nil : replies.compactMap(\.json)
  }

  func mayHave(_ path: MemberPath) -> Bool {
    guard let bodies, !path.parts.isEmpty else { return true }
    return bodies.contains { $0.mayHave(path) }
  }

  /// The names of its members, in order.
  var names: [String] { Set((bodies ?? []).flatMap(\.names)).sorted() }
}

extension Reply {
  fileprivate var json: ValueTemplate? {
    if case .content(.json(let template)) = body { template } else { nil }
  }

  /// Whether its body is text that may be an object.
  fileprivate var mayBeAnyJSON: Bool {
    guard case .content(.text(let placed)) = body, let first = placed.template.parts.first else { return false }
    guard case .literal(let text) = first, let sign = text.first(where: { !$0.isWhitespace }) else { return true }
    return sign == "{"
  }
}

extension ValueTemplate {
  fileprivate func mayHave(_ path: MemberPath) -> Bool {
    guard let part = path.parts.first else { return true }
    switch (self, part) {
    case (.template, _), (_, .any): return true
    case (.object(let members), .member(let name)):
      return members.contains { $0.name == name && $0.value.mayHave(path.rest) }
    case (.literal(let value), .member(let name)):
      guard case .map(let map) = value, let member = map[name] else { return false }
      return ValueTemplate.literal(member).mayHave(path.rest)
    case (.list, .member): return false
    }
  }

  fileprivate var names: [String] {
    switch self {
    case .object(let members): members.map(\.name)
    case .literal(.map(let map)): map.entries.compactMap(\.key.text?.string)
    case .literal, .template, .list: []
    }
  }
}
