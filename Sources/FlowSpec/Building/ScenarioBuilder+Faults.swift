import Expressions
import JSONSyntax

extension ScenarioBuilder {
  mutating func fault(_ declaration: Declaration) -> Scenario.Fault? {
    let nth = nth(declaration["nth"])
    guard let target = target(of: declaration), let effect = effect(of: declaration, on: target) else { return nil }
    return Scenario.Fault(
      target: target, nth: nth, effect: effect, delay: declaration["delay"]?.duration, site: declaration.site)
  }

  private mutating func nth(_ declaration: Declaration?) -> Scenario.Fault.Nth {
    guard let declaration else { return .number(1) }
    switch declaration.node.kind {
    // That has been told of.
    case .wholeNumberTooLarge: return .number(1)
    case .string("every"): return .every
    case .int(let number) where number > 0: return .number(Int(clamping: number))
    case .double(let number) where number > 0 && Int(exactly: number) != nil: return .number(Int(number))
    default:
      var help = "the first try is 1, and what strikes it needs no \"nth\""
      if case .string(let text) = declaration.node.kind, let number = Int64(text), number > 0 {
        help = "write \(text) without quotes"
      } else if case .string(let text) = declaration.node.kind,
        ["all", "each", "always", "any", "*"].contains(text) || nearestName(to: text, among: ["every"]) != nil
      {
        help = "did you mean \"every\"?"
      }
      compilation.findings.error(
        "wrong-type", "\"nth\" takes a number from 1 or \"every\"", at: declaration.site, "neither of them", help: help)
      return .number(1)
    }
  }

  private mutating func target(of declaration: Declaration) -> Scenario.Fault.Target? {
    if let perform = declaration["perform"], let name = perform.string {
      if let index = flow.capabilities.firstIndex(where: { $0.name == name }) { return .perform(index) }
      compilation.unknown(
        "capability", name, at: perform.site, among: flow.capabilities.map(\.name),
        "\"perform\" names the capability \"\(name)\", which the device does not declare")
      return nil
    }
    guard let request = declaration["request"], let line = request.string else { return nil }
    guard let (method, path) = RouteLine.parse(line) else {
      compilation.findings.error(
        "wrong-route", "\"\(line)\" is no request line", at: request.site, "not understood",
        help: line.routeHelp ?? "write it as the service does: \"POST /devices/{id}\"",
        strange: line.contains("/") || line.contains(" ") ? nil : line)
      return nil
    }
    var from: Int?
    if let entry = declaration["from"], let name = entry.string {
      from = flow.participants.firstIndex { $0.name == name }
      let senders = flow.participants.lazy.filter { ![.person, .inbox, .device].contains($0.kind) }.map(\.name)
      guard senders.contains(name) else {
        compilation.findings.error(
          "unknown-participant", "\"from\" names \"\(name)\", which is no app, browser or service", at: entry.site,
          "sends no requests", help: choice(for: name, among: Array(senders)))
        return nil
      }
    }
    guard let (service, route) = route(line, method, path, of: declaration, at: request.site) else { return nil }
    return .route(service: service, route: route, from: from)
  }

