#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A TCP socket of the loopback interface that never blocks; whoever has it drops it, once.
struct LoopbackSocket: Sendable {
  enum Family {
    case v4, v6
  }

  /// Why nothing listens.
  enum Refusal: Error {
    /// This machine has no such address.
    case noAddress
    case taken
    case failed(String)
  }

  enum Acceptance {
    case connection(LoopbackSocket)
    case nobody
    /// The system has no more to give.
    case failed
  }

  enum Reception {
    case bytes([UInt8])
    case nothingYet
    case ended
  }

  let descriptor: Int32

  /// Listens at 127.0.0.1 or ::1 alone; port 0 is a free one.
  static func listening(_ family: Family, port: UInt16) throws(Refusal) -> LoopbackSocket {
    let descriptor = socket(family == .v4 ? AF_INET : AF_INET6, streams, 0)
    guard descriptor >= 0 else { throw Refusal(errno) }
    let made = LoopbackSocket(descriptor: descriptor)
    var yes: Int32 = 1
    // What a former run left waiting at the port (TIME_WAIT) does not keep it taken; a program that listens does.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard made.isBound(family, port), listen(descriptor, 64) == 0, made.isPrepared() else {
      let error = errno
      made.drop()
      throw Refusal(error)
    }
    return made
  }

  /// The port that it listens at.
  var port: UInt16 {
    var (address, size) = (sockaddr_in6(), socklen_t(MemoryLayout<sockaddr_in6>.size))
    withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { pointer in
        if let start = pointer.baseAddress { getsockname(descriptor, start, &size) }
      }
    }
    // It stands at the same place for both families.
    return UInt16(bigEndian: address.sin6_port)
  }

  func accepted() -> Acceptance {
    let descriptor = accept(descriptor, nil, nil)
    guard descriptor >= 0 else {
      return [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED].contains(errno) ? .nobody : .failed
    }
    let connection = LoopbackSocket(descriptor: descriptor)
    if connection.isPrepared() { return .connection(connection) }
    connection.drop()
    return .failed
  }

  func received() -> Reception {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 { return .bytes(Array(buffer[..<count])) }
    return count < 0 && Self.isPassing(errno) ? .nothingYet : .ended
  }

  /// How much was taken; `nil` when nobody reads any more.
  func sent(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    return Self.isPassing(errno) ? 0 : nil
  }

  /// The peer sees the end, even where another process has inherited the socket.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Nobody is taken any more, even where a process that is just being started has inherited the socket.
  func drop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    _ = close(descriptor)
  }

  /// Whether a text is ::1, in any of the ways to write it (RFC 4291 §2.2).
  static func isLoopback(v6 text: String) -> Bool {
    var (address, wanted) = (in6_addr(), loopback)
    return inet_pton(AF_INET6, text, &address) == 1 && memcmp(&address, &wanted, MemoryLayout<in6_addr>.size) == 0
  }
}

extension LoopbackSocket {
  #if canImport(Glibc)
    private static let streams = Int32(SOCK_STREAM.rawValue)
  #else
    private static let streams = SOCK_STREAM
  #endif

  private static var loopback: in6_addr {
    var address = in6_addr()
    withUnsafeMutableBytes(of: &address) { $0[15] = 1 }
    return address
  }

  private static func isPassing(_ error: Int32) -> Bool { [EAGAIN, EWOULDBLOCK, EINTR].contains(error) }

  /// Not to be inherited: a browser that is started must not keep a port taken.
  private func isPrepared() -> Bool {
    fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 && fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
  }

  private func isBound(_ family: Family, _ port: UInt16) -> Bool {
    switch family {
    case .v4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      return isBound(to: &address)
    case .v6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = Self.loopback
      return isBound(to: &address)
    }
  }

  private func isBound<Address>(to address: inout Address) -> Bool {
    withUnsafeBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { pointer in
        pointer.baseAddress.map { bind(descriptor, $0, socklen_t(bytes.count)) == 0 } ?? false
      }
    }
  }
}

extension LoopbackSocket.Refusal {
  fileprivate init(_ error: Int32) {
    switch error {
    case EAFNOSUPPORT, EADDRNOTAVAIL: self = .noAddress
    case EADDRINUSE: self = .taken
    case EACCES: self = .failed("the system keeps it for itself, as it does with ports below 1024")
    default: self = .failed(strerror(error).map { String(cString: $0) } ?? "error \(error)")
    }
  }
}
