/// Why there is no redirect listener.
///
/// `description` is a sentence for people. It never shows a query.
public enum ListenerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The redirect URI leads elsewhere, or needs no listener.
  case notLoopback(String)
  /// The redirect URI is one of `https`, for which this machine has no certificate.
  case secure(String)
  /// The redirect URI leads to an address of this machine other than `127.0.0.1` and `[::1]`, as `127.0.0.2` is.
  case otherAddress(String)
  /// The redirect URI has a port that is none, a fragment, or characters that no URI has.
  case malformed(String)
  /// Another program listens there.
  case portTaken(UInt16, host: String)
  /// The system refuses to listen there.
  case cannotListen(host: String, port: UInt16?, reason: String)
  /// The system has no thread or no pipe to give.
  case noThread
  /// The listener was closed.
  case closed

  /// A sentence for people.
  public var description: String {
    switch self {
    case .notLoopback(let uri):
      "\"\(uri.withoutQuery)\" is no redirect URI of this machine, as http://127.0.0.1/callback is"
    case .secure(let uri):
      "\"\(uri.withoutQuery)\" cannot be listened at: a loopback redirect URI begins with http:// (RFC 8252, 7.3)"
    case .otherAddress(let uri):
      "\"\(uri.withoutQuery)\" is not listened at: write and register it with 127.0.0.1 or [::1] (RFC 8252, 7.3)"
    case .malformed(let uri):
      "the redirect URI \"\(uri.withoutQuery)\" has a bad port, a fragment, or characters that no URI has"
    case .portTaken(let port, let host):
      "port \(port) of \(host) is taken by another program: end that program, or give a redirect URI with another port"
    case .cannotListen(let host, let port, let reason):
      "nothing can listen at \(port.map { "port \($0)" } ?? "a free port") of \(host): \(reason)"
    case .noThread: "the system has nothing left for a redirect listener: too many files or threads are in use"
    case .closed: "the redirect listener was closed"
    }
  }
}

extension String {
  fileprivate var withoutQuery: Substring { prefix { $0 != "?" && $0 != "#" } }
}
