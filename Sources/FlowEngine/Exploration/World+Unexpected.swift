import Expressions
import FlowSpec

/// Answers that no model gives, for an exploration that tries what the app makes of them.
extension World {
  /// What may come in place of what the app awaits from a service: another answer, as a page of a proxy, and each answer
  /// of its model with one header left out or with another text, or one member of its JSON left out or of another type.
  ///
  /// The model does not act; of a request that asks for more than a look the same comes once more where it did, but for what
  /// it gives only sometimes.
  ///
  /// None is made of the model's own where that redirects, or answers only once something else has happened; there are none
  /// at all where no route takes the request.
  func unexpectedAnswers(to flight: Flight, in snapshot: Snapshot, _ sometimes: [String]) -> [Choice] {
    // No fault can name what no route takes.
    if flight.route == nil { return [] }
    let odd = ([nil] + sometimes.map(Optional.some)).map { reply -> [Response.Parts] in
      guard let answer = answer(to: flight, reply: reply, in: snapshot), answer.location == nil else { return [] }
      let headers = answer.headers.unexpected.map { headers in
        Response.Parts(status: answer.status, headers: headers, body: answer.body)
      }
      guard case .json(let usual)? = answer.body else { return headers }
      return headers
        + usual.unexpected.map { value in
          Response.Parts(status: answer.status, headers: answer.headers, body: .json(value))
        }
    }
    let isLook = ["GET", "HEAD"].contains(flight.request.method)
    let acting: [Response.Parts] = isLook ? [] : [Self.page(503)] + odd[0]
    return (Self.alwaysUnexpected + odd.joined()).map { .receive(flight: flight.number, .response(Response($0))) }
      + acting.map { .deliver(flight: flight.number, reply: nil, .replaced(.response(Response($0)))) }
  }

  /// The app's links and redirect URIs as anybody may send them: with nothing in their query, and a letter for each
  /// variable; those that something takes now, or that open the app.
  func unexpectedArrivals(in snapshot: Snapshot) -> [Choice] {
    let taken = Set(eventsTaken(in: snapshot))
    let links = flow.links.filter { link in link.event.map { !snapshot.app.isRunning || taken.contains($0) } ?? false }
      .compactMap { ownLocation($0.origin + $0.example, in: snapshot) }
    let isAwaited = flow.app.redirected.map(taken.contains) ?? false
    return (links + (isAwaited ? book(for: snapshot.app.config).redirects.map(\.location) : [])).map { .visit($0) }
  }

  private func eventsTaken(in snapshot: Snapshot) -> [Int] {
    (snapshot.app.run?.levels ?? []).flatMap { flow.app.enclosing($0.leaf) }.flatMap { flow.app.states[$0].on }
      .map(\.event)
  }

  private static let alwaysUnexpected = [
    page(200), page(503), Response.Parts(status: 204), Response.Parts(status: 200, body: .json(.null)),
  ]

  private static func page(_ status: Int) -> Response.Parts {
    Response.Parts(status: status, body: .text(Text("<html>")))
  }

  /// What its model answers to a flight when nobody but services does anything; `nil` for nothing.
  private func answer(to flight: Flight, reply: String?, in snapshot: Snapshot) -> Response? {
    var step = Step(world: self, snapshot: snapshot, isRecording: false)
    var choice = Choice.deliver(flight: flight.number, reply: reply, .arrives)
    // Services that ask one another for ever come to no answer.
    for _ in 0..<Self.mostBeforeAnswer {
      let report = step.take(choice, stoppingAtAnswerTo: flight.number)
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
    case .answer, .timeOut, .retry(.exchange, _): return .tick(timers: true)
    case .result, .retry, .timer: return nil
    }
  }
}

extension LinkPattern {
  /// A path that it matches.
  fileprivate var example: String {
    segments.map { segment in
      switch segment {
      case .literal(let text): "/" + pathEncoded(text)
      case .variable(_, let before, let behind): "/" + pathEncoded(before + "x" + behind)
      }
    }.joined()
  }
}

extension [NamedValue] {
  /// The same with one header left out, or with the text of a date, which is no number and no name either.
  fileprivate var unexpected: [[NamedValue]] {
    indices.flatMap { index in
      var (without, changed) = (self, self)
      without.remove(at: index)
      changed[index].value = .string(Text("Fri, 31 Dec 1999 23:59:59 GMT"))
      return [without, changed]
    }
  }
}

extension Value {
  /// The same with one member of its maps left out or of another type, one value for each; none where it has no map.
  ///
  /// Of a list it is its first element that changes; of a large value there are the first.
  var unexpected: [Value] {
    var all: [Value] = []
    // Each is as large as it is itself.
    let most = min(Self.mostUnexpected, Self.mostWeightUnexpected / max(1, weight))
    addUnexpected(to: &all, most: max(1, most)) { $0 }
    return all
  }

  static let mostUnexpected = 1_000
  /// Of all together.
  private static let mostWeightUnexpected = 4 << 20

  /// `whole` puts another value in the place of this one.
  private func addUnexpected(to all: inout [Value], most: Int, _ whole: (Value) -> Value) {
    switch self {
    case .map(let map):
      for index in map.entries.indices where all.count < most {
        var without = map.entries
        without.remove(at: index)
        all.append(whole(.map(ValueMap(distinct: without))))
        func changed(_ other: Value) -> Value {
          var changed = map
          changed.replaceValue(at: index, with: other)
          return whole(.map(changed))
        }
        let value = map.entries[index].value
        for other in Self.ofAllTypes where all.count < most && !value.isLike(other) { all.append(changed(other)) }
        for number in value.oddNumbers where all.count < most { all.append(changed(number)) }
        value.addUnexpected(to: &all, most: most, changed)
      }
    case .list(let elements):
      elements.first?.addUnexpected(to: &all, most: most) { whole(.list([$0] + elements.dropFirst())) }
    default: break
    }
  }

  /// One of each type of JSON, and a number that is none of the usual.
  private static let ofAllTypes: [Value] = [
    .null, .bool(true), .int(5), .double(1e20), .string("soon"), .list([]), .map(ValueMap()),
  ]

  /// Of a number: that as text, which converts and is none, as some peers send it; one before nothing, as of a time that is
  /// over; and more seconds than any calendar has.
  private var oddNumbers: [Value] {
    let written: String
    switch self {
    case .int(let int): written = "\(int)"
    case .double(let double): written = "\(double)"
    default: return []
    }
    return [.string(Text(written)), .int(-1), .int(99_999_999_999_999)]
  }

  /// Whether another is of the same type of JSON, and as usual.
  private func isLike(_ other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null), (.bool, .bool), (.int, .int), (.double, .int): true
    case (.string, .string), (.list, .list), (.map, .map): true
    default: false
    }
  }
}
