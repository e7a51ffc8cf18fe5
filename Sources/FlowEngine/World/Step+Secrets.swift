import Expressions
import FlowSpec

extension Step {
  /// What is secret by its name in what a caller sends to a service, and gets from it.
  mutating func secrets(of service: Int, caller: Flight.Caller) -> SecretNames {
    guard case .exchange(let flight) = caller, let index = index(ofExchange: flight) else {
      return world.secrets(of: service)
    }
    return world.secrets(of: service, snapshot.exchanges[index].service)
  }

  /// An answer with what its services call secret marked, and what leads to the app.
  mutating func mark(_ answer: inout Response.Parts, of flight: Flight) {
    if !answer.headers.isEmpty { locate(&answer, asked: flight.request) }
    var secrets = secrets(of: flight.request.service, caller: flight.caller)
    let isLive = world.isLive(flight.request.service)
    if isLive { secrets = secrets.afterAsking(flight.request) }
    mark(&answer, secrets)
    if isLive { mark(&answer, secrets.afterHearing(answer)) }
  }

  private mutating func mark(_ answer: inout Response.Parts, _ secrets: SecretNames) {
    secrets.mark(&answer)
    guard var location = answer.location else { return }
    answer.location = nil
    if let origin = location.elsewhere { location.base = .elsewhere(Address.hidingUser(origin)) }
    location.query.mark(under: secrets.query)
    location.path = location.path.map { $0.marked(under: secrets.query) }
    if secrets.hidesLocation {
      location.path = location.path.map { $0.marked(secret: "location") }
      for index in location.query.indices { location.query[index].value.mark(secret: "location") }
    }
    markPath(of: &location)
    markForApp(&location, secrets: secrets)
    answer.location = location
    if location.holdsSecret { answer.writtenLocation = answer.writtenLocation?.marked(secret: "location") }
  }

  /// Marks in an address what the route of its service that it leads to calls secret, whatever it is asked by; what leads
  /// to the app may have a word where that route has a variable.
  mutating func markPath(of location: inout Location) {
    guard case .service(let service) = location.base, world.hidesPaths[service], location.origin == nil,
      !isRedirectURI(location),
      let routes = flow.services[service].model?.routes,
      let route = routes.first(where: { $0.path.segments.matches(location.path) })
    else { return }
    world.secrets(of: service).mark(&location.path, of: route)
  }

  /// A secret in a URL ends up in histories and logs: an error, unless the author has said why it must be so.
  ///
  /// The authorization code goes back to the app in the redirect (RFC 6749 §4.1.2).
  mutating func refuseSecrets(in location: Location, site: Site) throws(Stop) {
    guard location.holdsSecret, !flow.overrules("secret-in-url", at: site) else { return }
    let isRedirect = isRedirectURI(location)
    let query = location.query
    for member in query {
      if member.key.isSecretText { throw .failed(.secretInURL("query", site: site)) }
      guard member.value.isSecretText, !(isRedirect && member.name == "code") else { continue }
      throw .failed(.secretInURL("query member \"\(member.name)\"", mayBeForApp: member.name == "code", site: site))
    }
    if location.elsewhere?.isSecret == true { throw .failed(.secretInURL("host", site: site)) }
    if location.path.contains(where: \.isSecret) { throw .failed(.secretInURL("path", site: site)) }
    if location.fragment?.isSecret == true { throw .failed(.secretInURL("fragment", site: site)) }
  }
}

extension Location {
  fileprivate var holdsSecret: Bool {
    if elsewhere?.isSecret == true || fragment?.isSecret == true { return true }
    return Self.holdsSecret(path, query)
  }

  static func holdsSecret(_ path: [Text], _ query: [NamedValue]) -> Bool {
    if query.holdSecretText { return true }
    for index in path.indices where path[index].isSecret { return true }
    return false
  }
}
