#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Wakes a thread that waits for sockets, to end it.
struct StopSignal: Sendable {
  private let receiving: Int32
  private let giving: Int32

  /// `nil` when the system gives no pipe.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (receiving, giving) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  /// Once, before it is dropped.
  func give() {
    _ = write(giving, [1], 1)
    _ = close(giving)
  }

  /// By the thread, as the last that it does.
  func drop() { _ = close(receiving) }

  /// The descriptors of the sockets at which something can be done, none when the time has come; `nil` when the thread
  /// is to end.
  func wait(
    toReceive: [LoopbackSocket], toSend: [LoopbackSocket], until deadline: ContinuousClock.Instant?
  ) -> Set<Int32>? {
    var polled = [pollfd(fd: receiving, events: Int16(POLLIN), revents: 0)]
    polled += toReceive.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    polled += toSend.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
    // Rounded up: a wait that ends too early would begin anew at once.
    let time = deadline.map { (max(.zero, ContinuousClock.now.duration(to: $0)) / .milliseconds(1)).rounded(.up) }
    let count = poll(&polled, nfds_t(polled.count), time.map { Int32($0) } ?? -1)
    if count < 0 { return errno == EINTR ? [] : nil }
    guard polled[0].revents == 0 else { return nil }
    return Set(polled.filter { $0.revents != 0 }.map(\.fd))
  }
}
