import Expressions
import FlowSpec

/// What comes of a try that a fault strikes, and of one that none does.
extension World {
  func delivery(
    of flight: Flight, _ fault: Scenario.Fault?, in snapshot: Snapshot
  ) -> Result<Choice, Refusal> {
    guard let fault else { return .success(flight.delivery(to: snapshot.device)) }
    let fate = fault.delay.map(Choice.Fate.held) ?? .arrives
    switch fault.effect {
    case .usual: return .success(.deliver(flight: flight.number, reply: nil, fate))
    case .reply(let name): return .success(.deliver(flight: flight.number, reply: name, fate))
    case .lost: return .success(.deliver(flight: flight.number, reply: nil, .lost))
    case .unreachable: return .success(.unreachable(flight: flight.number))
    case .answer(let reply):
      return answer(reply, to: flight, in: snapshot).map { .receive(flight: flight.number, $0, fate) }
    case .replaced(let reply):
      return answer(reply, to: flight, in: snapshot).map {
        .deliver(flight: flight.number, reply: nil, .replaced($0))
      }
    case .fails, .result: preconditionFailure("a fault of a request is none of a capability")
    }
  }

  /// What the device does with what it was asked for.
  func performance(
    of capability: Int, input: [Value], _ fault: Scenario.Fault?, in snapshot: Snapshot
  ) -> Result<Choice, Refusal> {
    func done(failure: String?, _ fields: [Value]) -> Result<Choice, Refusal> {
      guard let fault, let delay = fault.delay else { return .success(.perform(failure: failure, fields: fields)) }
      guard snapshot.now.advanced(by: delay) != nil else { return .failure(Refusal(.beyondCalendar(fault.site))) }
      return .success(.performLater(delay, failure: failure, fields: fields))
    }
    if case .fails(let failure)? = fault?.effect { return done(failure: failure, []) }
    var result = example(of: capability, input: input, in: snapshot)
    if case .result(let given)? = fault?.effect {
      result = self.result(of: capability, with: given, else: result, in: snapshot)
    }
    return result.flatMap { done(failure: nil, $0) }
  }
}
