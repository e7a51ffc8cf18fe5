import Expressions
import FlowSpec

/// What the flow's addresses mean with the config that its runs start with, worked out once.
struct AddressBook: Sendable {
  let config: [Value]
  /// Where each service answers.
  let bases: [Address?]
  /// The same as text.
  let texts: [Text]
  /// Where the app's redirect URIs lead, each with its text.
  let redirects: [Redirect]

  struct Redirect: Sendable {
    let text: Text
    let location: Location
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
  /// Where the app's redirect URIs lead.
  func redirects(config: [Value]) -> [AddressBook.Redirect] {
    if let book, book.config == config { return book.redirects }
    return flow.redirectURIs.compactMap { placed in
      guard let text = text(placed, config: config), let address = Address(text) else { return nil }
      return AddressBook.Redirect(text: text, location: location(of: address, config: config))
    }
  }
}
