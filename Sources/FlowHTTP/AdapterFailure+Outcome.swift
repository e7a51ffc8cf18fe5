import CurlLibrary
import FlowInterpreter

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension AdapterFailure {
  /// Why a transfer has no answer; the words are ours, since libcurl's may hold an address.
  init(_ outcome: curl_line_outcome, of request: AdapterRequest, to destination: Destination, _ options: HTTPOptions) {
    let peer = destination.authority
    if outcome.was_sent {
      self.init(.lost, reason: Self.reasonAfterSending(outcome, peer, request, options))
    } else {
      let isWithProxy = outcome.port != 0 && outcome.proxy_status == 0 && destination.isBehind(port: Int(outcome.port))
      let reason = isWithProxy ? Self.reasonOfProxy(outcome, peer) : nil
      self.init(.unreachable, reason: reason ?? Self.reasonBeforeSending(outcome, peer))
    }
  }

  /// Before a proxy has answered, what goes wrong is between it and us; `nil` for what is ours, or the peer's.
  private static func reasonOfProxy(_ outcome: curl_line_outcome, _ peer: String) -> String? {
    switch outcome.code {
    case 7, 45: connecting(to: "the proxy", outcome.os_error)
    case 28: "the proxy has made no connection to \(peer) in time"
    case 60 where outcome.proxy_certificate_error != 0:
      certificate(of: "the proxy", outcome.proxy_certificate_error)
    // Behind a SOCKS proxy it is the peer's.
    case 35, 51, 53, 54, 59, 60, 66, 83, 91:
      outcome.proxy_certificate_error == 0 ? nil : "no TLS connection to the proxy"
    case 42, 58, 77: nil
    default: "the proxy does not connect to \(peer)"
    }
  }

  private static func reasonBeforeSending(_ outcome: curl_line_outcome, _ peer: String) -> String {
    if outcome.proxy_status != 0, outcome.proxy_status / 100 != 2 {
      return "the proxy answered \(outcome.proxy_status) instead of connecting to \(peer)"
    }
    if outcome.misses_certificate { return clientCertificate(for: peer) }
    switch outcome.code {
    case 5: return "the name of the proxy is not known"
    case 6: return "the name of \(peer) is not known"
    case 7, 45: return connecting(to: peer, outcome.os_error)
    case 28: return "no connection to \(peer) in time"
    case 42: return "given up before it was sent to \(peer)"
    case 58, 77: return "the file of certificate authorities cannot be used"
    case 60, 51, 83, 91: return certificate(of: peer, outcome.certificate_error)
    case 35, 53, 54, 59, 66: return "no TLS connection to \(peer)"
    case 1, 3, 67: return "the address is none that can be asked"
    case 97: return "the proxy does not connect to \(peer)"
    default: return "no connection to \(peer) (libcurl \(outcome.code))"
    }
  }

  private static func reasonAfterSending(
    _ outcome: curl_line_outcome, _ peer: String, _ request: AdapterRequest, _ options: HTTPOptions
  ) -> String {
    if outcome.was_held_back { return "\(peer) had closed the connection, and may have read the request" }
    if outcome.misses_certificate { return clientCertificate(for: peer) }
    let hasHead = AnswerHead(of: outcome) != nil
    switch outcome.code {
    // libcurl has a limit of its own for one header line: 100 KiB.
    case 27, 100: return "the headers that \(peer) answered are too large"
    case 23 where !hasHead: return "the headers that \(peer) answered are too large"
    case 23: return "what \(peer) answered is larger than \(options.mostBodyBytes) bytes"
    case 28: return "no whole answer of \(peer) in time"
    case 42: return "given up before \(peer) had answered"
    case 18 where !hasHead: return "the headers that \(peer) answered are cut off"
    case 18: return "what \(peer) answered is cut off"
    // A line of a header or a trailer that is none; the number says that a function was called wrongly: libcurl's own.
    case 43: return "what \(peer) answered is damaged"
    case 52: return "\(peer) closed the connection without an answer"
    case 56 where outcome.os_error == 0: return "what \(peer) answered is damaged"
    case 55, 56: return "the connection to \(peer) broke"
    case 61: return "what \(peer) answered cannot be decoded"
    case 1, 8, 16, 92: return "what \(peer) answered is not HTTP"
    default: return "no answer of \(peer) (libcurl \(outcome.code))"
    }
  }

  private static func clientCertificate(for peer: String) -> String {
    "\(peer) demands a certificate of the client, and none can be given: ask it where it demands none"
  }

  private static func connecting(to peer: String, _ error: Int) -> String {
    switch CInt(truncatingIfNeeded: error) {
    case ECONNREFUSED: "\(peer) refuses connections"
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN: "there is no network to \(peer)"
    default: "no connection to \(peer)"
    }
  }

  /// The numbers are OpenSSL's; another TLS library gives none of them.
  private static func certificate(of peer: String, _ error: Int) -> String {
    switch error {
    case 10: "the certificate of \(peer) has expired"
    case 9: "the certificate of \(peer) is not valid yet"
    case 18, 19, 20, 21: "nobody who is trusted has signed the certificate of \(peer)"
    case 0, 1, 62, 64: "the certificate of \(peer) is not for this name"
    default: "the certificate of \(peer) is not trusted"
    }
  }
}
