import FlowSpec

extension Documents {
  /// Throws where something stands at a path that is no flow; `done` is what a flow would be: "run".
  mutating func refuseOther(than path: String, toBe done: String) throws(Failure) {
    if Files.kind(of: path) == .folder { throw .folder(path) }
    let wanted = "only a flow can be \(done)"
    if let scenario = ScenarioFolder.scenario(ofGoldenAt: path) {
      let flow = ScenarioFolder.flow(ofScenarioAt: scenario)
      throw Failure(
        .usage, "\(path) is a golden trace; \(wanted)", help: "flowrun \(quoted(flow)) --scenario \(quoted(scenario))")
    }
    switch try kind(of: path) {
    case .service:
      throw Failure(.usage, "\(path) is a service; \(wanted)", help: "flowrun check \(quoted(path)) looks at it")
    case .scenario:
      let flow = ScenarioFolder.flow(ofScenarioAt: path)
      throw Failure(
        .usage, "\(path) is a scenario; it is run with its flow",
        help: "flowrun \(quoted(flow)) --scenario \(quoted(path))")
    case nil where try isKeptStore(path):
      throw Failure(.usage, "\(path) is a store that a run has kept; \(wanted)")
    case .flow, nil: break
    }
  }
}