  /// The one route that a request line names; variables match by place, whatever their names.
  private mutating func route(
    _ line: String, _ method: String, _ path: PathPattern, of declaration: Declaration, at site: Site
  ) -> (service: Int, route: Int)? {
    var services = Array(flow.services.indices)
    if let to = declaration["to"], let name = to.string {
      guard let service = serviceIndex(name, at: to.site) else { return nil }
      services = [service]
    }
    let found = routes(method, path, of: services)
    if Set(found.map(\.service)).count > 1 {
      compilation.findings.error(
        "ambiguous-route", "\"\(line)\" is a route of several services", at: site, "which one?",
        help: "add \"to\": one of \(names(of: found).listed)")
      return nil
    }
    if let first = found.first { return first }
    let others = names(of: routes(method, path, of: Array(flow.services.indices)))
    let known = services.flatMap { flow.services[$0].model?.routes ?? [] }
    if others.isEmpty, let meant = lines(of: known, takingPathOf: method, path) {
      compilation.findings.error(
        "unknown-route", "no model has the route \"\(line)\"", at: site, "not found",
        help: "did you mean \(meant.map { "\"\($0)\"" }.joined(separator: " or "))?")
      return nil
    }
    let lines = known.map(\.line)
    if nearestName(to: line, among: lines) == nil, missesModel(at: site, among: services) { return nil }
    guard let to = declaration["to"]?.string, !others.isEmpty else {
      compilation.unknown("route", line, at: site, among: lines, "no model has the route \"\(line)\"")
      return nil
    }
    let owners = others.map { "\"\($0)\"" }.joined(separator: " and ")
    compilation.findings.error(
      "unknown-route", "\"\(to)\" has no route \"\(line)\"", at: site, "not a route of \"\(to)\"",
      help: "\(owners) \(others.count == 1 ? "has" : "have") it")
    return nil
  }

  /// The lines of routes that take such a path: those of the same method, else all; `nil` where none does.
  ///
  /// What takes any word is meant by nobody who has misspelt another.
  private func lines(of routes: [Route], takingPathOf method: String, _ path: PathPattern) -> [String]? {
    let taking = routes.filter { route in
      let segments = route.path.segments
      return segments.count == path.segments.count && route.path.covers(path)
        && (route.path.shape == path.shape || segments.contains { $0.variable == nil })
    }
    let same = taking.filter { $0.method == method }
    var told: Set<String> = []
    let lines = (same.isEmpty ? taking : same).map(\.line).filter { told.insert($0).inserted }
    return lines.isEmpty ? nil : lines
  }

  private func routes(_ method: String, _ path: PathPattern, of services: [Int]) -> [(service: Int, route: Int)] {
    services.flatMap { service in
      (flow.services[service].model?.routes(ofShape: "\(method) \(path.shape)") ?? []).map { (service, $0) }
    }
  }

  /// What the services of these routes are called, each once.
  private func names(of routes: [(service: Int, route: Int)]) -> [String] {
    flow.services.indices.filter { service in routes.contains { $0.service == service } }
      .map { flow.participants[flow.services[$0].participant].name }
  }

  private mutating func effect(of declaration: Declaration, on target: Scenario.Fault.Target)
    -> Scenario.Fault.Effect?
  {
    guard checkEffect(of: declaration, on: target) else { return nil }
    if let reply = declaration["reply"], let name = reply.string { return self.reply(name, at: reply.site, on: target) }
    if let answer = declaration["answer"] {
      let reply = self.answer(answer)
      return declaration["lost"]?.flag == true ? .replaced(reply) : .answer(reply)
    }
    if declaration["unreachable"]?.flag == true { return .unreachable }
    if declaration["lost"]?.flag == true { return .lost }
    if let fails = declaration["fails"], let name = fails.string { return failure(name, at: fails.site, on: target) }
    if declaration.has("result"), case .perform(let index) = target {
      let type = flow.capabilities[index].result
      return .result(compilation.values(of: declaration["result"].entries, for: type, standing: standing).map(\.value))
    }
    return declaration.has("delay") ? .usual : nil
  }

  /// Members of a fault that strikes a request, and of one that strikes a capability.
  static let ofRequests = ["reply", "answer", "unreachable", "lost", "to", "from"]
  static let ofCapabilities = ["fails", "result"]

  /// A request and a capability fail in different ways.
  private mutating func checkEffect(of declaration: Declaration, on target: Scenario.Fault.Target) -> Bool {
    var (fitting, misplaced) = (Self.ofCapabilities, Self.ofRequests)
    if case .route = target { (fitting, misplaced) = (misplaced, fitting) }
    for name in ["unreachable", "lost"] {
      guard let word = declaration[name], word.flag == false else { continue }
      compilation.findings.error(
        "wrong-type", "\"\(name)\" takes true", at: word.site, "says nothing", help: "write true, or leave it out")
    }
    guard let entry = misplaced.lazy.compactMap({ declaration.entry($0) }).first else { return true }
    compilation.findings.error(
      "conflicting-members", "\"\(entry.name)\" does not happen to this", at: entry.nameSite,
      misplaced == Self.ofRequests ? "only requests do this" : "only capabilities do this",
      help: "here one of \(fitting.map { "\"\($0)\"" }.joined(separator: ", "))")
    return false
  }

  private mutating func reply(_ name: String, at site: Site, on target: Scenario.Fault.Target)
    -> Scenario.Fault.Effect?
  {
    guard case .route(let service, let route, _) = target, let model = flow.services[service].model else { return nil }
    let possible = model.routes[route].next + model.sometimes + model.machine.states.flatMap(\.next)
    let names = possible.filter(\.isSometimes).compactMap(\.name)
    let message = "\"\(name)\" is no \"sometimes\" of \(model.routes[route].line)"
    if !names.contains(name), possible.contains(where: { $0.name == name }) {
      // It is called so there, which may be shown here.
      compilation.findings.error(
        "unknown-reply", message, at: site, "no reply has this name",
        help: "it happens by itself: only what is marked \"sometimes\" can be asked for")
      return nil
    }
    return compilation.index(of: name, "reply", at: site, among: names, message).map { _ in .reply(name) }
  }

  private mutating func failure(_ name: String, at site: Site, on target: Scenario.Fault.Target)
    -> Scenario.Fault.Effect?
  {
    guard case .perform(let index) = target else { return nil }
    let capability = flow.capabilities[index]
    let isThere = compilation.index(
      of: name, "failure", at: site, among: capability.failures,
      "\"\(capability.name)\" does not fail with \"\(name)\"")
    return isThere.map { _ in .fails(name) }
  }

  private mutating func answer(_ declaration: Declaration) -> Reply {
    compilation.refuseCookieHeader(
      in: declaration, help: "only a model sets cookies: give it a \"sometimes\", and ask for that by \"reply\"")
    return Reply(
      status: compilation.status(of: declaration),
      headers: compilation.headers(declaration["headers"], standing: standing), cookies: [],
      body: compilation.body(of: declaration, standing: standing).map { .content($0) }, redirect: nil,
      refs: compilation.refs(of: declaration), site: declaration.site)
  }
}
