import FlowSpec

/// What a trace says of its flow.
struct TraceWords: Sendable {
  /// Without a scenario.
  let header: TraceHeader
  /// What people call events and capabilities, by name: an event's name has a dot, a capability's has none.
  let titles: [String: String]
  let screenTitles: [String: String]
  let secrets: SecretMembers
}

extension TraceWords {
  init(_ flow: Flow) {
    var titles: [String: String] = [:]
    for event in flow.app.events { titles[event.name] = event.title }
    for capability in flow.capabilities { titles[capability.name] = capability.title }
    self.init(
      header: TraceHeader(flow), titles: titles, screenTitles: flow.screenTitles, secrets: SecretMembers(flow))
  }
}
