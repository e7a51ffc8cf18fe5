/// What the listener answers to a request, and which requests are redirects to the app.
struct RedirectTargets: Sendable {
  private let uris: [LoopbackURI]
  private let hosts: Set<String>
  /// Redirects with a `code` that were delivered, the latest last.
  private var delivered: [String] = []

  init(_ uris: [LoopbackURI]) {
    self.uris = uris
    hosts = Set(uris.flatMap(\.hosts))
  }

  /// The page for a request, and the address that the app is given for it.
  ///
  /// Paths are compared byte by byte, as redirect URIs are (RFC 9700 §2.1): nothing is decoded, no dots are resolved.
  /// A page elsewhere that has its own name lead to this machine says that name in `Host`, and is sent away.
  func answer(to head: RequestHead) -> (page: AnswerPage, address: String?) {
    guard head.hosts.count == 1, let host = head.hosts.first else { return (.malformed, nil) }
    guard hosts.contains(host) else { return (.misdirected, nil) }
    let path = String(head.target.prefix { $0 != "?" })
    guard let uri = uris.first(where: { $0.hosts.contains(host) && $0.path == path }) else { return (.notFound, nil) }
    switch head.method {
    case "GET":
      guard head.opensPage else { return (.noPage, nil) }
      let address = uri.origin + head.target
      return (isNew(address) ? .redirected : .repeated, address)
    case "HEAD": return (.redirected, nil)
    default: return (.wrongMethod, nil)
    }
  }

  /// Whether an address is to be delivered to the app.
  ///
  /// A `code` is used once (RFC 6749 §4.1.2): a window that is reloaded, now or after the next sign-in, brings nothing
  /// new, and a flow that waits again would take it for the answer. Addresses without one may well be the same twice:
  /// a person who cancels again, signs out again.
  func isNew(_ address: String) -> Bool { !delivered.contains(address) }

  /// Remembers it if it has a `code`.
  mutating func hasDelivered(_ address: String) {
    let query = address.drop { $0 != "?" }.dropFirst()
    guard query.split(separator: "&").contains(where: { $0.hasPrefix("code=") }) else { return }
    delivered.append(address)
    if delivered.count > 64 { delivered.removeFirst() }
  }
}
