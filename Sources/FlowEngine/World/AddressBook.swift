import Expressions
import FlowSpec

/// What the flow's addresses mean with the config that its runs start with, worked out once.
final class AddressBook: Sendable {
  let config: [Value]
  /// Where each service answers.
  let bases: [Address?]
  /// The same as text.
  let texts: [Text]
  /// Where the app's redirect URIs lead, each with its text.
  let redirects: [Redirect]

  final class Redirect: Sendable {
    let text: Text
    let address: Address
    let location: Location

    init(text: Text, address: Address, location: Location) {
      (self.text, self.address, self.location) = (text, address, location)
    }

    /// All but the query counts, and of its texts nothing but what they say.
    func isAt(_ other: Location) -> Bool {
      switch (location.base, other.base) {
      case (.service(let index), .service(let otherIndex)): guard index == otherIndex else { return false }
      case (.elsewhere(let base), .elsewhere(let otherBase)):
        guard base.string == otherBase.string else { return false }
      default: return false
      }
      return location.path.elementsEqual(other.path) { $0.isSame(as: $1) }
    }

    /// Everything but the query counts.
    func isAt(_ address: Address) -> Bool {
      address.isOfOrigin(self.address.origin)
        && address.path.elementsEqual(self.address.path) { $0.isSame(as: $1) }
    }
  }

  init(_ world: World) {
    let config = world.flow.app.configValues
    self.config = config
    bases = world.flow.services.indices.map { world.base(of: $0, config: config) }
    texts = world.bases(config: config)
    redirects = world.redirects(config: config)
  }
}

extension World {
  /// Whether an address is one of the app's redirect URIs: all but the query is equal.
  func isRedirectURI(_ location: Location, config: [Value]) -> Bool {
    redirects(config: config).contains { $0.isAt(location) }
  }

  /// Where the app's redirect URIs lead.
  func redirects(config: [Value]) -> [AddressBook.Redirect] {
    if let book, book.config == config { return book.redirects }
    return flow.redirectURIs.compactMap { placed in
      guard let text = text(placed, config: config), let address = Address(text) else { return nil }
      let location =
        locationBelowBase(of: address, config: config)
        ?? Location(base: .elsewhere(address.origin), path: address.path, query: address.query)
      return AddressBook.Redirect(text: text, address: address, location: location)
    }
  }
}
