extension Flow {
  /// For each service, which routes of its model something here may ask for: a model that several flows share has some for
  /// others.
  ///
  /// What is worked out at run time, an address in a mail or a header, may lead to any route of its method.
  package func askedRoutes() -> [[Bool]] {
    var asked = services.map { Array(repeating: false, count: $0.model?.routes.count ?? 0) }
    /// `nil` for any service.
    func ask(_ service: Int?, _ methods: [String], _ isMeant: (Route) -> Bool = { _ in true }) {
      for index in services.indices where service == nil || service == index {
        for (number, route) in (services[index].model?.routes ?? []).enumerated() {
          if methods.contains(route.method), isMeant(route) { asked[index][number] = true }
        }
      }
    }
    let models = services.indices.compactMap { index in
      services[index].model.map { (index, $0.machine, $0.transitions) }
    }
    for (service, machine, transitions) in [(nil as Int?, app, app.transitions)] + models {
      let actions = machine.actions(transitions)
      let replies = transitions.replies
      for visit in machine.requests.map(Visit.init) + actions.opens.map({ Visit($0) }) + replies.flatMap(\.visits) {
        guard case .segments(let path) = visit.path, let service = visit.to ?? service else {
          ask(nil, visit.methods)
          continue
        }
        ask(service, visit.methods) { route in
          route.path.segments.count == path.count
            && zip(route.path.segments, path).allSatisfy { $0.mayMatch($1.template) }
        }
      }
      let leadsAnywhere = replies.contains { $0.headers.contains { $0.name.lowercased() == "location" } }
      if leadsAnywhere { ask(nil, ["GET", "POST"]) }
      if !actions.mails.flatMap(\.links).isEmpty { ask(nil, ["GET"]) }
    }
    return asked
  }
}
