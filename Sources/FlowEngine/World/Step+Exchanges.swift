import Expressions
import FlowSpec

extension Step {
  /// Lets the model act on a flight, to its reply or to its first wait.
  mutating func serve(_ number: Int, reply: String?) throws(Stop) {
    guard let index = index(ofFlight: number) else { return }
    let request = snapshot.flights[index].request
    let service = request.service
    guard let model = flow.services[service].model else {
      throw .failed(.noModel(flow.participants[lanes.services[service]]))
    }
    snapshot.flights[index].stage = .serving
    guard let route = snapshot.flights[index].route.map({ model.routes[$0] }) else {
      return try answered(.noRoute(request), flight: number, reply: "no such route", refs: [])
    }
    let machine = model.machine
    let run = MachineRun(
      memory: machine.initialMemory,
      levels: [Level(routine: 0, leaf: machine.routines[0].root, waiting: .events)])
    snapshot.exchanges.append(
      Exchange(
        flight: number, service: service, request: slots(of: request, route: route, model), run: run, wanted: reply))
    let outerCause = cause
    cause = nil
    defer { cause = outerCause }
    let actor = Actor.exchange(number)
    if try !takeFirst(of: route.next, state: machine.routines[0].root, level: 0, as: actor) {
      throw .failed(.nothingHolds(route))
    }
    try settle(actor)
  }

  func routeLine(of number: Int) -> String? {
    guard let flight = snapshot.flights.first(where: { $0.number == number }), let route = flight.route else {
      return nil
    }
    return flow.services[flight.request.service].model?.routes[route].line
  }

  /// A transition replies: the exchange is over, its answer and its mail leave.
  mutating func answer(with reply: Reply, transition: Transition, refs: [String], as actor: Actor) throws(Stop) {
    guard case .exchange(let number) = actor else { return }
    look(as: actor)
    guard let flight = index(ofFlight: number) else { return }
    let asked = snapshot.flights[flight].request
    let response = try response(reply, to: asked, key: transition.id)
    try refuseInTheOpen(response, of: snapshot.flights[flight], site: reply.site)
    guard let exchange = index(ofExchange: number) else { return }
    if let wanted = snapshot.exchanges[exchange].wanted {
      throw .failed(.sometimesNotReached(wanted, site: transition.site))
    }
    outgoing = snapshot.exchanges[exchange].mail
    snapshot.exchanges.remove(at: exchange)
    try answered(
      consume response, flight: number, reply: transition.name, refs: reply.refs.isEmpty ? refs : reply.refs)
  }

  /// `key` tells the reply's page from others of its service.
  mutating func response(_ reply: Reply, to asked: Request, key: Int) throws(Stop) -> Response.Parts {
    var response = Response.Parts(status: reply.status)
    try fill(&response, as: reply, to: asked, key: key)
    return response
  }

  private mutating func fill(
    _ response: inout Response.Parts, as reply: Reply, to asked: Request, key: Int
  ) throws(Stop) {
    if !reply.headers.isEmpty { response.headers = try headers(reply.headers, site: reply.site) }
    if !reply.cookies.isEmpty { response.cookies = try cookies(reply.cookies) }
    if !response.headers.isEmpty { locate(&response, asked: asked) }
    if var location = response.location {
      try refuseSecrets(in: location, site: reply.site)
      location.query.mark(under: world.secrets(of: asked.service).query)
      try refuseInTheOpen(location, site: reply.site)
    }
    if let redirect = reply.redirect {
      response.location = try location(of: redirect, asked: asked)
    }
    switch reply.body {
    case nil: break
    case .content(let content): response.body = try body(content, site: reply.site)
    case .page(let page): response.page = try show(page, asked: asked, key: key)
    }
  }

  /// Instants stay instants while they travel; what is no scalar cannot stand in a header.
  private mutating func headers(_ fields: [FieldValue], site: Site) throws(Stop) -> [NamedValue] {
    var headers: [NamedValue] = []
    for field in fields {
      guard let value = try build(field.value)?.unwrapped else { continue }
      if case .timestamp = value {
        headers.append(NamedValue(key: field.key, value: value))
      } else {
        headers.append(NamedValue(key: field.key, value: .string(try text(value, site: field.value.site ?? site))))
      }
    }
    for header in headers where header.value.text?.endsLine == true {
      throw .failed(.brokenHeader(header.name, site: site))
    }
    return headers
  }

  private mutating func cookies(_ fields: [FieldValue]) throws(Stop) -> [NamedValue] {
    var cookies: [NamedValue] = []
    for field in fields {
      guard let value = try build(field.value) else { continue }
      let text = value.unwrapped.asText
      cookies.append(
        NamedValue(name: field.name, value: text.map { .string($0.marked(secret: field.name)) } ?? .null))
    }
    return cookies
  }

  private mutating func show(_ page: Page, asked: Request, key: Int) throws(Stop) -> ShownPage {
    let title = try shown(page.title, by: asked.service) ?? Text("")
    let text = try shown(page.text, by: asked.service)
    var forms: [ShownPage.Form] = []
    forms.reserveCapacity(page.forms.count)
    for form in page.forms {
      let examples = try examples(of: form)
      let target = try location(of: form.target, asked: asked)
      forms.append(ShownPage.Form(written: form, target: target, examples: examples))
    }
    var links: [ShownPage.Link] = []
    for link in page.links {
      let target = try location(of: link.target, asked: asked)
      links.append(ShownPage.Link(name: link.name, title: link.title, target: target, refs: link.refs))
    }
    return ShownPage(
      service: asked.service, key: key, title: title, text: text, forms: forms, links: links, refs: page.refs)
  }

  private mutating func examples(of form: Page.Form) throws(Stop) -> [Value?] {
    if let known = form.knownExamples { return known }
    var examples: [Value?] = []
    for (field, example) in zip(form.fields.fields, form.examples) {
      guard let example, var value = try build(example) else {
        examples.append(nil)
        continue
      }
      try fit(&value, as: field, from: example)
      if !value.isNull { _ = try text(value, site: example.site ?? form.site) }
      examples.append(value)
    }
    return examples
  }
}

extension Response.Parts {
  /// What a model answers where it has no route: 404, and it says so.
  static func noRoute(_ request: Request) -> Response.Parts {
    // No route says what of it is a secret.
    let path = request.path.map { $0.isSecret || !$0.string.mayBeChosen ? "…" : $0.string }.joined(separator: "/")
    return Response.Parts(status: 404, body: .text(Text("The model has no route \(request.method) /\(path)")))
  }
}

extension Request {
  /// Why no client sends it: a header whose value would end it (RFC 9110 §5.5); `nil` where there is none.
  package var whyUnsent: String? {
    var broken = parts.headers.first { $0.value.text?.endsLine == true }?.name
    if parts.bearer?.endsLine == true { broken = broken ?? "authorization" }
    return broken.map { "the value of header \($0) holds a control character" }
  }
}

extension Text {
  /// Whether a control character is in it; what is fresh from end to end has none, as the names of such values have none.
  fileprivate var endsLine: Bool { originKey == nil && string.utf8.contains { $0 < 0x20 && $0 != 9 || $0 == 0x7F } }
}
