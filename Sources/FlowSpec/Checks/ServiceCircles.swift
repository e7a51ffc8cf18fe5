extension Check {
  /// Models that ask one another, or themselves, for ever: each waits for the next, and none replies.
  ///
  /// Told where that is so whatever holds; a circle that some transition leads out of may be left there, but for one that
  /// never happens by itself.
  static let servicesInCircles: @Sendable (Examined) -> [Diagnostic] = { examined in
    // They are looked for once, with the app.
    guard let flow = examined.flow, examined.model == nil else { return [] }
    return AskingRoute.circles(in: flow, examined).map { circle in
      let requests = zip(circle, circle.dropFirst() + [circle[0]]).compactMap { $0.request(to: $1) }
      let place = requests.firstIndex { flow.overrules("loop-without-wait", at: $0.site) } ?? 0
      var names = (circle[place...] + circle[...place]).map { "\($0.route.line) of \"\($0.model.name)\"" }
      if circle.count > 5 { names[4..<circle.count] = ["\(circle.count - 4) others"] }
      return Diagnostic(
        "loop-without-wait", severity: .warning,
        "requests of models go round in a circle, and without a \"sometimes\" none is ever answered",
        at: requests[place].site, "asks once more",
        help: "\(names.joined(separator: " → ")): let one of them reply without asking the next")
    }
  }
}

/// A route that asks before it replies, whatever holds but for what never happens by itself.
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
    var seen: Set<ObjectIdentifier> = []
    let models = flow.services.compactMap(\.model).filter { seen.insert(ObjectIdentifier($0)).inserted }
    let asking = models.filter { !$0.hasBrokenRoutes }.flatMap { model in
      model.routes.compactMap { AskingRoute($0, of: model, examined) }
    }
    let numbers = Dictionary(uniqueKeysWithValues: asking.indices.map { (ObjectIdentifier(asking[$0].route), $0) })
    let asked = asking.map { one in one.asked.map { numbers[ObjectIdentifier($0.route)] } }
    var askedBy: [[Int]] = Array(repeating: [], count: asking.count)
    for (index, asked) in asked.enumerated() { for case .some(let other) in asked { askedBy[other].append(index) } }
    // Whoever may ask one that ends may end too.
    var isEndless = Array(repeating: true, count: asking.count)
    var ending = asking.indices.filter { asked[$0].contains(nil) }
    while let index = ending.popLast() {
      guard isEndless[index] else { continue }
      isEndless[index] = false
      ending += askedBy[index]
    }
    let successors = asked.enumerated().map { index, asked in
      isEndless[index] ? Set(asked.compactMap(\.self)).sorted() : []
    }
    return Circling(successors).circles.map { circle in circle.map { asking[$0] } }
  }
}

extension ServiceModel {
  /// The requests one of which an exchange surely comes to behind these transitions; `nil` where it may come to none.
  fileprivate func requests(behind next: [Transition]) -> [RequestSpec]? {
    var (found, seen, pending) = ([] as [RequestSpec], Set<Int>(), next)
    while let transition = pending.popLast() {
      // What happens only sometimes does not happen by itself.
      if transition.isSometimes { continue }
      guard case .state(let target) = transition.target else { return nil }
      let leaf = machine.leaf(of: target)
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
