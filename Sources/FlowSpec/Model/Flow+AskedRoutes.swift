extension Flow {
  /// For each service, which routes of its model something here may ask for: a model that several flows share has some for
  /// others.
  ///
  /// What is worked out at run time, an address in a mail or a header, may lead to any route of its method.
  package func askedRoutes() -> [[Bool]] {
    var asked = services.map { Array(repeating: false, count: $0.model?.routes.count ?? 0) }
    var anywhere: Set<String> = []
    func askAnywhere(_ methods: [String]) {
      let fresh = methods.filter { anywhere.insert($0).inserted }
      if fresh.isEmpty { return }
      for index in services.indices {
        for (number, route) in (services[index].model?.routes ?? []).enumerated() where fresh.contains(route.method) {
          asked[index][number] = true
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
          askAnywhere(visit.methods)
          continue
        }
        guard let model = services[service].model else { continue }
        for route in visit.methods.flatMap({ model.routes($0, path) }) { asked[service][route] = true }
      }
      let leadsAnywhere = replies.contains { $0.headers.contains { $0.name.lowercased() == "location" } }
      if leadsAnywhere { askAnywhere(["GET", "POST"]) }
      if !actions.mails.flatMap(\.links).isEmpty { askAnywhere(["GET"]) }
    }
    return asked
  }
}
