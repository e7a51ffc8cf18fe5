import Expressions

/// Where addresses of a flow may lead: below the bases of services, to the app's links and its redirect URIs.
struct KnownAddresses {
  let flow: Flow
  /// The bases that are known whole, with the models of their services.
  private var places: [(base: String, model: ServiceModel?)] = []
  /// What is known of each base.
  private var bases: [(start: String, isWhole: Bool)] = []
  private let links: PathIndex
  /// Of the links, which are held against each address that leads nowhere.
  let linkShapes: [String]
  private let origins: Set<String>
  private let redirects: [(start: String, isWhole: Bool)]
  /// The redirect URIs without their queries, and the schemes of these.
  private let own: [String]
  private let ownTexts: Set<String>
  private let ownSchemes: Set<String>
  /// The redirect URIs as `strangePage` compares them.
  private let ownPlaces: [[String]?]
  private let redirectStarts: Set<String>
  /// The origins of the redirect URIs, and of services.
  private let ownOrigins, baseOrigins: Set<String>

  init(_ flow: Flow) {
    self.flow = flow
    let linkOrigins = flow.links.map { normalizedOrigin($0.origin) }
    links = PathIndex(zip(linkOrigins, flow.links).map { ($0, $1.segments) })
    origins = Set(linkOrigins)
    linkShapes = zip(linkOrigins, flow.links).map { $0 + $1.segments.shape }
    redirects = flow.redirectURIs.map { Self.known($0, of: flow) }
    redirectStarts = Set(redirects.map(\.start))
    own = redirects.map { String($0.start.prefix { !"?#".contains($0) }) }
    (ownTexts, ownSchemes) = (Set(own.map(Self.withoutLocalPort)), Set(own.compactMap(Self.scheme)))
    ownPlaces = own.map(Self.place)
    ownOrigins = Set(own.map { Self.origin(of: Self.withoutLocalPort($0)) })
    for service in flow.services {
      for base in service.origins + [service.url].compactMap(\.self) {
        var known = Self.known(base, of: flow)
        if known.isWhole { known.start = Self.withoutLastSlash(known.start) }
        bases.append(known)
        if known.isWhole { places.append((known.start, service.model)) }
      }
    }
    baseOrigins = Set(bases.map { Self.origin(of: $0.start) })
  }

  /// What is known of an address that is declared, as a run compares it.
  private static func known(_ uri: PlacedTemplate, of flow: Flow) -> (start: String, isWhole: Bool) {
    let (start, isWhole) = uri.template.known(with: flow.app.config)
    return (normalizedAddress(start, isWhole: isWhole), isWhole)
  }

  /// What documents say of an address; where a service or a redirect URI may be deeper, no more than its start.
  func address(_ uri: PlacedTemplate, of examined: Examined, _ keys: SegmentKeys) -> WrittenOutAddress {
    let address = WrittenOutAddress(uri, with: examined.machine.config, keys: keys)
    guard address.text.contains(WrittenOutAddress.unknown) else { return address }
    let start = address.start
    return mayGoOn(start.text) || redirects.contains { $0.start.hasPrefix(start.text) } ? start : address
  }

  /// Whether a base begins so.
  func mayGoOn(_ start: String) -> Bool { bases.contains { $0.start.hasPrefix(start) } }

  /// The nearest base, as in a run: the longest, of those of several services the first.
  func place(of text: String) -> (base: String, model: ServiceModel?)? {
    places.filter { Self.isBelow($0.base, text) }.max { $0.base.utf8.count < $1.base.utf8.count }
  }

  /// Whether a link of the app may have such an address, of which the start alone may be known.
  func mayBeLink(_ text: String, isWhole: Bool) -> Bool {
    origins.contains { origin in
      guard Self.isBelow(origin, text) else { return false }
      let path = Self.path(of: text, below: origin, isWhole: isWhole)
      return links.candidates(origin, path, isWhole: isWhole).joined().contains {
        flow.links[$0].segments.start(with: path)
      }
    }
  }

  /// Whether a redirect URI begins so.
  func mayBeRedirect(_ text: String) -> Bool {
    redirectStarts.contains(text) || redirects.contains { $0.start.hasPrefix(text) }
  }

  /// Whether each base is known, and none begins so.
  func isElsewhere(_ text: String) -> Bool { !mayGoOn(text) && bases.allSatisfy(\.isWhole) }

