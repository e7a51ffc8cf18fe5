import Expressions
import FlowSpec

/// The first line of a trace: what ran, when its clock began, and who takes part.
package struct TraceHeader: Sendable, Hashable {
  /// Raised when a reader of the old could misread the new.
  ///
  /// A reader takes every version up to its own.
  package static let version = 1

  package struct Participant: Sendable, Hashable {
    package var name: String
    package var title: String
    /// `person app browser service inbox device`.
    package var kind: String
  }

  package var flow: String
  package var title: String
  /// `nil` for an automatic run.
  package var scenario: String?
  /// What people call the scenario, `nil` when it has no title.
  package var situation: String?
  package var started: String
  /// In the order of the lanes.
  package var participants: [Participant]
  /// The names of the services that were real; none in a simulated run.
  package var live: [String] = []
}

extension TraceHeader {
  /// Of a run that is not of a scenario, and has no start yet.
  init(_ flow: Flow) {
    self.init(
      flow: flow.name, title: flow.title, scenario: nil, started: "",
      participants: flow.participants.map {
        Participant(name: $0.name, title: $0.title, kind: $0.kind.rawValue)
      })
  }
}
