import Expressions
import FlowSpec

extension Step {
  /// A request with what its services call secret marked; `authorization` and cookies always are.
  func marked(_ request: Request, route: Route?, caller: Flight.Caller) -> Request {
    let services = services(of: request.service, caller: caller)
    var request = request
    request.query = request.query.map { marked($0, part: .query, services: services) }
    request.headers = request.headers.map { field in
      if field.name == "authorization" || field.name == "cookie" {
        return NamedValue(name: field.name, value: field.value.marked(secret: field.name))
      }
      return marked(field, part: .header, services: services)
    }
    request.bearer = request.bearer?.marked(secret: "bearer")
    request.cookies = request.cookies.map { NamedValue(name: $0.name, value: $0.value.marked(secret: $0.name)) }
    request.body = marked(request.body, services: services)
    if let route {
      for (index, segment) in route.path.segments.enumerated() where request.path.indices.contains(index) {
        guard let name = segment.variable, names(name, part: .path, services: services) else { continue }
        request.path[index] = segment.replacing(in: request.path[index]) { $0.marked(secret: name) }
      }
    }
    return request
  }

  func marked(_ answer: Answer, flight: Flight) -> Answer {
    guard case .response(let arrived) = answer else { return answer }
    var response = located(arrived, asked: flight.request)
    let services = services(of: flight.request.service, caller: flight.caller)
    response.headers = response.headers.map { field in
      let isCookie = field.name == "set-cookie"
      return isCookie
        ? NamedValue(name: field.name, value: field.value.marked(secret: field.name))
        : marked(field, part: .header, services: services)
    }
    response.cookies = response.cookies.map { NamedValue(name: $0.name, value: $0.value.marked(secret: $0.name)) }
    switch response.body {
    case .json(let value): response.body = .json(marked(value, services: services))
    case .form(let fields): response.body = .form(fields.map { marked($0, part: .form, services: services) })
    case .text(let text): if let value = secretJSON(in: text, services: services) { response.body = .json(value) }
    case .page, nil: break
    }
    if var location = response.location {
      location.query = location.query.map { marked($0, part: .query, services: services) }
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

  private func marked(_ body: Request.Body?, services: [Int]) -> Request.Body? {
    switch body {
    case .json(let value): .json(marked(value, services: services))
    case .form(let fields): .form(fields.map { marked($0, part: .form, services: services) })
    case .text(let text): secretJSON(in: text, services: services).map { .json($0) } ?? body
    case nil: body
    }
  }

  /// A text that is JSON with something secret in it, as what it is; `nil` for any other text.
  private func secretJSON(in text: Text, services: [Int]) -> Value? {
    guard let value = Value(jsonText: text.string) else { return nil }
    let marked = marked(value, services: services)
    let names = services.flatMap { flow.services[$0].secrets }.filter(\.isOfJSON).map(\.name)
    return marked != value || value.hasScalar(under: Set(names)) ? marked : nil
  }

  private func marked(_ json: Value, services: [Int]) -> Value {
    switch json {
    case .list(let elements): return .list(elements.map { marked($0, services: services) })
    case .map(let map):
      return .map(
        map.mapEntries { key, value in
          let name = key.text?.string ?? ""
          return names(name, part: .json, services: services)
            ? value.marked(secret: name) : marked(value, services: services)
        })
    default: return json
    }
  }

  private func names(_ name: String, part: SecretName.Part, services: [Int]) -> Bool {
    services.contains { service in
      flow.services[service].secrets.contains { $0.name == name && ($0.part == nil || $0.part == part) }
    }
  }
}
