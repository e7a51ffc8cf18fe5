import FlowInterpreter

/// Where a request goes, as far as a connection has to know.
struct Destination: Sendable {
  /// Scheme and authority: `https://id.example:8443`.
  let origin: String
  /// Host and port, as people are told: `id.example:8443`.
  let authority: String
  let isSecure: Bool
  /// Whether this machine itself is meant, whatever a proxy would take its name for.
  let isLoopback: Bool

  init(of request: AdapterRequest) throws(AdapterFailure) {
    let url = request.url
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw Self.refused("is not percent-encoded") }
    guard let scheme = ["http://", "https://"].first(where: url.lowercased().hasPrefix) else {
      throw Self.refused("is neither http nor https")
    }
    let authority = url.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
    guard !authority.isEmpty, !authority.contains("@") else { throw Self.refused("has no host, or a user name") }
    self.authority = authority.lowercased()
    origin = scheme + self.authority
    isSecure = scheme == "https://"
    isLoopback = Self.isLoopback(self.authority)
  }

  private static func refused(_ reason: String) -> AdapterFailure {
    AdapterFailure(.unreachable, reason: "the address \(reason)")
  }

  /// RFC 6761, section 6.3; RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3.
  private static func isLoopback(_ authority: String) -> Bool {
    if authority == "[::1]" || authority.hasPrefix("[::1]:") { return true }
    let host = authority.prefix { $0 != ":" }
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    return host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isWholeNumber }
  }
}
