import Expressions
import FlowSpec
import JSONSyntax

/// What every trace of a flow says alike, prepared once.
final class TraceWords: Sendable {
  /// Without a scenario.
  let header: TraceHeader
  /// The members of the header before those of the scenario, and those behind its start.
  let headerStart: [UInt8]
  let headerEnd: [UInt8]
  /// What people call events and capabilities, by name: an event's name has a dot, a capability's has none.
  let titles: [String: String]
  let screenTitles: [String: String]
  let secrets: SecretMembers

  convenience init(_ flow: Flow) {
    var titles: [String: String] = [:]
    for event in flow.app.events { titles[event.name] = event.title }
    for capability in flow.capabilities { titles[capability.name] = capability.title }
    self.init(TraceHeader(flow), titles: titles, screenTitles: flow.screenTitles, secrets: SecretMembers(flow))
  }

  init(
    _ header: TraceHeader, titles: [String: String] = [:], screenTitles: [String: String] = [:],
    secrets: SecretMembers = SecretMembers()
  ) {
    self.header = header
    self.titles = titles
    self.screenTitles = screenTitles
    self.secrets = secrets
    headerStart = JSONWriter.members { header.writeFlow(to: &$0) }
    headerEnd = JSONWriter.members { header.writeParticipants(to: &$0) }
  }
}

extension JSONWriter {
  /// What is written as members of an object, without its brackets.
  fileprivate static func members(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    return Array(writer.taken().dropFirst())
  }
}
