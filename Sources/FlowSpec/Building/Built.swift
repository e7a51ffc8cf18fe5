/// A machine of a flow, with what was found and noted while it was built.
enum Built: Sendable {
  case app(BuiltApp)
  case model(ServiceModel, MachineBuilder)

  var builder: MachineBuilder {
    switch self {
    case .app(let app): app.builder
    case .model(_, let builder): builder
    }
  }
}

/// The app's machine, and the addresses that were built with it.
struct BuiltApp: Sendable {
  struct Addresses: Sendable {
    let url: PlacedTemplate?
    let origins: [PlacedTemplate]
  }

  var builder: MachineBuilder
  let machine: Machine
  let redirectURIs: [PlacedTemplate]
  /// Of each service.
  let addresses: [Addresses]
}
