import Expressions

/// The model of a service, from its document.
extension MachineBuilder {
  mutating func model() -> ServiceModel {
    collectVariables()
    let routes = document["routes"].items.compactMap { route($0) }
    let noted = compilation.noted.count
    let anyRoute = base.reading(requestWithPath: anyPath)
    checkRoutes(routes)
    // At the top of a service everything is `sometimes`.
    let sometimes = document["sometimes"].items.map { item in
      needName(of: item)
      refuseCertain(item)
      return transition(item, in: 0, standing: anyRoute, isSometimes: true)
    }
    checkTargets(of: document["sometimes"])
    checkNames(routes, sometimes)
    let machine = machine()
    return ServiceModel(
      name: document["service"]?.string ?? "", document: document.site.document,
      secrets: listedSecrets, machine: machine, expressions: Array(compilation.noted[noted...]), routes: routes,
      hasBrokenRoutes: document["routes"].map { $0.isDamaged || $0.items.count > routes.count } ?? true,
      otherRefs: compilation.references.others, sometimes: sometimes)
  }

  private mutating func refuseCertain(_ transition: Declaration) {
    guard let word = transition["sometimes"], word.flag == false else { return }
    compilation.findings.error(
      "wrong-type", "here \"sometimes\" takes true", at: word.site, "says the opposite of its place",
      help: "leave it out, or put the transition into the \"next\" of routes")
  }

  /// In the service's states a variable is there that some route has; where not all have it, it may be null.
  private mutating func collectVariables() {
    guard let routes = document["routes"], !routes.isDamaged, !routes.items.contains(where: \.isDamaged) else { return }
    let patterns = routes.items.compactMap { $0["on"]?.string.flatMap(RouteLine.parse)?.path }
    guard patterns.count == routes.items.count else { return }
    var path: [ObjectType.Field] = []
    var known: Set<String> = []
    for name in patterns.flatMap({ $0.variables }) where known.insert(name).inserted {
      let isEverywhere = patterns.allSatisfy { $0.variables.contains(name) }
      path.append(ObjectType.Field(name: name, type: .string, isNullable: !isEverywhere))
    }
    anyPath = .object(ObjectType(title: "request.path", fields: path))
  }

  private mutating func route(_ declaration: Declaration) -> Route? {
    guard let on = declaration["on"], let line = on.string else { return nil }
    guard let (method, path) = RouteLine.parse(line) else {
      compilation.findings.error(
        "wrong-route", "\"\(line)\" is no request line", at: on.site, "not understood",
        help: line.routeHelp ?? "write a method and a path, such as \"POST /devices/{id}\"")
      return nil
    }
    let variables = path.variables.map { ObjectType.Field(name: $0, type: .string, isNullable: false) }
    let standing = base.reading(
      requestWithPath: .object(ObjectType(title: "request.path of \(line)", fields: variables)))
    let next = declaration["next"]
    checkLast(of: next, why: "a request that was not foreseen needs an answer")
    checkTargets(of: next)
    let noted = compilation.noted.count
    let transitions = next.items.map { transition($0, in: 0, standing: standing) }
    return Route(
      line: line, method: method, path: path, refs: compilation.refs(of: declaration), next: transitions,
      expressions: Array(compilation.noted[noted...]), site: on.site)
  }

  /// The first route in document order wins, so that a second of its kind would never answer.
  private mutating func checkRoutes(_ routes: [Route]) {
    var firsts = FirstSites()
    for route in routes {
      guard let first = firsts.note(route.shape, at: route.site) else { continue }
      compilation.findings.error(
        "duplicate-route", "\"\(route.line)\" is answered by an earlier route already", at: route.site, "never answers",
        help: "put their transitions into one route", related: (first, "the first"))
    }
    for (route, earlier) in covered(routes) {
      compilation.findings.add(
        Diagnostic(
          "duplicate-route", severity: .warning, "an earlier route takes all that \"\(route.line)\" would",
          at: route.site, "never answers", help: "put it before the other", related: (earlier.site, "takes it")))
    }
  }

  /// The routes that an earlier one with other variables covers, and which; of very many with variables the first are
  /// looked at.
  private func covered(_ routes: [Route]) -> [(Route, Route)] {
    var open: [String: [Route]] = [:]
    return routes.compactMap { route in
      let group = "\(route.method) \(route.path.segments.count)"
      let earlier = open[group]?.first { $0.shape != route.shape && $0.path.covers(route.path) }
      if !route.path.variables.isEmpty, open[group, default: []].count < 100 { open[group, default: []].append(route) }
      return earlier.map { (route, $0) }
    }
  }

  /// A scenario asks for a `sometimes` by name, so the names of a route are unique, those of the service included.
  private mutating func checkNames(_ routes: [Route], _ shared: [Transition]) {
    guard let first = routes.first else { return }
    var known = FirstSites()
    for transition in shared {
      guard let name = transition.name, let earlier = known.note(name, at: transition.site) else { continue }
      reportAgain(name, of: first, at: transition.site, after: earlier)
    }
    for route in routes {
      var own = FirstSites()
      for transition in route.next {
        guard let name = transition.name,
          let earlier = known.site(of: name) ?? own.note(name, at: transition.site)
        else { continue }
        reportAgain(name, of: route, at: transition.site, after: earlier)
      }
    }
  }

  private mutating func reportAgain(_ name: String, of route: Route, at site: Site, after first: Site) {
    compilation.findings.error(
      "duplicate-name", "\"\(name)\" names two transitions of \(route.line)", at: site, "again",
      help: "a scenario asks for one by its name: give each its own", related: (first, "first"))
  }
}
