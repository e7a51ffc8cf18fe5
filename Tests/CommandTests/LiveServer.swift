import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A small HTTP server on this machine, which answers as a test says.
final class LiveServer: Sendable {
  struct Request: Sendable {
    var method: String
    /// Path and query, as sent.
    var target: String
    /// Names in lower case.
    var headers: [String: String]
    var body: String

    /// A member of the query, as sent.
    func query(_ name: String) -> String? {
      let members = target.split(separator: "?").dropFirst().first?.split(separator: "&") ?? []
      return members.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
  }

  struct Answer: Sendable {
    var status = 200
    var headers: [String] = []
    var body = ""
  }

  let url: String
  private let socket: Int32
  private let seen = Mutex<[Request]>([])

  var requests: [Request] { seen.withLock(\.self) }

  /// Where `answer` gives nil it never answers.
  init(_ answer: @escaping @Sendable (Request) -> Answer?) throws {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    socket = Self.open(kind)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (descriptor, bytes) = (socket, size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, bytes) == 0 && listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    try #require(isBound)
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        guard let self else {
          close(connection)
          return
        }
        Thread.detachNewThread { self.serve(connection, answer) }
      }
    }
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }

  private static func open(_ kind: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.socket(AF_INET, kind, 0)
    #elseif canImport(Musl)
      Musl.socket(AF_INET, kind, 0)
    #else
      Glibc.socket(AF_INET, kind, 0)
    #endif
  }

  /// One request for each connection.
  private func serve(_ connection: Int32, _ answer: (Request) -> Answer?) {
    defer { close(connection) }
    guard let request = Self.read(connection) else { return }
    seen.withLock { $0.append(request) }
    guard let given = answer(request) else {
      // Until the other side hangs up.
      var byte: UInt8 = 0
      _ = recv(connection, &byte, 1, 0)
      return
    }
    let lines =
      ["HTTP/1.1 \(given.status) x"] + given.headers
      + ["Content-Length: \(given.body.utf8.count)", "Connection: close", "", given.body]
    let bytes = Array(lines.joined(separator: "\r\n").utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
      let text = String(decoding: bytes, as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
      let pairs = lines.dropFirst().map {
        $0.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      }
      let headers = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0].lowercased(), $0[1]) }) { $1 }
      let body = String(text[end.upperBound...])
      guard body.utf8.count >= headers["content-length"].flatMap({ Int($0) }) ?? 0 else { continue }
      let words = lines[0].split(separator: " ").map(String.init)
      guard words.count == 3 else { return nil }
      return Request(method: words[0], target: words[1], headers: headers, body: body)
    }
  }
}
