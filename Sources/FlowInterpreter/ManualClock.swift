import Expressions
import FlowEngine
import Synchronization

/// A clock for tests and demonstrations: it stands still until it is moved, so that an hour takes no time.
public final class ManualClock: SessionClock {
  private struct State {
    var now: Duration
    var sleepers: [Int: (due: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
    /// How many have come to sleep.
    var sleeps = 0
  }
  private let state: Mutex<State>

  /// As it was given; see `SessionClock.grace`.
  public let grace: Duration

  /// When simulated runs begin: 2026-01-01T09:00:00Z.
  public static let start = Timestamp.start.sinceEpoch

  /// - Parameters:
  ///   - now: The time since 1970-01-01T00:00:00Z that it shows at first.
  ///   - grace: How long answers are waited for that come just behind a move; in real time, up to which they may come.
  public init(at now: Duration = start, grace: Duration = .zero) {
    state = Mutex(State(now: now))
    self.grace = grace
  }

  /// The time that it was moved to.
  public var now: Duration { state.withLock(\.now) }

  /// Moves on, or back where `duration` is negative; what falls due on the way happens once the session hears of it.
  public func move(by duration: Duration) { move(by: duration, waking: true) }

  /// The same; `waking` says whether those who are due hear of it.
  package func move(by duration: Duration, waking: Bool) {
    let woken = state.withLock { state in
      state.now += duration
      guard waking else { return [CheckedContinuation<Void, any Error>]() }
      let due = state.sleepers.filter { $0.value.due <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// How many wait for it.
  package var sleepers: Int { state.withLock(\.sleepers.count) }

  /// Returns once it has been moved so far.
  public func sleep(until time: Duration) async throws {
    let number = state.withLock { state in
      state.sleeps += 1
      return state.sleeps
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let sleeps = state.withLock { state in
          guard state.now < time, !Task.isCancelled else { return false }
          state.sleepers[number] = (time, continuation)
          return true
        }
        if sleeps { return }
        if Task.isCancelled { continuation.resume(throwing: CancellationError()) } else { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
