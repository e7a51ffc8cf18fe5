/// What the browser shows when it has come to the listener: pages without scripts, without anything from elsewhere, and
/// without a word of what was sent.
enum AnswerPage: Sendable, CaseIterable {
  case redirected, repeated
  case malformed, noPage, notFound, wrongMethod, tooSlow, lineTooLong, misdirected, headersTooLarge, busy,
    unknownVersion

  /// The status with its reason phrase.
  var status: String {
    switch self {
    case .redirected, .repeated: "200 OK"
    case .malformed: "400 Bad Request"
    case .noPage: "403 Forbidden"
    case .notFound: "404 Not Found"
    case .wrongMethod: "405 Method Not Allowed"
    case .tooSlow: "408 Request Timeout"
    case .lineTooLong: "414 URI Too Long"
    case .misdirected: "421 Misdirected Request"
    case .headersTooLarge: "431 Request Header Fields Too Large"
    case .busy: "503 Service Unavailable"
    case .unknownVersion: "505 HTTP Version Not Supported"
    }
  }

  private var title: String {
    switch self {
    case .redirected: "You can go back to the app"
    case .repeated: "The app has had this already"
    case .malformed, .unknownVersion: "The app did not understand the browser"
    case .noPage: "This address opens in a window of its own only"
    case .notFound: "There is nothing at this address"
    case .wrongMethod: "This address can only be opened"
    case .tooSlow: "The browser took too long"
    case .lineTooLong: "This address is too long"
    case .misdirected: "This address leads elsewhere"
    case .headersTooLarge: "The browser sent too much"
    case .busy: "The app is busy"
    }
  }

  private var text: String {
    switch self {
    // Whether it is what the app waits for only the app can tell, later.
    case .redirected:
      "It has been told, and goes on by itself if this is the answer that it waits for. If it still waits, begin there "
        + "once more. This window can be closed."
    case .repeated:
      "This address was opened before, and its code counts once. If the app still waits, go there and begin once more."
    case .busy: "It has not taken yet what came before. Reload this page in a moment."
    default: "An app waits here for the browser to come back. Go to the app, and begin there once more."
    }
  }

  private var page: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title)</title>
    <style>
    body { margin: 20vh auto 0; max-width: 30rem; padding: 0 1.5rem; font: 1.1rem/1.5 system-ui, sans-serif }
    </style>
    </head>
    <body>
    <h1>\(title)</h1>
    <p>\(text)</p>
    </body>
    </html>

    """
  }

  /// The whole answer; to a HEAD without the page.
  func bytes(withPage: Bool = true) -> [UInt8] {
    let page = Array(page.utf8)
    var headers = [
      "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(page.count)",
      "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
      "X-Content-Type-Options: nosniff",
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'",
    ]
    if self == .wrongMethod { headers.append("Allow: GET, HEAD") }
    return Array((headers.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (withPage ? page : [])
  }
}
