import Synchronization

/// A program that goes on until it is done or somebody stops it.
enum Signals {
  /// Runs something on other threads, and ends the program with its code.
  ///
  /// `stops` tells each time that somebody wants it to end, by Ctrl-C or as a service manager does; the second ends it at
  /// once.
  static func run(_ body: @escaping @Sendable (_ stops: AsyncStream<Void>) async -> ExitCode) -> Never {
    var set = sigset_t([SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) })
    // Threads that are made from here on leave them to this one.
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let (stops, stop) = AsyncStream.makeStream(of: Void.self)
    Task.detached { exit(await body(stops).rawValue) }
    var count = 0
    while true {
      var signal: Int32 = 0
      guard sigwait(&set, &signal) == 0 else { continue }
      count += 1
      if count > 1 { exit(ExitCode.interrupted.rawValue) }
      stop.yield()
    }
  }

  /// Does something while the first Ctrl-C, or what a service manager or `timeout` sends, only tells it to come to its
  /// end; the second ends the program at once.
  static func untilInterrupted<Outcome>(_ body: (_ isInterrupted: () -> Bool) -> Outcome) -> Outcome {
    interrupted.store(false, ordering: .relaxed)
    let signals = [SIGINT, SIGTERM].filter { !isIgnored($0) }
    for number in signals {
      signal(number) { number in
        Signals.interrupted.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
    defer { for number in signals { signal(number, SIG_DFL) } }
    return body { interrupted.load(ordering: .relaxed) }
  }

  private static let interrupted = Atomic(false)

  /// What a shell has told a program in the background to ignore stays so.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
      return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
  }
}

extension sigset_t {
  init(_ signals: [Int32]) {
    self.init()
    sigemptyset(&self)
    for signal in signals { sigaddset(&self, signal) }
  }
}
