import FlowHTTP
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// A connection to a listener, as raw as the bytes that are written into it.
final class ListenerClient {
  private let descriptor: Int32

  /// `nil` when nobody listens there.
  init?(_ port: UInt16, at host: String = "127.0.0.1") {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    descriptor = socket(host.contains(":") ? AF_INET6 : AF_INET, kind, 0)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var isConnected = false
    if host.contains(":") {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      inet_pton(AF_INET6, host, &address.sin6_addr)
      isConnected = connects(&address)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      inet_pton(AF_INET, host, &address.sin_addr)
      isConnected = connects(&address)
    }
    guard isConnected else { return nil }
  }

  deinit { close(descriptor) }

  private func connects<Address>(_ address: inout Address) -> Bool {
    withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { pointer in
        pointer.baseAddress.map { connect(descriptor, $0, socklen_t(bytes.count)) == 0 } ?? false
      }
    }
  }

  /// Whether it was taken; a listener that has answered need not take the rest.
  @discardableResult
  func write(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    #if canImport(Glibc)
      return send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    #else
      return send(descriptor, bytes, bytes.count, 0) == bytes.count
    #endif
  }

  /// Whether something came, or the end, before so many milliseconds were over.
  func isAnswered(within milliseconds: Int32) -> Bool {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, milliseconds) > 0
  }

  /// Everything up to the end of the connection.
  func answer() -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { break }
      all += buffer[..<count]
    }
    return String(decoding: all, as: UTF8.self)
  }
}

/// A listener, and what a browser gets from it.
struct Listening {
  let listener: RedirectListener
  let port: UInt16

  init(_ uris: String..., timeLimit: Duration = .seconds(20)) throws {
    listener = try RedirectListener(for: uris.isEmpty ? ["http://127.0.0.1/callback"] : uris, timeLimit: timeLimit)
    let last = listener.redirectURIs.last ?? ""
    port = UInt16(URLComponents(string: last)?.port ?? 0)
  }

  /// One whose port nobody else is given, during it or after it: the system gives those who ask for any port, and those
  /// who connect, higher ones.
  ///
  /// Its requests have all the time that a busy machine takes.
  static func alone(at host: String = "127.0.0.1") throws -> Listening {
    for _ in 1..<100 {
      let port = Int.random(in: 10_000..<16_000)
      do {
        return try Listening("http://\(host):\(port)/callback", timeLimit: .seconds(600))
      } catch ListenerError.portTaken {}
    }
    throw ListenerError.portTaken(10_000, host: host)
  }

  /// The answer to these bytes on a connection of their own.
  func answer(to request: String, at host: String = "127.0.0.1") throws -> String {
    let client = try #require(ListenerClient(port, at: host))
    client.write(request)
    return client.answer()
  }

  /// The answer to a request as a browser writes it.
  func get(_ target: String, host: String? = nil, method: String = "GET", _ headers: String...) throws -> String {
    let lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + headers
    return try answer(to: lines.joined(separator: "\r\n") + "\r\n\r\n")
  }

  /// As `get`, and again where a machine that is busy took longer than a short limit: nothing was taken then.
  func getInTime(_ target: String) throws -> String {
    for _ in 1..<100 {
      let answer = try get(target)
      if answer != "", !answer.hasPrefix("HTTP/1.1 408 ") { return answer }
    }
    return try get(target)
  }

  /// What is delivered, up to an address that is asked for behind all else.
  func delivered() async throws -> [String] {
    _ = try getInTime("/callback?last")
    var all: [String] = []
    while true {
      let address = try await listener.next()
      let origin = "http://127.0.0.1:\(port)"
      #expect(address.hasPrefix(origin))
      if address == origin + "/callback?last" { return all }
      all.append(String(address.dropFirst(origin.count)))
    }
  }
}

/// The status of an answer whose headers and page are as they have to be.
func checkedStatus(_ answer: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
  let parts = answer.components(separatedBy: "\r\n\r\n")
  let lines = parts[0].components(separatedBy: "\r\n")
  let page = parts.dropFirst().joined(separator: "\r\n\r\n")
  for header in [
    "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
    "Content-Type: text/html; charset=utf-8", "Content-Length: \(page.utf8.count)",
  ] {
    #expect(lines.contains(header), "\(header) in \(lines)", sourceLocation: sourceLocation)
  }
  #expect(
    lines.contains { $0.hasPrefix("Content-Security-Policy: default-src 'none';") }, sourceLocation: sourceLocation)
  #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"), sourceLocation: sourceLocation)
  for foreign in ["<script", "http:", "https:", "src=", "href=", "url("] {
    #expect(!page.contains(foreign), "\(foreign)", sourceLocation: sourceLocation)
  }
  return String(lines[0].dropFirst("HTTP/1.1 ".count).prefix(3))
}
