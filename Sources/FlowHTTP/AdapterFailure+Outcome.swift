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
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: connecting(to: "the proxy", outcome.os_error)
    case CURLE_OPERATION_TIMEDOUT: "the proxy has made no connection to \(peer) in time"
    case CURLE_PEER_FAILED_VERIFICATION where outcome.proxy_certificate_error != X509_V_OK:
      certificate(of: "the proxy", outcome.proxy_certificate_error)
    // Behind a SOCKS proxy it is the peer's.
    case CURLE_SSL_CONNECT_ERROR, CURLE_OBSOLETE51, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS:
      outcome.proxy_certificate_error == X509_V_OK ? nil : "no TLS connection to the proxy"
    case CURLE_ABORTED_BY_CALLBACK, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE: nil
    default: "the proxy does not connect to \(peer)"
    }
  }

  private static func reasonBeforeSending(_ outcome: curl_line_outcome, _ peer: String) -> String {
    if outcome.proxy_status != 0, outcome.proxy_status / 100 != 2 {
      return "the proxy answered \(outcome.proxy_status) instead of connecting to \(peer)"
    }
    if outcome.misses_certificate { return clientCertificate(for: peer) }
    switch outcome.code {
    case CURLE_COULDNT_RESOLVE_PROXY: return "the name of the proxy is not known"
    case CURLE_COULDNT_RESOLVE_HOST: return "the name of \(peer) is not known"
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: return connecting(to: peer, outcome.os_error)
    case CURLE_OPERATION_TIMEDOUT: return "no connection to \(peer) in time"
    case CURLE_ABORTED_BY_CALLBACK: return "given up before it was sent to \(peer)"
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE: return "the file of certificate authorities cannot be used"
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_OBSOLETE51, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      return certificate(of: peer, outcome.certificate_error)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CIPHER,
      CURLE_SSL_ENGINE_INITFAILED:
      return "no TLS connection to \(peer)"
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED:
      return "the address is none that can be asked"
    case CURLE_PROXY: return "the proxy does not connect to \(peer)"
    default: return "no connection to \(peer) (libcurl \(outcome.code.rawValue))"
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
    case CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE: return "the headers that \(peer) answered are too large"
    case CURLE_WRITE_ERROR where !hasHead: return "the headers that \(peer) answered are too large"
    case CURLE_WRITE_ERROR: return "what \(peer) answered is larger than \(options.mostBodyBytes) bytes"
    case CURLE_OPERATION_TIMEDOUT: return "no whole answer of \(peer) in time"
    case CURLE_ABORTED_BY_CALLBACK: return "given up before \(peer) had answered"
    case CURLE_PARTIAL_FILE where !hasHead: return "the headers that \(peer) answered are cut off"
    case CURLE_PARTIAL_FILE: return "what \(peer) answered is cut off"
    // A line of a header or a trailer that is none; the name says that a function was called wrongly: libcurl's own.
    case CURLE_BAD_FUNCTION_ARGUMENT: return "what \(peer) answered is damaged"
    case CURLE_GOT_NOTHING: return "\(peer) closed the connection without an answer"
    case CURLE_RECV_ERROR where outcome.os_error == 0: return "what \(peer) answered is damaged"
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR: return "the connection to \(peer) broke"
    case CURLE_BAD_CONTENT_ENCODING: return "what \(peer) answered cannot be decoded"
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return "what \(peer) answered is not HTTP"
    default: return "no answer of \(peer) (libcurl \(outcome.code.rawValue))"
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

  /// Another TLS library than OpenSSL gives none of them.
  private static func certificate(of peer: String, _ error: x509_code) -> String {
    switch error {
    case X509_V_ERR_CERT_HAS_EXPIRED: "the certificate of \(peer) has expired"
    case X509_V_ERR_CERT_NOT_YET_VALID: "the certificate of \(peer) is not valid yet"
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      "nobody who is trusted has signed the certificate of \(peer)"
    case X509_V_OK, X509_V_ERR_UNSPECIFIED, X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      "the certificate of \(peer) is not for this name"
    default: "the certificate of \(peer) is not trusted"
    }
  }
}
