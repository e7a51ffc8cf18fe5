import Expressions
import FlowSpec

/// What is still to come by itself.
extension LiveRun {
  /// When time alone brings something next; `nil` when it never does.
  package var nextDue: Timestamp? { world.nextDue(in: snapshot)?.instant }

  /// Whether an answer, a time-out or a retry is still to come.
  package var isAnswerDue: Bool { world.nextDue(in: snapshot, timers: false) != nil }

  /// The live request of this number, while somebody waits for its answer.
  package func request(_ number: Int) -> Flight? {
    snapshot.flights.first { $0.number == number && world.isLive($0.request.service) }
  }
}