  /// Whether an address goes on behind a base with a path.
  private static func isBelow(_ base: String, _ text: String) -> Bool {
    text.utf8.starts(with: base.utf8) && text.utf8.dropFirst(base.utf8.count).first == UInt8(ascii: "/")
  }

  /// The segments below a base, as in a run, which keeps those that are empty; what may go on is none.
  static func path(of text: String, below base: String, isWhole: Bool) -> [String] {
    let path = text.utf8.dropFirst(base.utf8.count + 1)
    // A slash alone behind a host says no more than none.
    if path.isEmpty, !hasPath(base) { return [] }
    return path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast(isWhole ? 0 : 1)
      .map { String(Substring($0)) }
  }

  /// A base without a slash at its end, which is none of its path's segments.
  private static func withoutLastSlash(_ base: String) -> String {
    hasPath(base) && base.utf8.last == UInt8(ascii: "/") ? String(Substring(base.utf8.dropLast())) : base
  }

  /// Whether something stands behind the host of a base, if no more than a slash.
  private static func hasPath(_ base: String) -> Bool {
    base.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false).count > 3
  }

  /// An address, without its query, that has the scheme of the app's own redirect URIs and is none of these.
  ///
  /// The address of another app is nobody's mistake.
  func strangeRedirect(to text: String, at site: Site) -> Diagnostic? {
    guard let scheme = Self.scheme(of: text), !["http", "https"].contains(scheme), ownSchemes.contains(scheme),
      !ownTexts.contains(text), redirects.allSatisfy(\.isWhole)
    else { return nil }
    return Diagnostic(
      "unanswered-request", "this is no redirect URI of the app, though it has the scheme of one", at: site,
      "leads nowhere", help: meant(by: text))
  }

  /// An address of the web, without its query, to which the app has a code sent, and that is none of its redirect URIs,
  /// though it has the origin of one.
  ///
  /// They are compared as a run does, by what they say: `/%62ack` is `/back`.
  /// A server may take the code first: what has the origin of a service is left alone, and all that is elsewhere.
  func strangePage(to text: String, at site: Site) -> Diagnostic? {
    guard let scheme = Self.scheme(of: text), ["http", "https"].contains(scheme), let place = Self.place(of: text),
      ownPlaces.allSatisfy({ $0 != nil && $0 != place }),
      redirects.allSatisfy(\.isWhole), bases.allSatisfy(\.isWhole), flow.services.allSatisfy({ $0.url != nil }),
      !baseOrigins.contains(Self.origin(of: text)),
      ownOrigins.contains(Self.origin(of: Self.withoutLocalPort(text)))
    else { return nil }
    return Diagnostic(
      "unanswered-request", severity: .warning,
      "this is no redirect URI of the app, though it has the origin of one: the code does not come to the app",
      at: site,
      "leads elsewhere", help: meant(by: text))
  }

  /// Help for who wrote an address that is no redirect URI.
  private func meant(by text: String) -> String {
    let shown = flow.redirectURIs.map { uri in
      normalizedAddress(String(uri.template.shown(with: flow.app.config).prefix { !"?#".contains($0) }), isWhole: true)
    }
    let nearest = nearestName(to: text, among: own).flatMap { own.firstIndex(of: $0) }.map { shown[$0] }
    return nearest.map { "did you mean \($0)?" } ?? "they are \(shown.listed)"
  }

  /// An address up to its path.
  private static func origin(of text: String) -> String {
    text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
      .lowercased()
  }

  /// An address without the port of this machine, which any free one may stand for (RFC 8252, section 7.3).
  private static func withoutLocalPort(_ text: String) -> String {
    let origin = origin(of: text)
    for local in ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"] where origin.hasPrefix(local) {
      return "\(local.dropLast())\(text.dropFirst(origin.count))"
    }
    return text
  }

  /// The origin of an address of the web and the segments of its path, percent-decoded; `nil` where one of these is `.`
  /// or `..`.
  private static func place(of address: String) -> [String]? {
    let text = withoutLocalPort(address)
    let path = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
    // A slash alone says no more than none.
    let segments = path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false)
    let decoded = segments.map { percentDecoded(String($0)).text }
    return decoded.contains(where: \.isDotSegment) ? nil : [origin(of: text)] + decoded
  }

  /// The scheme of an address; `nil` without one.
  private static func scheme(of address: String) -> String? {
    let scheme = address.prefix { $0 != ":" }
    return isScheme(scheme) && scheme.endIndex < address.endIndex ? String(scheme) : nil
  }
}
