import Expressions
import FlowSpec

extension World {
  /// What a scenario gives, laid over a snapshot: keys one by one, tables row by row and field by field.
  func laid(out given: Scenario.Given, over base: Snapshot) throws(Refusal) -> Snapshot {
    var base = base
    if let now = given.now {
      guard now >= base.now else { throw Refusal(.startsEarlier(given, end: base.now)) }
      base.now = now
    }
    for entry in given.config { base.app.config[entry.key] = flow.app.config[entry.key].field.marked(entry.value) }
    if let online = given.online { base.device.online = online }
    if let native = given.native { base.device.native = native }
    if let platform = given.platform { base.device.platform = platform }
    return try asApp(in: base) { step throws(Step.Stop) in
      try step.set(given.store, as: .app)
      for service in given.services {
        step.look(as: .service(service.service))
        try step.set(service.store, as: .service(service.service))
      }
      step.lookAway()
      return step.snapshot
    }.get()
  }

  /// An answer that a scenario writes out, in place of the model's.
  func answer(_ reply: Reply, to flight: Flight, in snapshot: Snapshot) -> Result<Answer, Refusal> {
    asApp(in: snapshot) { step throws(Step.Stop) in
      .response(Response(try step.response(reply, to: flight.request, key: -1)))
    }
  }

  /// What can be worked out of a snapshot in the app's eyes, outside of any choice.
  func asApp<Product>(
    in snapshot: Snapshot, _ body: (inout Step) throws(Step.Stop) -> Product
  ) -> Result<Product, Refusal> {
    var step = Step(world: self, snapshot: snapshot, isRecording: false)
    step.look(as: .app)
    do throws(Step.Stop) { return .success(try body(&step)) } catch {
      guard case .failed(let diagnostic) = error else { preconditionFailure("Nobody is killed outside of a choice.") }
      return .failure(Refusal(diagnostic))
    }
  }
}
