import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec

extension RunCommand {
  /// Runs the flow in its simulated world; with a store, from what is kept there to what is kept then.
  static func run(
    _ loaded: LoadedFlow, asked: String?, _ store: StoreFile?, config: [Int: Value]
  ) throws(Failure) -> (Scenario?, RunOutcome) {
    let kept = store?.kept?.values
    // The usual scenario tells of a first launch.
    let scenario = kept == nil || asked != nil ? try loaded.scenario(asked: asked) : nil
    if let store, let scenario, kept != nil, scenario.given.after != nil || !scenario.given.store.isEmpty {
      throw Failure(
        .usage, "scenario \"\(scenario.name)\" says itself what is stored, and \(store.path) is there already",
        help: "without --scenario the run begins with what \(store.path) holds")
    }
    let outcome = loaded.run(scenario, kept: kept, config: config)
    try store?.keep(outcome, of: loaded.flow)
    return (scenario, outcome)
  }
}

extension StoreFile {
  /// Nothing of a simulated run reaches anybody before it is over, so its last store is all that is kept.
  fileprivate func keep(_ outcome: RunOutcome, of flow: Flow) throws(Failure) {
    let store = FlowStore(outcome.snapshot.app.store, of: flow)
    // A run that could not begin has changed nothing.
    guard !outcome.happenings.isEmpty, store != kept?.store else { return }
    try keep(store)
  }
}
