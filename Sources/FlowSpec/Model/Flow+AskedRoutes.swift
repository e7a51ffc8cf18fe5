extension Flow {
  /// For each service, which routes of its model something here may ask for: a model that several flows share has some for
  /// others.
  ///
  /// What is worked out at run time, an address in a mail or a header, may lead to any route of its method.
  package func askedRoutes() -> [[Bool]] {
    var asked = services.map { Array(repeating: false, count: $0.model?.routes.count ?? 0) }
    /// `nil` for any service, and any method.
    func ask(_ service: Int?, _ method: String?, _ isMeant: (Route) -> Bool = { _ in true }) {
      for index in services.indices where service == nil || service == index {
        for (number, route) in (services[index].model?.routes ?? []).enumerated() {
          if method == nil || route.method == method, isMeant(route) { asked[index][number] = true }
        }
      }
    }
    let models = services.indices.compactMap { index in
      services[index].model.map { (index, $0.machine, $0.transitions) }
    }
    for (service, machine, transitions) in [(nil as Int?, app, app.transitions)] + models {
      let actions = machine.actions(transitions)
      let replies = transitions.replies
      let own = machine.requests.map(Visit.init) + actions.opens.map { Visit($0) }
      // What is sent on with 307 or 308 keeps its method (RFC 9110 §15.4.8).
      let led = replies.flatMap { reply in
        reply.visits.map { ($0, $0.isRedirect && [307, 308].contains(reply.status) ? nil : $0.method) }
      }
      for (visit, method) in own.map({ ($0, $0.method) }) + led {
        guard case .segments(let path) = visit.path, let service = visit.to ?? service else {
          ask(nil, method)
          continue
        }
        ask(service, method) { route in
          route.path.segments.count == path.count
            && zip(route.path.segments, path).allSatisfy { $0.mayMatch($1.template) }
        }
      }
      if replies.contains(where: { $0.headers.contains { $0.name.lowercased() == "location" } }) { ask(nil, nil) }
      if !actions.mails.flatMap(\.links).isEmpty { ask(nil, "GET") }
    }
    return asked
  }
}
