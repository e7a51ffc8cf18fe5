import FlowHTTP
import Synchronization

/// A program that goes on until it is done or somebody stops it.
enum Signals {
  /// What asks a program to end: Ctrl-C, a service manager, a terminal that is closed.
  static let ending = [SIGINT, SIGTERM, SIGHUP]

  /// Runs something on other threads, and ends the program with its code.
  ///
  /// `stops` tells each time that somebody wants it to end, by Ctrl-C or as a service manager does; the second ends it at
  /// once.
  ///
  /// Throws where the system gives no thread.
  static func run(
    _ body: @escaping @Sendable (_ stops: AsyncStream<Void>) async -> ExitCode
  ) throws(Failure) -> Never {
    let awaited = ending.filter { !isIgnored($0) }
    var set = sigset_t(awaited)
    // Threads that are made from here on leave them to the one that waits for them.
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let (stops, stop) = AsyncStream.makeStream(of: Void.self)
    guard BlockingThread.start({ wait(for: awaited, telling: stop) }) else {
      throw Failure(.ownFault, "the system gives no thread", help: "ulimit -u and ulimit -v tell how much it gives")
    }
    // Where there is no other thread this does not return.
    Task.detached { exit(await body(stops).rawValue) }
    while true { pause() }
  }

  private static func wait(for signals: [Int32], telling stop: AsyncStream<Void>.Continuation) {
    var set = sigset_t(signals)
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
