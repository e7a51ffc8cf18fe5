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
    areAwaitedNow.store(true, ordering: .relaxed)
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
    var first: Int64?
    while true {
      var signal: Int32 = 0
      guard sigwait(&set, &signal) == 0 else { continue }
      if let first {
        if isAnother(since: first) { exit(ExitCode.interrupted.rawValue) }
      } else {
        first = now
        stoppedAt.store(now, ordering: .relaxed)
        stop.yield()
      }
    }
  }

  /// Whether a run on other threads comes to its own end when a signal asks for it.
  static var areAwaited: Bool { areAwaitedNow.load(ordering: .relaxed) }

  private static let areAwaitedNow = Atomic(false)

  /// When such a run was asked to end; 0 before.
  private static let stoppedAt = Atomic<Int64>(0)

  /// For how many milliseconds whoever reads what is told may still let it wait; -1 for ever, as long as nobody has asked
  /// for an end.
  static var patience: Int32 {
    let stoppedAt = stoppedAt.load(ordering: .relaxed)
    return stoppedAt == 0 ? -1 : Int32(max(0, stoppedAt + 2000 - now))
  }

  private static let start = ContinuousClock.now

  /// Milliseconds since somebody first asked, from 1 on.
  private static var now: Int64 { 1 + Int64(start.duration(to: .now) / .milliseconds(1)) }

  /// Whether a signal is more than the first once more: `timeout` sends one to the program, and at once to its group.
  private static func isAnother(since first: Int64) -> Bool { now - first >= 300 }

  /// Does something while the first Ctrl-C, or what a service manager or `timeout` sends, only tells it to come to its
  /// end; the next that is no repetition of it ends the program at once.
  static func untilInterrupted<Outcome>(_ body: (_ isInterrupted: () -> Bool) -> Outcome) -> Outcome {
    interruptedAt.store(0, ordering: .relaxed)
    // A handler of signals makes nothing that has to be made once.
    _ = now
    let signals = [SIGINT, SIGTERM].filter { !isIgnored($0) }
    for number in signals {
      signal(number) { number in
        let first = Signals.interruptedAt.load(ordering: .relaxed)
        if first == 0 {
          Signals.interruptedAt.store(Signals.now, ordering: .relaxed)
        } else if Signals.isAnother(since: first) {
          signal(number, SIG_DFL)
          raise(number)
        }
      }
    }
    // What tells of it is interrupted no sooner.
    defer { if interruptedAt.load(ordering: .relaxed) == 0 { for number in signals { signal(number, SIG_DFL) } } }
    return body { interruptedAt.load(ordering: .relaxed) != 0 }
  }

  /// When it was told first; 0 before.
  private static let interruptedAt = Atomic<Int64>(0)

  /// What a shell has told a program in the background to ignore stays so.
  static func isIgnored(_ signal: Int32) -> Bool {
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
