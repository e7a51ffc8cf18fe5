#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread for what blocks, so that no thread of Swift's own few does.
package enum BlockingThread {
  /// Does something in a thread of its own, to which no signal is delivered; whether the system gave one.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    // A peer that hangs up is an error of `write`, no end of the program (SIGPIPE). A thread begins with what is blocked
    // where it is made: none comes before it could block them itself.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // A closure in its place crashes the compiler of Swift 6.3.1.
    let error = pthread_create(&thread, nil, perform, work)
    if error != 0 { Unmanaged<Work>.fromOpaque(work).release() }
    return error == 0
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

#if canImport(Darwin)
  private func perform(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { performed(work) }
#else
  private func perform(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { work.flatMap(performed) }
#endif

private func performed(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  pthread_detach(pthread_self())
  Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
  return nil
}
