import Expressions
import FlowSpec

/// What came of running a flow to its end.
package struct RunOutcome: Sendable {
  package var happenings: [Happening]
  package var ended: Ended
  /// Run errors, steps not offered, faults that never struck, another end than the scenario says; with their places.
  package var problems: [Diagnostic]
  /// The world when the run started: the header of the trace and `now`.
  package var startedAt: Timestamp

  /// It went as the scenario says, or, where it says nothing, ended at a goal, a rest or an end.
  package var succeeded: Bool { problems.isEmpty }
}
