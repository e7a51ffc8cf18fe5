import Expressions
import FlowSpec
import JSONSyntax

extension World {
  func book(for config: [Value]) -> AddressBook {
    usualBook.config == config ? usualBook : AddressBook(flow, outside, config)
  }

  /// An address as the flow's participants know it at this moment: `origins` may be what the app has learned.
  func location(of address: Address, app: App) -> Location {
    let book = book(for: app.config)
    let location = book.bases.location(of: address)
    let plain = location ?? Location(elsewhere: address)
    if let own = book.redirects.first(where: { $0.isAt(plain) }) {
      var location = own.location
      location.query = address.query
      return location
    }
    return location
      ?? flow.services.indices.first { isOfOrigins(address, of: $0, app: app) }
      .map { Location(address, ofOriginOf: $0) } ?? plain
  }

  /// An address at one service; `nil` when it is neither of the origin of its `url` nor of one of its `origins`.
  func location(of address: Address, at service: Int, app: App) -> Location? {
    let bases = book(for: app.config).bases
    if let below = bases.location(of: address, at: service) { return below }
    let isOfOrigin = address.isOfOrigin(bases[service]?.origin) || isOfOrigins(address, of: service, app: app)
    return isOfOrigin ? Location(address, ofOriginOf: service) : nil
  }

  /// An origin whose template has no text, since what it reads is not set, is none.
  private func isOfOrigins(_ address: Address, of service: Int, app: App) -> Bool {
    let origins = flow.services[service].origins
    guard !origins.isEmpty else { return false }
    var frame = Frame(roots: Array(repeating: [], count: Root.allCases.count))
    frame.roots[Root.config.rawValue] = app.config
    frame.roots[Root.store.rawValue] = app.store
    frame.roots[Root.memory.rawValue] = app.run?.memory ?? flow.app.initialMemory
    return origins.contains { origin in
      let text = (try? origin.template.evaluate(&frame))??.asText
      return address.isOfOrigin(text.flatMap { Address($0) }?.origin)
    }
  }

  /// The address as text, percent-encoded; marks are kept.
  package func text(of location: Location, config: [Value]) -> Text {
    var text = TextBuilder()
    var hasQuery = false
    switch location.base {
    case .elsewhere(let origin): text.append(origin)
    case .service(let service):
      let base = location.wording == nil ? book(for: config).texts[service] : book(for: config).bases[service]?.origin
      text.append(location.origin ?? base ?? Text(""))
    }
    if let wording = location.wording {
      text.append(wording.text)
      hasQuery = wording.text.string.utf8.contains(UInt8(ascii: "?"))
    } else {
      text.append(path: location.path, isRootless: location.isRootless)
      if location.path.isEmpty, !location.isRootless { text.append("/") }
    }
    for field in location.query.dropFirst(location.wording?.fields ?? 0) {
      text.append(hasQuery ? "&" : "?")
      hasQuery = true
      if let key = field.key.text { text.append(key.percentEncoded) }
      text.append("=")
      if let value = field.value.asText { text.append(value.percentEncoded) }
    }
    if let fragment = location.fragment {
      text.append("#")
      text.append(fragment)
    }
    return text.text
  }
}

extension Location {
  /// An address beside the `url` of a service.
  fileprivate init(_ address: Address, ofOriginOf service: Int) {
    self.init(base: .service(service), origin: address.origin, path: address.path, query: address.query)
  }

  /// Notes how an address that means this was written; what no address has in it is escaped.
  mutating func keepWording(of address: Text) {
    let reference = Reference(address)
    var text = TextBuilder()
    text.append(reference.path.isEmpty ? Text("/") : reference.path.withoutDots.mappingKnown(Self.asSent))
    if let query = reference.query, !query.isEmpty {
      text.append("?")
      text.append(query.mappingKnown(Self.asSent))
    }
    wording = Wording(text: text.text, fields: query.count)
  }

  /// Notes what stands behind the `#` of an address that means this, escaped likewise.
  mutating func keepFragment(of address: Text) {
    guard address.string.utf8.contains(UInt8(ascii: "#")) else { return }
    fragment = Reference(address).fragment?.mappingKnown(Self.asSent)
  }

  private static func asSent(_ written: String) -> String { percentEncoded(written, but: .ofAddress) }
}

extension Text {
  /// Behind it the segments of a path, percent-encoded.
  func followed(by path: [Text]) -> Text {
    var text = TextBuilder()
    text.append(self)
    text.append(path: path)
    return text.text
  }

  /// As it stands in a query.
  ///
  /// What is fresh is made of unreserved characters and stays as it is.
  var percentEncoded: Text { mappingKnown(Expressions.percentEncoded) }
}

extension TextBuilder {
  fileprivate mutating func append(path: [Text], isRootless: Bool = false) {
    for (index, segment) in path.enumerated() {
      if index > 0 || !isRootless { append("/") }
      append(segment.mappingKnown(pathEncoded))
    }
  }
}

