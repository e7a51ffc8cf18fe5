import FlowInterpreter

/// Where a request goes, as far as a connection has to know.
struct Destination: Sendable {
  /// Scheme and authority: `https://id.example:8443`.
  let origin: String

  init(of request: AdapterRequest) throws(AdapterFailure) {
    let url = request.url.utf8
    guard url.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw Self.refused("is not percent-encoded") }
    let scheme = String(Substring(url.prefix(8))).lowercased()
    guard scheme == "https://" || scheme.hasPrefix("http://") else { throw Self.refused("is neither http nor https") }
    let length = scheme == "https://" ? 8 : 7
    let authority = url.dropFirst(length).prefix { !Self.delimiters.contains($0) }
    guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else {
      throw Self.refused("has no host, or a user name")
    }
    origin = String(Substring(url.prefix(length + authority.count)))
  }

  /// What ends an authority, for one reader or another.
  private static let delimiters = Array("/?#\\".utf8)

  /// Host and port, as people are told: `id.example:8443`.
  var authority: String { String(origin.drop { $0 != "/" }.dropFirst(2)) }

  /// Whether a connection to this port is one to a proxy, as far as the port tells.
  func isBehind(port: Int) -> Bool {
    let end = authority[(authority.lastIndex(of: "]") ?? authority.startIndex)...]
    let written = end.lastIndex(of: ":").flatMap { Int(end[$0...].dropFirst()) }
    return port != written ?? (origin.lowercased().hasPrefix("https:") ? 443 : 80)
  }

  /// Whether this machine itself is meant, whatever a proxy would take its name for.
  ///
  /// RFC 6761, section 6.3; RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3.
  var isLoopback: Bool {
    let authority = authority.lowercased()
    if authority.first == "[", let bracket = authority.firstIndex(of: "]") {
      // Written out in full, or with zeros in front, it is the same address.
      let rest = authority[bracket...].dropFirst()
      return LoopbackSocket.isLoopback(v6: String(authority[..<bracket].dropFirst()))
        && (rest.isEmpty || rest.first == ":")
    }
    let host = authority.prefix { $0 != ":" }
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    return host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isWholeNumber }
  }

  private static func refused(_ reason: String) -> AdapterFailure {
    AdapterFailure(.unreachable, reason: "the address \(reason)")
  }
}
