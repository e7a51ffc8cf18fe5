extension Check {
  /// Models that ask one another, or themselves, for ever: each waits for the next, and none replies.
  ///
  /// Told where that is so whatever holds; a circle that some transition leads out of may be left there.
  static let servicesInCircles: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow, let model = examined.model, !model.machine.requests.isEmpty else { return [] }
    return AskingRoute.circles(in: flow, examined).compactMap { circle in
      // Each is told with the first of its models.
      guard circle[0].model === model else { return nil }
      let requests = zip(circle, circle.dropFirst() + [circle[0]]).compactMap { $0.request(to: $1) }
      let place = requests.firstIndex { flow.overrules("loop-without-wait", at: $0.site) } ?? 0
      let names = (circle[place...] + circle[...place]).map { "\($0.route.line) of \"\($0.model.name)\"" }
      return Diagnostic(
        "loop-without-wait", severity: .warning, "requests of models go round in a circle, and none is ever answered",
        at: requests[place].site, "asks once more",
        help: "\(names.joined(separator: " → ")): let one of them reply without asking the next")
    }
  }
}

/// A route that asks before it replies, whatever holds.
private struct AskingRoute {
  let model: ServiceModel
  let route: Route
  /// One of these it surely comes to.
  private let asked: [(request: RequestSpec, route: Route)]

  /// `nil` for one that may reply, or wait, without asking, and where nobody knows what it asks.
  private init?(_ route: Route, of model: ServiceModel, _ examined: Examined) {
    guard let requests = model.requests(behind: route.next), !requests.isEmpty else { return nil }
    asked = requests.compactMap { request in examined.surelyAsks(request).map { (request, $0.route) } }
    guard asked.count == requests.count else { return nil }
    (self.model, self.route) = (model, route)
  }

  func request(to other: AskingRoute) -> RequestSpec? { asked.first { $0.route === other.route }?.request }

  /// Circles of those that only lead to one another; no two have a route in common.
  static func circles(in flow: Flow, _ examined: Examined) -> [[AskingRoute]] {
    let models = flow.services.enumerated().compactMap { index, service in
      flow.services[..<index].contains { $0.model === service.model } ? nil : service.model
    }
    var endless = models.filter { !$0.hasBrokenRoutes }.flatMap { model in
      model.routes.compactMap { AskingRoute($0, of: model, examined) }
    }
    var count = 0
    while count != endless.count {
      count = endless.count
      let routes = Set(endless.map { ObjectIdentifier($0.route) })
      endless.removeAll { !$0.asked.allSatisfy { routes.contains(ObjectIdentifier($0.route)) } }
    }
    let successors = endless.map { one in endless.indices.filter { one.request(to: endless[$0]) != nil } }
    return Circling(successors).circles.map { circle in circle.map { endless[$0] } }
  }
}

extension ServiceModel {
  /// The requests one of which an exchange surely comes to behind these transitions; `nil` where it may come to none.
  fileprivate func requests(behind next: [Transition]) -> [RequestSpec]? {
    var (found, seen, pending) = ([] as [RequestSpec], Set<Int>(), next)
    while let transition = pending.popLast() {
      // What happens only sometimes does not happen by itself.
      if transition.isSometimes { continue }
      guard case .state(var leaf) = transition.target else { return nil }
      while let start = machine.states[leaf].start { leaf = start }
      guard machine.enclosing(leaf).allSatisfy({ machine.states[$0].on.isEmpty && machine.states[$0].after.isEmpty })
      else { return nil }
      guard seen.insert(leaf).inserted else { continue }
      switch machine.states[leaf].activity {
      case .request(let request): found.append(request)
      case .none where !machine.states[leaf].next.isEmpty: pending += machine.states[leaf].next
      default: return nil
      }
    }
    return found
  }
}
