import Expressions
import FlowSpec

/// What is secret leaves this machine encrypted or not at all, whatever an author overrules; a simulation shows that.
extension Step {
  /// Refuses a request with a secret in a part that anyone on the way could read; in a simulation unless that is overruled.
  mutating func refuseInTheOpen(_ request: Request, site: Site) throws(Stop) {
    guard isOpen(request) else { return }
    if !world.isLive(request.service), flow.overrules("secret-over-http", at: site) { return }
    let location = Location(of: request)
    try refuseInTheOpen(request.secretPart ?? secretBase(of: location), to: location, site: site)
  }

  /// The same of what a model answers, its marks by name not yet made.
  mutating func refuseInTheOpen(_ answer: Response.Parts, of flight: Flight, site: Site) throws(Stop) {
    guard isOpen(flight.request), !flow.overrules("secret-over-http", at: site) else { return }
    var answer = answer
    secrets(of: flight.request.service, caller: flight.caller).mark(&answer)
    guard let part = answer.secretPart else { return }
    let service = flow.participants[lanes.services[flight.request.service]].name
    throw .failed(.secretInTheOpen("A secret in \(part) would come from \"\(service)\"", site: site))
  }

  /// The same of an address that the app, a page, a mail or a redirect gives, before anybody goes there.
  mutating func refuseInTheOpen(_ location: Location, site: Site) throws(Stop) {
    guard isOpen(location), !flow.overrules("secret-over-http", at: site) else { return }
    try refuseInTheOpen(location.secretPart ?? secretBase(of: location), to: location, site: site)
  }

  /// The same of what is filled into a form, which goes there.
  mutating func refuseInTheOpen(_ fields: [NamedValue], to location: Location, site: Site) throws(Stop) {
    guard isOpen(location), !flow.overrules("secret-over-http", at: site) else { return }
    let secret = fields.first { $0.value.holdsSecret }
    try refuseInTheOpen(secret.map { "the field \"\($0.name)\"" }, to: location, site: site)
  }

  /// The same of what a browser takes along to an address of a service that it has it from under another.
  mutating func refuseInTheOpen(_ cookies: [NamedValue], of location: Location, site: Site?) throws(Stop) {
    guard case .service(let service) = location.base, location.origin != nil, isOpen(location),
      !world.book(for: snapshot.app.config).isOpen[service]
    else { return }
    // Whoever followed a link or a redirect there is not known any more; its service is.
    let site = site ?? flow.participants[lanes.services[service]].site
    if flow.overrules("secret-over-http", at: site) { return }
    let secret = cookies.first { $0.value.holdsSecret }
    try refuseInTheOpen(secret.map { "cookie \"\($0.name)\"" }, to: location, site: site)
  }

  /// What an address begins with, in words, where a secret is in that; `nil` where none is.
  private mutating func secretBase(of location: Location) -> String? {
    let base =
      switch location.base {
      case .service(let service): location.origin ?? world.book(for: snapshot.app.config).texts[service]
      case .elsewhere(let origin): origin
      }
    return base.isSecret ? "the address itself" : nil
  }

  private mutating func isOpen(_ request: Request) -> Bool { isOpen(request.service, at: request.origin) }

  private mutating func isOpen(_ location: Location) -> Bool {
    switch location.base {
    case .service(let service): isOpen(service, at: location.origin)
    case .elsewhere(let origin): goesInTheOpen(origin.string)
    }
  }

  /// Whether anyone could read along on the way to a service, at its `url` or at another origin of its own.
  private mutating func isOpen(_ service: Int, at origin: Text?) -> Bool {
    if let origin { return goesInTheOpen(origin.string) }
    return world.book(for: snapshot.app.config).isOpen[service]
  }

  /// The same of what is known to stand in a part of it.
  mutating func refuseInTheOpen(_ part: String?, to location: Location, site: Site?) throws(Stop) {
    guard let part, goesInTheOpen(text(of: location).string) else { return }
    let name =
      switch location.base {
      case .service(let service): "\"\(flow.participants[lanes.services[service]].name)\""
      case .elsewhere(let origin): origin.isSecret ? "an address that is secret itself" : origin.string
      }
    throw .failed(.secretInTheOpen("A secret in \(part) would go to \(name)", site: site))
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
    return parts.body?.holdsSecret == true ? "the body" : nil
  }
}

extension Response.Parts {
  fileprivate var secretPart: String? {
    if let header = headers.first(where: { $0.value.holdsSecret }) { return "header \"\(header.name)\"" }
    if let cookie = cookies.first(where: { $0.value.holdsSecret }) { return "cookie \"\(cookie.name)\"" }
    if let location, location.secretPart != nil { return "the address that it leads to" }
    if let page, page.title.isSecret || page.text?.isSecret == true { return "the page" }
    return body?.holdsSecret == true ? "the body" : nil
  }
}

extension Body {
  fileprivate var holdsSecret: Bool {
    switch self {
    case .json(let value): value.holdsSecret
    case .form(let fields): fields.contains { $0.value.holdsSecret }
    case .text(let text): text.isSecret
    }
  }
}

extension Diagnostic {
  fileprivate static func secretInTheOpen(_ what: String, site: Site?) -> Diagnostic {
    Diagnostic(
      code: "secret-over-http", message: "\(what) without encryption",
      labels: site.map { [Label(site: $0, text: "is not sent")] } ?? [],
      help: "give the service an https address, or one on this machine")
  }
}
