import Expressions
import FlowSpec

/// What the flow's addresses mean with a config, worked out once.
final class AddressBook: Sendable {
  let config: [Value]
  /// Where each service answers: its `url`; a service without one has a name that resolves nowhere.
  let bases: [Address?]
  /// The same as text, without a slash at its end.
  let texts: [Text]
  /// Whether anyone on the way to it, and back, can read along.
  let isOpen: [Bool]
  /// Where the app's redirect URIs lead, each with its text.
  let redirects: [Redirect]

  final class Redirect: Sendable {
    let text: Text
    let location: Location

    init(text: Text, location: Location) { (self.text, self.location) = (text, location) }

    /// All but the query counts, and of its texts nothing but what they say.
    func isAt(_ other: Location) -> Bool {
      switch (location.base, other.base) {
      case (.service(let index), .service(let otherIndex)): guard index == otherIndex else { return false }
      case (.elsewhere(let base), .elsewhere(let otherBase)):
        guard base.string == otherBase.string, location.isRootless == other.isRootless else { return false }
      default: return false
      }
      return location.path.elementsEqual(other.path) { $0.isSame(as: $1) }
    }
  }

  init(_ flow: Flow, _ outside: Outside, _ config: [Value]) {
    let bases = flow.services.indices.map { Self.base(of: $0, in: flow, outside, config) }
    (self.config, self.bases) = (config, bases)
    isOpen = bases.map { base in base.map { goesInTheOpen($0.origin.string) } ?? false }
    texts = bases.map { base in base.map { $0.origin.followed(by: $0.path) } ?? Text("") }
    redirects = flow.redirectURIs.compactMap { placed in
      guard let text = placed.text(over: config), let address = Address(text) else { return nil }
      return Redirect(text: text, location: bases.location(of: address) ?? Location(elsewhere: address))
    }
  }

  private static func base(of service: Int, in flow: Flow, _ outside: Outside, _ config: [Value]) -> Address? {
    let declared = flow.services[service]
    var base: Address?
    if let address = outside.addresses[service] {
      base = Address(address)
    } else if let url = declared.url {
      base = url.text(over: config).flatMap { Address($0) }
    } else {
      base = Address(Text("https://\(flow.participants[declared.participant].name).invalid"))
    }
    // A slash at the end of a base is none of its path's segments.
    if base?.path.last?.isEmpty == true { base?.path.removeLast() }
    return base
  }
}

/// Where services answer.
extension [Address?] {
  /// Below the address of a service; where there are several, the longest counts.
  func location(of address: Address) -> Location? {
    indices.compactMap { location(of: address, at: $0) }.min { $0.path.count < $1.path.count }
  }

  /// The same at one service.
  func location(of address: Address, at service: Int) -> Location? {
    guard let base = self[service], base.isOfOrigin(address.origin),
      address.path.starts(with: base.path, by: { $0.isSame(as: $1) })
    else { return nil }
    return Location(
      base: .service(service), path: [Text](address.path.dropFirst(base.path.count)), query: address.query)
  }
}

extension Location {
  /// An address of no service.
  init(elsewhere address: Address) {
    self.init(
      base: .elsewhere(address.origin), path: address.path, query: address.query, isRootless: address.isRootless)
  }
}

extension PlacedTemplate {
  /// The text of a template over `config` alone; `nil` when it has none.
  package func text(over config: [Value]) -> Text? {
    var frame = Frame(roots: Array(repeating: [], count: Root.allCases.count))
    frame.roots[Root.config.rawValue] = config
    return try? template.evaluate(&frame)?.asText
  }
}

extension Flow {
  /// The first config that is not as the flow has it, and makes a redirect URI of the app that is none; `nil` where there
  /// is no such.
  ///
  /// What the flow makes of its own values was checked with it.
  package func configOfNoRedirectURI(in config: [Value]) -> Int? {
    for uri in redirectURIs {
      guard let text = uri.text(over: config), !mayBeRedirectURI(text.string) else { continue }
      let others = app.config.indices.filter { app.config[$0].value != config[$0] }
      if let index = others.first(where: { uri.template.reads(["config", app.config[$0].name]) }) { return index }
    }
    return nil
  }
}

extension Template {
  fileprivate func reads(_ path: [String]) -> Bool {
    parts.contains { part in
      if case .expression(let expression) = part { expression.facts.references.contains(path) } else { false }
    }
  }
}
