#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The time that a session lives in.
public protocol SessionClock: Sendable {
  /// The time since 1970-01-01T00:00:00Z, leap seconds not counted.
  ///
  /// It may jump ahead: what fell due on the way then happens in order, each at its own time, and what the session is told
  /// waits for it. Only an answer of an adapter comes first, which was there for an unknown time. It should never go back;
  /// should it do so, the session's time stands still until it is caught up with. So does what is outside of the years 1 to 9999.
  var now: Duration { get }

  /// Returns when `now` has reached that time, or a little later.
  ///
  /// - Throws: When the task is cancelled. Anything else ends the session.
  func sleep(until time: Duration) async throws

  /// How long answers that came while the machine slept, or the app was suspended, are waited for before their time-outs
  /// strike: where the clock is found more than a second behind what falls due, and a live service was asked.
  ///
  /// It is real time, for the adapter to hand over what has come. What the session is told meanwhile waits as long;
  /// to cancel a task that tells it something does not end the wait. Zero unless said otherwise.
  var grace: Duration { get }
}

extension SessionClock {
  /// None: a clock for tests moves by hours at once, and nothing has come meanwhile.
  public var grace: Duration { .zero }
}

/// The system's clock as it stood when the session began, and from then on the time that has passed since, sleep of the
/// machine included.
///
/// So a clock that somebody sets in the meantime neither stops a time-out nor makes a token expire.
public struct SystemClock: SessionClock {
  private let start: Duration
  private let anchor: ContinuousClock.Instant

  /// Takes the time of day once.
  public init() {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    start = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    anchor = .now
  }

  /// The time of day at `init`, and what has passed since.
  public var now: Duration { start + anchor.duration(to: .now) }

  /// Sleeps on the system's continuous clock.
  public func sleep(until time: Duration) async throws {
    try await Task.sleep(until: anchor.advanced(by: time - start), clock: .continuous)
  }

  /// Half a second.
  public var grace: Duration { .milliseconds(500) }
}
