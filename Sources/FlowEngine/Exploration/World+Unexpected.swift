import Expressions
import FlowSpec

/// Answers that no model gives, for an exploration that tries what the app makes of them.
extension World {
  /// What may come in place of what the app awaits from a service: another answer, as a page of a proxy, and each answer
  /// of its model with one member of its JSON left out or of another type; the model does not act.
  ///
  /// None where the model answers with no JSON object, or only once something else has happened.
  func unexpectedAnswers(to flight: Flight, in snapshot: Snapshot, _ sometimes: [String]) -> [Choice] {
    var bodies: [(status: Int, body: Body?)] = Self.alwaysUnexpected
    for reply in [nil] + sometimes.map(Optional.some) {
      guard let answer = answer(to: flight, reply: reply, in: snapshot), case .json(let usual)? = answer.body else {
        continue
      }
      bodies += usual.unexpected.prefix(Self.mostUnexpected).map { (answer.status, .json($0)) }
    }
    return bodies.map { status, body in
      .arrive(flight: flight.number, .response(Response(Response.Parts(status: status, body: body))))
    }
  }

  /// Of so many an answer is made, however large it is.
  static let mostUnexpected = 1_000

  private static let alwaysUnexpected: [(status: Int, body: Body?)] = [
    (200, .text(Text("<html>"))), (503, .text(Text("<html>"))), (204, nil), (200, .json(.null)),
  ]

  /// What its model answers to a flight when nobody but services does anything; `nil` for nothing.
  private func answer(to flight: Flight, reply: String?, in snapshot: Snapshot) -> Response? {
    var step = Step(world: self, snapshot: snapshot, isRecording: false)
    var choice = Choice.deliver(flight: flight.number, reply: reply, .arrives)
    // Services that ask one another for ever come to no answer.
    for _ in 0..<Self.mostBeforeAnswer {
      let report = step.perform(choice, stoppingAtAnswerTo: flight.number)
      if let answer = step.stopped.take()?.answer { return answer }
      guard report.failure == nil, let next = nextOfServices(in: step.snapshot, before: flight) else { return nil }
      choice = next
    }
    return nil
  }

  private static let mostBeforeAnswer = 100

  private func nextOfServices(in snapshot: Snapshot, before flight: Flight) -> Choice? {
    if let sent = snapshot.indexOfSentFlight { return snapshot.flights[sent].delivery(to: snapshot.device) }
    guard let due = nextDue(in: snapshot), due.instant < flight.due else { return nil }
    switch due.what {
    case .answer, .timeOut, .retry(.exchange, _), .timer(.exchange, _, _): return .tick(timers: true)
    case .result, .retry, .timer: return nil
    }
  }
}

extension Value {
  /// The same with one member of its maps left out or of another type, one value for each; none where it has no map.
  ///
  /// Of a list it is its first element that changes.
  var unexpected: [Value] {
    switch self {
    case .map(let map):
      return map.entries.indices.flatMap { index -> [Value] in
        var without = map.entries
        without.remove(at: index)
        let value = map.entries[index].value
        let others = Self.ofAllTypes.filter { !value.isLike($0) } + value.unexpected
        return [.map(ValueMap(distinct: without))]
          + others.map { other in
            var changed = map
            changed.replaceValue(at: index, with: other)
            return .map(changed)
          }
      }
    case .list(let elements):
      guard let first = elements.first else { return [] }
      return first.unexpected.map { .list([$0] + elements.dropFirst()) }
    default: return []
    }
  }

  /// One of each type of JSON, and a number that is none of the usual.
  static let ofAllTypes: [Value] = [
    .null, .bool(true), .int(5), .double(1e20), .string("soon"), .list([]), .map(ValueMap()),
  ]

  /// Whether another is of the same type of JSON, and as usual.
  private func isLike(_ other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null), (.bool, .bool), (.int, .int), (.double, .int): true
    case (.string, .string), (.list, .list), (.map, .map): true
    default: false
    }
  }
}
