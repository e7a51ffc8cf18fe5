import CurlLibrary
import FlowInterpreter

/// Carries the requests of a flow over HTTP and HTTPS, by the libcurl that the system has.
///
/// Connections are kept for the next request to the same origin, unless something came there that nobody had asked for.
/// Only a `GET` goes out once more, where a connection that was kept turns out to be closed before any byte of the answer
/// (RFC 9110, section 9.2.2); whatever else meets that is `lost`. Redirects are not followed; credentials and cookies are
/// the flow's alone. Certificates are always verified. The proxies that the environment names are used (`http_proxy`,
/// `HTTPS_PROXY`, `NO_PROXY`), but never for loopback addresses. The reason of a failure names host and port at most.
public struct HTTPAdapter: Adapter {
  private let lines: Lines

  /// Loads libcurl; nothing is connected yet.
  ///
  /// - Throws: Where libcurl is missing, or the file of certificate authorities cannot be read or has no certificate.
  public init(_ options: HTTPOptions = HTTPOptions()) throws(HTTPUnavailable) {
    if let problem = curl_library_load() { throw HTTPUnavailable(description: String(cString: problem)) }
    if let problem = options.problemWithAuthorities { throw HTTPUnavailable(description: problem) }
    lines = Lines(options)
  }

  /// Sends one request and gives what came back; when the task is cancelled, the connection is closed at once.
  public func answer(to request: AdapterRequest) async throws(AdapterFailure) -> AdapterResponse {
    let destination = try Destination(of: request)
    let headers = try request.headerLines
    let line = lines.take(to: destination)
    defer { lines.keep(line) }
    line.start(request, headers: headers)
    await line.finish()
    let outcome = line.outcome
    guard outcome.code == CURLE_OK else { throw AdapterFailure(outcome, of: request, to: destination, lines.options) }
    return try AdapterResponse(outcome, from: destination)
  }
}