extension Step {
  mutating func text(of location: Location) -> Text { world.text(of: location, config: snapshot.app.config) }

  /// An address that an author's template gave; a relative one stands in the answer to `asked`.
  mutating func parse(_ text: Text, asked: Request? = nil, site: Site) throws(Stop) -> Location {
    let redirects = world.book(for: snapshot.app.config).redirects
    if let own = redirects.first(where: { $0.text == text }) { return own.location }
    if let asked, let location = location(of: text, asked: asked) { return location }
    guard let address = Address(text) else { throw .failed(.notAnAddress(site: site)) }
    return world.location(of: address, app: wholeApp)
  }

  /// Where a reference leads that stands in the answer to a request (RFC 3986 §5, RFC 9110 §10.2.2); `nil` where the
  /// service has no address to start from.
  private mutating func location(of reference: Text, asked: Request) -> Location? {
    let resolved = Reference(reference).resolved(against: Reference(text(of: Location(of: asked))))
    return Address(resolved).map { world.location(of: $0, app: wholeApp) }
  }

  /// Takes the `Location` header as what it means; one that means nothing is hidden, since nobody knows what its query holds.
  mutating func locate(_ response: inout Response.Parts, asked: Request) {
    guard let index = response.headers.index(named: "location") else { return }
    let header = response.headers[index].value
    guard let reference = header.text, let location = location(of: reference, asked: asked) else {
      response.headers[index].value = header.marked(secret: "location")
      return
    }
    response.headers.removeAll { $0.name == "location" }
    response.location = location
    if reference.string != text(of: location).string { response.writtenLocation = reference.hidingFragment }
  }

  /// Where a link, form or redirect leads that stands in the answer to `asked`; what the app opens stands in none.
  mutating func location(of target: PageTarget, asked: Request?) throws(Stop) -> Location {
    let service = asked?.service
    var location: Location
    switch target.address {
    case .uri(let placed):
      guard let text = try text(placed) else { throw .failed(.textNeeded(.null, site: placed.site)) }
      location = try parse(text, asked: asked, site: placed.site)
      if asked == nil {
        if case .service(let to) = location.base, world.isLive(to) { location.keepWording(of: text) }
        location.keepFragment(of: text)
      }
    case .service(let other, let template):
      guard let to = other.map({ flow.instance($0, namedBy: service) }) ?? service else {
        throw .failed(.noDestination(site: target.site))
      }
      if let path = target.literalPath {
        location = Location(base: .service(to), path: path, query: [])
      } else {
        location = try self.location(template, at: to, site: target.site)
      }
    }
    // What stands in an answer is shown, with its marks.
    if asked != nil { (location.wording, location.fragment) = (nil, nil) }
    try add(target.query, to: &location.query, site: target.site)
    let to = if case .service(let to) = location.base { to } else { nil as Int? }
    if !location.query.isEmpty {
      location.query.mark(under: world.secrets(of: service, to).query)
    }
    if let fragment = location.fragment {
      // Some answers are fields in a fragment (RFC 6749 §4.2.2).
      var fields = Address.parameters(fragment)
      fields.mark(under: world.secrets(of: service, to).query)
      if fields.holdSecretText { location.fragment = fragment.marked(secret: "fragment") }
    }
    if !location.path.isEmpty { markPath(of: &location) }
    try refuseSecrets(in: location, site: target.site)
    try refuseInTheOpen(location, site: target.site)
    return location
  }

  /// Whether an address is one of the app's redirect URIs: all but the query is equal.
  mutating func isRedirectURI(_ location: Location) -> Bool {
    world.book(for: snapshot.app.config).redirects.contains { $0.isAt(location) }
  }

  /// The variables of a link pattern that an address matches, with what its query says to the event; `nil` when it does not.
  mutating func match(_ location: Location, _ pattern: LinkPattern) -> [NamedValue]? {
    let (origin, path) = parts(of: location)
    guard let path, !location.isRootless, origin?.string == normalizedOrigin(pattern.origin),
      pattern.segments.matches(path)
    else { return nil }
    return pattern.segments.variables(in: path).entries
      + (pattern.event.map { location.query.said(to: flow.app.events[$0]) } ?? location.query)
  }

  /// The origin, which says no port that its scheme implies, and the path of an address, as who opens it would read them.
  private mutating func parts(of location: Location) -> (origin: Text?, path: [Text]?) {
    let base: Address?
    var origin: Text?
    switch location.base {
    case .elsewhere(let other): (base, origin) = (nil, other)
    case .service(let service):
      base = location.origin == nil ? world.book(for: snapshot.app.config).bases[service] : nil
      origin = location.origin ?? base?.origin
    }
    // Behind a scheme alone an empty segment makes a host of the next, behind a path none makes one that is empty.
    guard let first = location.path.first, !first.isEmpty else {
      let address = Address(text(of: location))
      return (address?.origin, address?.path)
    }
    return (origin, (base?.path ?? []) + location.path)
  }
}
