import Expressions

extension Examined {
  /// Requests without a token to routes that surely take one, of a model that others send theirs.
  ///
  /// Who looks whether the token is missing asks without one on purpose: to be told where to get it.
  var unsentBearers: [Diagnostic] {
    guard let flow else { return [] }
    lazy var sentOnes = flow.modelsSentBearers
    var known: [ObjectIdentifier: BearerNeeds] = [:]
    return machine.states.compactMap { state -> Diagnostic? in
      guard case .request(let request) = state.activity, request.bearer == nil, !state.looksForRefusal,
        !request.headers.contains(where: { ["authorization", "authentication", "bearer"].contains($0.name) }),
        let (model, route) = surelyAsks(request), !model.hasBrokenRoutes,
        sentOnes.contains(ObjectIdentifier(model))
      else { return nil }
      return known[ObjectIdentifier(model), default: BearerNeeds(model)].place(in: route).map { place in
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
  /// The models to which some request sends a token.
  fileprivate var modelsSentBearers: Set<ObjectIdentifier> {
    let sending = visits.filter { $0.visit.request?.bearer != nil }
    return Set(
      sending.compactMap { service, visit in
        (visit.to ?? service).flatMap { services[$0].model }.map(ObjectIdentifier.init)
      })
  }
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
  /// A state that is come to, and whether a condition before it reads the token.
  private struct Step: Hashable {
    let state: Int
    let readsBearer: Bool
  }

  private let model: ServiceModel
  private let scope: Scope
  /// What was found for routes, and what lies behind states: many requests may lead through the same.
  private var places: [ObjectIdentifier: Site?] = [:]
  private var behind: [Step: Site?] = [:]

  init(_ model: ServiceModel) {
    self.model = model
    let field = ObjectType.Field(name: "bearer", type: .string, isNullable: true)
    let request = Scope.Variable(
      name: "request", type: .object(ObjectType(title: "request", fields: [field])), root: Root.request.rawValue)
    scope = Scope(variables: [request], lets: model.machine.lets)
  }

  /// Where a route surely reads the token, or refuses who sends none; `nil` where it may do without.
  mutating func place(in route: Route) -> Site? {
    if let known = places[ObjectIdentifier(route)] { return known }
    let place = findPlace(from: route.next)
    places.updateValue(place, forKey: ObjectIdentifier(route))
    return place
  }

  private mutating func findPlace(from first: [Transition]) -> Site? {
    var (transitions, readsBearer, passed) = (first, false, [Step]())
    var place: Site?
    while let taken = taken(of: transitions, &readsBearer) {
      if taken.actions.flatMap(\.assignments).contains(where: { $0.value.readsBearer }) {
        place = taken.site
        break
      }
      if case .reply(let reply) = taken.target, readsBearer, reply.status == 401 { place = taken.site }
      guard case .state(let target) = taken.target else { break }
      let leaf = model.machine.leaf(of: target)
      let step = Step(state: leaf, readsBearer: readsBearer)
      if let known = behind[step] {
        place = known
        break
      }
      passed.append(step)
      // Who comes back to it goes round for ever.
      behind.updateValue(nil, forKey: step)
      let state = model.machine.states[leaf]
      if case .request(let request) = state.activity, request.handsOnBearer { place = request.site }
      guard case .none = state.activity else { break }
      transitions = state.next
    }
    for step in passed { behind.updateValue(place, forKey: step) }
    return place
  }

  /// The transition that is taken where no token comes, whatever else is so; `nil` where that is not known.
  private func taken(of transitions: [Transition], _ readsBearer: inout Bool) -> Transition? {
    let frame = Frame(knowing: [.null], of: .request)
    for transition in transitions where !transition.isSometimes {
      guard let when = transition.when else { return transition }
      guard let holds = PartialCondition(when, in: scope).holds(in: frame) else { return nil }
      readsBearer = readsBearer || when.expressions.contains(where: \.expression.readsBearer)
      if holds { return transition }
    }
    return nil
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

  /// Whether it reads the token and does not look whether there is one, under whatever name.
  fileprivate var takesBearer: Bool {
    readings.contains { $0.name == "request.bearer" } && !facts.testsPresence
  }
}
