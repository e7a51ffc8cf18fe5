import Expressions
import FlowSpec
import JSONSyntax

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

    package init(name: String, title: String, kind: String) {
      self.name = name
      self.title = title
      self.kind = kind
    }
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

  package init(
    flow: String, title: String, scenario: String?, situation: String? = nil, started: String,
    participants: [Participant]
  ) {
    self.flow = flow
    self.title = title
    self.scenario = scenario
    self.situation = situation
    self.started = started
    self.participants = participants
  }

  /// Of a run that is not of a scenario, and has no start yet.
  init(_ flow: Flow) {
    self.init(
      flow: flow.name, title: flow.title, scenario: nil, started: "",
      participants: flow.participants.map {
        Participant(name: $0.name, title: $0.title, kind: $0.kind.word)
      })
  }

  /// The members before those of the scenario.
  func writeFlow(to writer: inout JSONWriter) {
    writer.member("trace", Self.version)
    writer.member("flow", flow)
    writer.member("title", title)
  }

  /// The members behind the start.
  func writeParticipants(to writer: inout JSONWriter) {
    writer.name("participants")
    writer.beginArray()
    for participant in participants {
      writer.beginObject()
      writer.member("name", participant.name)
      writer.member("title", participant.title)
      writer.member("kind", participant.kind)
      writer.endObject()
    }
    writer.endArray()
  }
}

extension Participant.Kind {
  fileprivate var word: String {
    switch self {
    case .person: "person"
    case .app: "app"
    case .browser: "browser"
    case .inbox: "inbox"
    case .device: "device"
    case .service: "service"
    }
  }
}

extension JSONWriter {
  /// Writes nothing for `nil`.
  mutating func member(_ name: StaticString, _ value: String?) {
    if let value { member(name, value) }
  }

  mutating func member(_ name: StaticString, _ value: Int) {
    self.name(name)
    int(Int64(value))
  }

  /// Writes `true`, or nothing.
  mutating func flag(_ name: StaticString, _ value: Bool) {
    guard value else { return }
    self.name(name)
    bool(true)
  }
}
