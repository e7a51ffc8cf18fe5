import Expressions
import FlowSpec

extension Step {
  /// A request with what its services call secret marked; `authorization` and cookies always are.
  func mark(_ request: inout Request, route: Route?, caller: Flight.Caller) {
    let services = services(of: request.service, caller: caller)
    mark(&request.query, part: .query, services: services)
    for index in request.headers.indices {
      let name = request.headers[index].name
      if name == "authorization" || name == "cookie" || names(name, part: .header, services: services) {
        request.headers[index].value.mark(secret: name)
      }
    }
    if let bearer = request.bearer, bearer.whole?.secret == nil { request.bearer = bearer.marked(secret: "bearer") }
    for index in request.cookies.indices { request.cookies[index].value.mark(secret: request.cookies[index].name) }
    mark(&request.body, services: services)
    guard let route else { return }
    for (index, segment) in route.path.segments.enumerated() where request.path.indices.contains(index) {
      guard let name = segment.variable, names(name, part: .path, services: services) else { continue }
      request.path[index] = segment.replacing(in: request.path[index]) { $0.marked(secret: name) }
    }
  }

  func marked(_ answer: Answer, flight: Flight) -> Answer {
    guard case .response(let arrived) = answer else { return answer }
    var response = located(arrived, asked: flight.request)
    let services = services(of: flight.request.service, caller: flight.caller)
    for index in response.headers.indices {
      let name = response.headers[index].name
      if name == "set-cookie" || names(name, part: .header, services: services) {
        response.headers[index].value.mark(secret: name)
      }
    }
    for index in response.cookies.indices { response.cookies[index].value.mark(secret: response.cookies[index].name) }
    switch response.body {
    case .json(let value): if let marked = marked(value, services: services) { response.body = .json(marked) }
    case .form(var fields):
      mark(&fields, part: .form, services: services)
      response.body = .form(fields)
    case .text(let text): if let value = secretJSON(in: text, services: services) { response.body = .json(value) }
    case .page, nil: break
    }
    if var location = response.location {
      mark(&location.query, part: .query, services: services)
      response.location = markedForApp(location, services: services)
    }
    return .response(response)
  }

  /// A secret in a URL ends up in histories and logs: an error, unless the author has said why it must be so.
  ///
  /// The authorization code goes back to the app in the redirect (RFC 6749 §4.1.2).
  func refuseSecrets(in location: Location, despite: [String: String], site: Site) throws(Stop) {
    guard despite["secret-in-url"] == nil else { return }
    let isRedirect = try isRedirectURI(location)
    let inQuery = location.query.first { field in
      field.value.text?.isSecret == true && !(isRedirect && field.name == "code")
    }
    if let inQuery { throw .failed(.secretInURL("query member \"\(inQuery.name)\"", site: site)) }
    if case .elsewhere(let origin) = location.base, origin.isSecret { throw .failed(.secretInURL("host", site: site)) }
    if location.path.contains(where: \.isSecret) { throw .failed(.secretInURL("path", site: site)) }
  }

  func mark(_ fields: inout [NamedValue], part: SecretName.Part, services: [Int]) {
    for index in fields.indices where names(fields[index].name, part: part, services: services) {
      fields[index].value.mark(secret: fields[index].name)
    }
  }

  func marked(_ field: NamedValue, part: SecretName.Part, services: [Int]) -> NamedValue {
    guard names(field.name, part: part, services: services) else { return field }
    return NamedValue(name: field.name, value: field.value.marked(secret: field.name))
  }

  /// A service's traffic is what it is asked and what it asks: the names of both ends count.
  private func services(of service: Int, caller: Flight.Caller) -> [Int] {
    guard case .exchange(let flight) = caller, let exchange = snapshot.exchanges.first(where: { $0.flight == flight })
    else { return [service] }
    return [service, exchange.service]
  }

  private func mark(_ body: inout Request.Body?, services: [Int]) {
    switch body {
    case .json(let value): if let marked = marked(value, services: services) { body = .json(marked) }
    case .form(var fields):
      mark(&fields, part: .form, services: services)
      body = .form(fields)
    case .text(let text): if let value = secretJSON(in: text, services: services) { body = .json(value) }
    case nil: break
    }
  }

  /// A text that is JSON with something secret in it, as what it is; `nil` for any other text.
  private func secretJSON(in text: Text, services: [Int]) -> Value? {
    guard let value = Value(jsonText: text.string) else { return nil }
    let marked = marked(value, services: services) ?? value
    let names = services.flatMap { flow.services[$0].secrets }.filter(\.isOfJSON).map(\.name)
    return marked != value || value.hasScalar(under: Set(names)) ? marked : nil
  }

  /// `nil` where nothing in it is secret by its name.
  private func marked(_ json: Value, services: [Int]) -> Value? {
    switch json {
    case .list(let elements):
      var copy: [Value]?
      for index in elements.indices {
        if let marked = marked(elements[index], services: services) {
          copy = copy ?? elements
          copy?[index] = marked
        }
      }
      return copy.map { .list($0) }
    case .map(let map):
      var copy: ValueMap?
      for index in map.entries.indices {
        let name = map.entries[index].key.text?.string ?? ""
        let value = map.entries[index].value
        let isSecret = names(name, part: .json, services: services)
        guard let marked = isSecret ? value.marked(secret: name) : marked(value, services: services) else { continue }
        copy = copy ?? map
        copy?.replaceValue(at: index, with: marked)
      }
      return copy.map { .map($0) }
    default: return nil
    }
  }

  private func names(_ name: String, part: SecretName.Part, services: [Int]) -> Bool {
    services.contains { service in
      flow.services[service].secrets.contains { $0.name == name && ($0.part == nil || $0.part == part) }
    }
  }
}
