import Expressions

/// Where addresses of a flow may lead: below the bases of services, to the app's links and its redirect URIs.
struct KnownAddresses {
  let flow: Flow
  /// The bases that are known whole, each with the model of the first service that has it.
  private var places: [String: ServiceModel?] = [:]
  /// What is known of each base.
  private var bases: [(start: String, isWhole: Bool)] = []
  private let links: PathIndex
  private let origins: Set<String>
  private let redirects: [(start: String, isWhole: Bool)]
  /// The redirect URIs without their queries, and the schemes of these.
  private let own: [String]
  private let ownTexts: Set<String>
  private let ownSchemes: Set<String>
  private let redirectStarts: Set<String>

  init(_ flow: Flow) {
    self.flow = flow
    links = PathIndex(flow.links.map { ($0.origin, $0.segments) })
    origins = Set(flow.links.map(\.origin))
    redirects = flow.redirectURIs.map { $0.template.known(with: flow.app.config) }
    redirectStarts = Set(redirects.map(\.start))
    let own = redirects.map { Self.withScheme($0.start.prefix { !"?#".contains($0) }) }
    self.own = own.map(\.text)
    (ownTexts, ownSchemes) = (Set(self.own), Set(own.compactMap(\.scheme)))
    for service in flow.services {
      for base in service.origins + [service.url].compactMap(\.self) {
        let known = base.template.known(with: flow.app.config)
        bases.append(known)
        if known.isWhole, places[known.start] == nil { places[known.start] = .some(service.model) }
      }
    }
  }

  /// The nearest base, as in a run.
  func place(of text: String) -> (base: String, model: ServiceModel?)? {
    for slash in text.utf8.indices.reversed() where text.utf8[slash] == UInt8(ascii: "/") {
      let base = String(text[..<slash])
      if let model = places[base] { return (base, model) }
    }
    return nil
  }

  /// Whether a link of the app may have such an address, of which the start alone may be known.
  func mayBeLink(_ text: String, isWhole: Bool) -> Bool {
    origins.contains { origin in
      guard text.hasPrefix(origin + "/") else { return false }
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
  func isElsewhere(_ text: String) -> Bool { bases.allSatisfy { $0.isWhole && !$0.start.hasPrefix(text) } }

  /// The segments below a base; what may go on is none.
  static func path(of text: String, below base: String, isWhole: Bool) -> [String] {
    text.dropFirst(base.count).split(separator: "/").dropLast(isWhole || text.last == "/" ? 0 : 1).map(String.init)
  }

  /// An address, without its query, that has the scheme of the app's own redirect URIs and is none of these.
  ///
  /// The address of another app is nobody's mistake.
  func strangeRedirect(to address: String, at site: Site) -> Diagnostic? {
    let (scheme, text) = Self.withScheme(address[...])
    guard let scheme, !["http", "https"].contains(scheme), ownSchemes.contains(scheme), !ownTexts.contains(text),
      redirects.allSatisfy(\.isWhole)
    else { return nil }
    let shown = flow.redirectURIs.map { uri in
      Self.withScheme(uri.template.shown(with: flow.app.config).prefix { !"?#".contains($0) }).text
    }
    let nearest = nearestName(to: text, among: own).flatMap { own.firstIndex(of: $0) }.map { shown[$0] }
    return Diagnostic(
      "unanswered-request", "this is no redirect URI of the app, though it has the scheme of one", at: site,
      "leads nowhere", help: nearest.map { "did you mean \($0)?" } ?? "they are \(shown.listed)")
  }

  /// An address with its scheme in lower case, as it is compared (RFC 3986, section 3.1); `nil` without one.
  private static func withScheme(_ address: Substring) -> (scheme: String?, text: String) {
    let scheme = address.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard scheme.first?.isLetter == true, address[scheme.endIndex...].first == ":" else {
      return (nil, String(address))
    }
    return (scheme.lowercased(), scheme.lowercased() + address[scheme.endIndex...])
  }
}
