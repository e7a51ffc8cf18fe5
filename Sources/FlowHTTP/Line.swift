import CurlLibrary
import FlowInterpreter

/// A line to one origin, for one transfer at a time; it keeps its connection for the next.
final class Line: Sendable {
  let destination: Destination
  private let handle: curl_line
  private let connectTimeout: Duration

  /// How long the caller's thread waits for an answer before another does: to hand it over costs more than a server on
  /// the same machine takes to answer.
  private static let patience: CInt = 1

  /// How large headers may become, those of interim answers included.
  static let mostHeaderBytes = 256 << 10

  init(to destination: Destination, _ options: HTTPOptions) {
    self.destination = destination
    connectTimeout = options.connectTimeout
    handle = "flowrun/\(FlowrunVersion.text)".withCString { userAgent in
      options.certificateAuthority.withOptionalCString { authorities in
        curl_line_open(
          curl_line_options(
            user_agent: userAgent, authorities: authorities, is_direct: destination.isLoopback,
            most_body: max(0, options.mostBodyBytes), most_head: Self.mostHeaderBytes))
      }
    }
  }

  deinit { curl_line_close(handle) }

  func start(_ request: AdapterRequest, headers: [String]) {
    for header in headers { curl_line_add_header(handle, header) }
    // Where content is usual, its absence is said (RFC 9110, section 8.6).
    let hasBody = request.body != nil || ["POST", "PUT", "PATCH"].contains(request.method)
    request.method.withCString { method in
      request.url.withCString { url in
        (request.body ?? []).withUnsafeBufferPointer { body in
          curl_line_start(
            handle,
            curl_line_request(
              method: method, url: url, body: body.baseAddress, body_count: body.count, has_body: hasBody,
              may_repeat: request.method == "GET", timeout_ms: request.timeout.wholeMilliseconds,
              connect_timeout_ms: mostTimeToConnect(within: request.timeout).wholeMilliseconds))
        }
      }
    }
  }

  /// So that who waits for the answer learns in time that nothing was sent: a little less than the whole time.
  private func mostTimeToConnect(within timeout: Duration) -> Duration {
    min(connectTimeout, timeout - min(timeout / 10, .milliseconds(50)))
  }

  /// Returns when the transfer is over: at once when the task is cancelled.
  func finish() async {
    await withTaskCancellationHandler {
      if curl_line_work(handle, Self.patience) { return }
      await withCheckedContinuation { continuation in
        let work = { @Sendable [handle] in
          while !curl_line_work(handle, 1 << 20) {}
          // From here on the line is another's, who may start the next transfer on it.
          continuation.resume()
        }
        if !BlockingThread.start(work) { work() }
      }
    } onCancel: {
      curl_line_cancel(handle)
    }
    undoEncodings()
  }

  /// Nothing but gzip is asked for, so what is no gzip is no answer.
  private func undoEncodings() {
    guard outcome.code == CURLE_OK, outcome.body_count > 0, let head = AnswerHead(of: outcome),
      head.isEncodedInMeasure
    else { return }
    for _ in head.encodings where outcome.code == CURLE_OK { curl_line_gunzip(handle) }
  }

  /// What has come of the transfer; it holds until it is forgotten.
  var outcome: curl_line_outcome { curl_line_result(handle) }

  /// Wipes the answer, which may have tokens in it, and gives back what is large: the line may lie idle for long.
  func forget() { curl_line_forget(handle) }
}

extension Duration {
  /// Rounded up, and never 0, which libcurl takes for no limit; nor less, which is no time.
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0 else { return 1 }
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}

extension String? {
  fileprivate func withOptionalCString<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    if let self { self.withCString(body) } else { body(nil) }
  }
}
