import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// A server on loopback that does to its callers what a test says, each in a thread of its own.
final class Peer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let story = Mutex<(connections: Int, closed: Int, requests: [String])>((0, 0, []))

  /// `serve` is called for each connection, which is closed behind it.
  init(_ serve: @escaping @Sendable (Caller) -> Void) {
    (listener, port) = Socket.listening()
    let listener = listener
    Thread.detachNewThread { [weak self] in
      while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0, let self else { break }
        let number = self.story.withLock { story in
          story.connections += 1
          return story.connections
        }
        Socket.limit(socket)
        Thread.detachNewThread {
          let caller = Caller(socket: socket, number: number, peer: self)
          serve(caller)
          caller.close()
          self.story.withLock { $0.closed += 1 }
        }
      }
      close(listener)
    }
  }

  /// Answers each request on each connection with the same text.
  convenience init(answering text: String) {
    self.init { caller in while caller.request() != nil { caller.send(text) } }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  var authority: String { "127.0.0.1:\(port)" }
  var url: String { "http://\(authority)" }
  /// How many connections were made.
  var connections: Int { story.withLock(\.connections) }
  /// How many connections the peer has closed itself.
  var closed: Int { story.withLock(\.closed) }
  /// The requests that were received in full.
  var requests: [String] { story.withLock(\.requests) }

  fileprivate func received(_ request: String) { story.withLock { $0.requests.append(request) } }
}

/// One connection to a peer.
struct Caller: Sendable {
  let socket: Int32
  /// From 1.
  let number: Int
  let peer: Peer

  /// The next request with its body, as it came; `nil` when the connection is closed.
  func request() -> String? {
    var bytes: [UInt8] = []
    var end: Int?
    while end.map({ bytes.count < $0 }) ?? true {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(socket, &buffer, end.map { min(65_536, $0 - bytes.count) } ?? 65_536, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
      guard end == nil, let head = Self.head(of: bytes) else { continue }
      let text = String(decoding: bytes[..<head], as: UTF8.self).lowercased()
      let length = text.components(separatedBy: "\r\ncontent-length: ").dropFirst().first?.prefix { $0.isNumber }
      end = head + (length.flatMap { Int($0) } ?? 0)
    }
    let request = String(decoding: bytes, as: UTF8.self)
    peer.received(request)
    return request
  }

  private static func head(of bytes: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    guard bytes.count >= 4 else { return nil }
    return (4...bytes.count).first { bytes[($0 - 4)..<$0].elementsEqual(end) }
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Whether all of it could be sent.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Whether the other side closes before it sends anything more; gives up after five seconds.
  func isClosedByCaller() -> Bool {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, 0)
    // What it had not read yet makes its end a reset.
    return count == 0 || count < 0 && errno == ECONNRESET
  }

  /// Resets the connection.
  ///
  /// Its descriptor stays taken until `close`: nothing else is closed then.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    let other = Socket.tcp()
    dup2(other, socket)
    Foundation.close(other)
  }

  /// Ends the connection, even where a process that is just being started has inherited it.
  fileprivate func close() {
    shutdown(socket, Int32(SHUT_WR))
    Foundation.close(socket)
  }
}

enum Socket {
  /// A socket that listens on a free port of loopback.
  static func listening(backlog: Int32 = 64) -> (Int32, UInt16) {
    let socket = tcp()
    var address = loopback(0)
    var size = socklen_t(MemoryLayout.size(ofValue: address))
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        precondition(bind(socket, pointer, size) == 0 && listen(socket, backlog) == 0, "Loopback is there.")
        getsockname(socket, pointer, &size)
      }
    }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  static func tcp(_ family: Int32 = AF_INET) -> Int32 {
    #if canImport(Glibc)
      Foundation.socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      Foundation.socket(family, SOCK_STREAM, 0)
    #endif
  }

  /// Whether this machine has the address `::1`.
  static var hasV6: Bool {
    let socket = tcp(AF_INET6)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout.size(ofValue: address)))
      }
    } == 0
  }

  static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// A connection that is begun, and may never be taken.
  static func connecting(to port: UInt16) -> Int32 {
    let socket = tcp()
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    let address = loopback(port)
    _ = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout.size(ofValue: address)))
      }
    }
    return socket
  }

  static func stop(_ socket: Int32) { close(socket) }

  /// Nothing waits for ever.
  static func limit(_ socket: Int32) {
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout.size(ofValue: limit)))
  }
}
