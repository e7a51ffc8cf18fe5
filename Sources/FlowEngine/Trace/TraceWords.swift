import FlowSpec
import JSONSyntax

/// What a trace says of its flow.
struct TraceWords: Sendable {
  /// Without a scenario.
  let header: TraceHeader
  /// The first members of the lines that are most of a trace, by participant.
  let state, transition, set: [[UInt8]]
  /// What people call events and capabilities, by name: an event's name has a dot, a capability's has none.
  let titles: [String: String]
  let screenTitles: [String: String]
  let secrets: SecretMembers

  init(_ flow: Flow) {
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
    (state, transition, set) = (header.start(of: .state), header.start(of: .transition), header.start(of: .set))
    self.titles = titles
    self.screenTitles = screenTitles
    self.secrets = secrets
  }
}

extension TraceHeader {
  fileprivate func start(of kind: TraceKind) -> [[UInt8]] {
    participants.map { participant in
      var lines = JSONLines()
      lines.add { line in
        line.member("kind", kind.rawValue)
        line.member("who", participant.name)
      }
      return Array(lines.bytes.dropLast())
    }
  }
}
