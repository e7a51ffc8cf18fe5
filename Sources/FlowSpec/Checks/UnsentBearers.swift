import Expressions
import JSONSyntax

extension Examined {
  /// Requests without a token to routes that surely take one, of a model that others send theirs.
  ///
  /// Who looks whether the token is missing asks without one on purpose: to be told where to get it.
  var unsentBearers: [Diagnostic] {
    guard let flow else { return [] }
    lazy var visits = flow.visits
    var known: [ObjectIdentifier: BearerNeeds] = [:]
    return machine.states.compactMap { state -> Diagnostic? in
      guard case .request(let request) = state.activity, request.bearer == nil, !state.looksForRefusal,
        !request.headers.contains(where: { ["authorization", "authentication", "bearer"].contains($0.name) }),
        let (model, route) = surelyAsks(request), !model.hasBrokenRoutes,
        visits.contains(where: { $1.sendsBearer && flow.model(for: $1, from: $0) === model })
      else { return nil }
      let needs = known[ObjectIdentifier(model)] ?? BearerNeeds(model)
      known[ObjectIdentifier(model)] = needs
      return needs.place(in: route).map { place in
        Diagnostic(
          "unsent-member", severity: .warning,
          "\(route.line) of \"\(model.name)\" reads a token, and this request has none", at: request.site,
          "has no \"bearer\"", help: "add \"bearer\", as other requests to it have, or let the route do without",
          related: (place, "reads it"))
      }
    }
  }
}

extension Flow {
  fileprivate func model(for visit: Visit, from service: Destination?) -> ServiceModel? {
    (visit.to ?? service).flatMap { services[$0].model }
  }
}

extension Visit {
  fileprivate var sendsBearer: Bool { request?.bearer != nil }
}

extension State {
  /// Whether it decides on what an answer says of a missing token.
  fileprivate var looksForRefusal: Bool {
    next.compactMap(\.when).contains { when in
      when.mentions(of: "status").contains { $0.comparison.numbers.contains(401) }
        || when.expressions.contains { placed in
          placed.expression.facts.references.contains { $0.starts(with: ["response", "challenge"]) }
        }
    }
  }
}

/// What a model makes of requests that come without a token.
private struct BearerNeeds {
  private let model: ServiceModel
  private let scope: Scope

  init(_ model: ServiceModel) {
    self.model = model
    let field = ObjectType.Field(name: "bearer", type: .string, isNullable: true)
    let request = Scope.Variable(
      name: "request", type: .object(ObjectType(title: "request", fields: [field])), root: Root.request.rawValue)
    scope = Scope(variables: [request], lets: model.lets)
  }

  /// Where a route surely reads the token, or refuses who sends none; `nil` where it may do without.
  func place(in route: Route) -> Site? {
    var (transitions, seen, readsBearer) = (route.next, Set<Int>(), false)
    while let taken = taken(of: transitions, &readsBearer) {
      if taken.actions.flatMap(\.assignments).contains(where: { $0.value.readsBearer }) { return taken.site }
      switch taken.target {
      case .reply(let reply): return readsBearer && reply.status == 401 ? taken.site : nil
      case .state(var leaf):
        while let start = model.machine.states[leaf].start { leaf = start }
        let state = model.machine.states[leaf]
        guard seen.insert(leaf).inserted else { return nil }
        switch state.activity {
        case .request(let request): return request.handsOnBearer ? request.site : nil
        case .none: transitions = state.next
        default: return nil
        }
      case .stay, .end: return nil
      }
    }
    return nil
  }

  /// The transition that is taken where no token comes, whatever else is so; `nil` where that is not known.
  private func taken(of transitions: [Transition], _ readsBearer: inout Bool) -> Transition? {
    guard let epoch = Timestamp(seconds: 0) else { return nil }
    var frame = Frame(roots: Root.slots(device: [], now: epoch), budget: 1_000)
    frame.roots[Root.request.rawValue] = [.null]
    for transition in transitions where !transition.isSometimes {
      guard let when = transition.when else { return transition }
      guard let holds = PartialCondition(when, in: scope).holds(in: frame) else { return nil }
      readsBearer = readsBearer || when.expressions.contains(where: \.expression.readsBearer)
      if holds { return transition }
    }
    return nil
  }
}

extension ServiceModel {
  /// The lets that its document declares.
  fileprivate var lets: [String: Let] {
    guard case .object(let members)? = try? JSONParser.parse(document.bytes, as: .document).kind,
      case .object(let lets)? = members.first(where: { $0.name == "let" })?.value.kind
    else { return [:] }
    let sources = lets.compactMap { entry -> (String, Let)? in
      var node = entry.value
      if case .object(let parts) = node.kind { node = parts.first { $0.name == "is" }?.value ?? node }
      if case .string(let source) = node.kind { return (entry.name, Let(source)) }
      return nil
    }
    return Dictionary(sources) { first, _ in first }
  }
}

extension RequestSpec {
  /// Whether it asks about the token; who passes it on as its own may do without.
  fileprivate var handsOnBearer: Bool {
    let body: [ValueTemplate] =
      switch body {
      case .json(let template): [template]
      case .form(let fields): fields.map(\.value)
      case .text, nil: []
      }
    return (query.map(\.value) + body).contains(where: \.readsBearer)
  }
}

extension ValueTemplate {
  fileprivate var readsBearer: Bool { placed.flatMap(\.template.expressions).contains(where: \.takesBearer) }
}

extension Expression {
  fileprivate var readsBearer: Bool { facts.references.contains(["request", "bearer"]) }

  /// Whether it reads the token and does not look whether there is one.
  fileprivate var takesBearer: Bool {
    readings.contains { $0.name == "request.bearer" } && !facts.tested.contains("request.bearer")
  }
}
