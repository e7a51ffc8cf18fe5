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
    var step = Step(world: self, snapshot: base, isRecording: false)
    do throws(Step.Stop) {
      step.look(as: .app)
      try step.set(given.store, as: .app)
      for service in given.services {
        step.look(as: .service(service.service))
        try step.set(service.store, as: .service(service.service))
      }
    } catch {
      guard case .failed(let diagnostic) = error else { return base }
      throw Refusal(diagnostic)
    }
    step.lookAway()
    return step.snapshot
  }
}

extension World {
  /// An answer that a scenario writes out, in place of the model's.
  func answer(_ reply: Reply, to flight: Flight, in snapshot: Snapshot) -> Result<Answer, Refusal> {
    var step = Step(world: self, snapshot: snapshot, isRecording: false)
    step.look(as: .app)
    do throws(Step.Stop) {
      return .success(.response(Response(try step.response(reply, to: flight.request, key: -1))))
    } catch {
      guard case .failed(let diagnostic) = error else { return .success(.failure(.lost, reason: nil)) }
      return .failure(Refusal(diagnostic))
    }
  }
}
