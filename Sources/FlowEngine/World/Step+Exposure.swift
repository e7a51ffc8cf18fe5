import Expressions
import FlowSpec

/// What is secret leaves this machine encrypted or not at all, whatever an author overrules; a simulation shows that.
extension Step {
  /// Refuses a request with a secret in a part that anyone on the way could read; in a simulation unless that is overruled.
  mutating func refuseInTheOpen(_ request: Request, site: Site) throws(Stop) {
    let origin = request.origin ?? world.book(for: snapshot.app.config).bases[request.service]?.origin
    guard let origin, goesInTheOpen(origin.string),
      world.isLive(request.service) || !flow.overrules("secret-over-http", at: site)
    else { return }
    try refuseInTheOpen(request.secretPart, to: Location(of: request), site: site)
  }

  /// The same of what is known to stand in a part of it.
  func refuseInTheOpen(_ part: String?, to location: Location, site: Site?) throws(Stop) {
    guard let part, case .service(let service) = location.base, goesInTheOpen(text(of: location).string) else { return }
    throw .failed(.secretInTheOpen(part, of: flow.participants[lanes.services[service]].name, site: site))
  }
}

extension Location {
  /// Where a secret stands in it, in words; `nil` where none does.
  var secretPart: String? {
    if path.contains(where: \.isSecret) { return "the path" }
    if query.contains(where: \.key.isSecretText) { return "the query" }
    return query.first { $0.value.holdsSecret }.map { "query member \"\($0.name)\"" }
  }
}

extension Request {
  var secretPart: String? {
    if let part = Location(of: self).secretPart { return part }
    if parts.bearer?.isSecret == true { return "the bearer token" }
    if let header = parts.headers.first(where: { $0.value.holdsSecret }) { return "header \"\(header.name)\"" }
    if let cookie = parts.cookies.first(where: { $0.value.holdsSecret }) { return "cookie \"\(cookie.name)\"" }
    let isInBody =
      switch parts.body {
      case .json(let value): value.holdsSecret
      case .form(let fields): fields.contains { $0.value.holdsSecret }
      case .text(let text): text.isSecret
      case nil: false
      }
    return isInBody ? "the body" : nil
  }
}

extension Diagnostic {
  fileprivate static func secretInTheOpen(_ part: String, of service: String, site: Site?) -> Diagnostic {
    Diagnostic(
      code: "secret-over-http", message: "A secret in \(part) would go to \"\(service)\" without encryption",
      labels: site.map { [Label(site: $0, text: "is not sent")] } ?? [],
      help: "give the service an https address, or one on this machine")
  }
}
