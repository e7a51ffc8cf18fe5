/// A redirect URI that leads to this machine (RFC 8252 §7.3).
struct LoopbackURI: Sendable {
  /// `localhost` is both, where the machine has both: which one a browser takes is not known before it comes.
  enum Host: Hashable {
    case v4, v6, localhost
  }

  let host: Host
  /// `nil` before a free one was got.
  var port: UInt16?
  /// `http://host`, as it was written.
  private let base: String
  /// Path and query, as they were written.
  private let rest: String

  init(_ uri: String) throws(ListenerError) {
    guard let parts = Parts(uri) else { throw .notLoopback(uri) }
    guard !parts.isSecure else { throw .secure(uri) }
    guard let host = parts.host else { throw .otherAddress(uri) }
    guard uri.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }) else {
      throw .malformed(uri)
    }
    (self.host, base, rest) = (host, parts.base, String(parts.rest))
    guard !parts.port.isEmpty else { return }
    guard parts.port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(parts.port) else {
      throw .malformed(uri)
    }
    // Port 0 is how systems ask for a free one.
    port = number == 0 ? nil : number
  }

  static func isLoopback(_ uri: String) -> Bool { Parts(uri) != nil }

  /// Scheme, host and port as the app says them.
  var origin: String { base + (port.map { ":\($0)" } ?? "") }

  /// The whole of it, with the port that was got.
  var uri: String { origin + rest }

  /// As a request says it: never empty.
  var path: String {
    let path = rest.prefix { $0 != "?" }
    return path.isEmpty ? "/" : String(path)
  }

  /// What a browser says in `Host`, in lower case (RFC 9110 §7.2); it leaves out port 80, which `http` implies.
  var hosts: [String] {
    guard let port else { return [] }
    return port == 80 ? ["\(host.name):80", host.name] : ["\(host.name):\(port)"]
  }
}

extension LoopbackURI.Host {
  var name: String {
    switch self {
    case .v4: "127.0.0.1"
    case .v6: "[::1]"
    case .localhost: "localhost"
    }
  }

  fileprivate init?(_ text: Substring) {
    switch text.lowercased() {
    case "127.0.0.1": self = .v4
    case "localhost": self = .localhost
    // Written out in full, or with zeros in front, it is the same address.
    case let text where text.hasPrefix("[") && LoopbackSocket.isLoopback(v6: String(text.dropFirst().dropLast())):
      self = .v6
    default: return nil
    }
  }
}

/// A URI cut into its components (RFC 3986 §3); only one that leads to this machine is.
private struct Parts {
  let isSecure: Bool
  /// `nil` for an address of this machine that no redirect URI is to have (RFC 1122 §3.2.1.3, RFC 8252 §7.3).
  let host: LoopbackURI.Host?
  let base: String
  let port: Substring
  let rest: Substring

  init?(_ uri: String) {
    guard let slashes = uri.firstRange(of: "://") else { return nil }
    switch uri[..<slashes.lowerBound].lowercased() {
    case "http": isSecure = false
    case "https": isSecure = true
    default: return nil
    }
    let authority = uri[slashes.upperBound...].prefix { !"/?#".contains($0) }
    rest = uri[authority.endIndex...]
    let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
    let colon = authority[bracket...].lastIndex(of: ":") ?? authority.endIndex
    let name = authority[..<colon]
    host = LoopbackURI.Host(name)
    guard host != nil || name.hasPrefix("127.") && name.allSatisfy({ $0 == "." || $0.isWholeNumber }) else {
      return nil
    }
    base = String(uri[..<colon])
    port = authority[colon...].dropFirst()
  }
}
