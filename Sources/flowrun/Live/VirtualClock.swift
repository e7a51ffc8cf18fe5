import Expressions
import FlowEngine
import FlowInterpreter
import Synchronization

/// The time of a run in which nothing is live: it stands still until somebody lets it pass.
final class VirtualClock: SessionClock {
  private let time: Mutex<Duration>

  /// Begins when simulated runs do, unless one goes on later.
  init(at instant: Timestamp = .start) { time = Mutex(instant.sinceEpoch) }

  var now: Duration { time.withLock(\.self) }

  /// Who jumps tells the session: nothing wakes by itself.
  func jump(to instant: Duration) { time.withLock { $0 = max($0, instant) } }

  func sleep(until time: Duration) async throws {
    guard time > now else { return }
    for await _ in AsyncStream<Never>.makeStream().stream {}
    throw CancellationError()
  }
}
