import Expressions

extension CanonicalEncoding {
  /// What changes with most steps of them.
  mutating func add(_ flights: [Flight]) {
    writer.int(flights.count)
    for index in flights.indices { add(flights[index]) }
  }

  mutating func place(_ flights: [Flight], after base: EncodedSnapshot?) {
    for index in flights.indices {
      placeRequest(of: flights[index], after: base)
      placeAnswer(to: flights[index], after: base)
    }
  }

  private mutating func placeRequest(of flight: Flight, after base: EncodedSnapshot?) {
    let known = base?.snapshot.index(of: flight.request)
    place(Place.request(of: known ?? 0), of: base, unless: { _ in known != nil }) { $0.add(flight.request) }
  }

  private mutating func placeAnswer(to flight: Flight, after base: EncodedSnapshot?) {
    guard case .held(_, let answer, let reply, _) = flight.stage else { return places.append(Place.none) }
    let known = base?.snapshot.index(ofHeld: answer)
    place(Place.answer(to: known ?? 0), of: base, unless: { _ in known != nil }) { encoding in
      encoding.add(answer)
      encoding.add(plain: reply)
    }
  }

  /// Instants are said from now on, flights by where they stand.
  private mutating func add(_ flight: Flight) {
    switch flight.caller {
    case .app: writer.word(0)
    case .browser: writer.word(1)
    case .nobody: writer.word(2)
    case .exchange(let outer):
      writer.word(3)
      writer.int(index(ofFlight: outer))
    }
    writer.int(flight.from)
    writer.int(flight.route ?? -1)
    switch flight.stage {
    case .sent: writer.word(0)
    case .serving: writer.word(1)
    case .held(let until, _, _, _):
      writer.word(2)
      writer.add(Span(from: now, to: until))
    case .lost: writer.word(3)
    }
    switch flight.fate {
    case .arrives: writer.word(0)
    case .lost: writer.word(1)
    case .held(let delay):
      writer.word(2)
      writer.add(delay)
    }
    writer.add(Span(from: now, to: flight.due))
  }

  /// What changes with most steps of them.
  mutating func add(_ exchanges: [Exchange]) {
    writer.int(exchanges.count)
    for index in exchanges.indices {
      writer.int(self.index(ofFlight: exchanges[index].flight))
      writer.int(exchanges[index].service)
      add(exchanges[index].run.levels)
      add(plain: exchanges[index].wanted)
      writer.int(exchanges[index].mail.count)
      for mail in exchanges[index].mail { add(mail) }
    }
  }

  mutating func place(_ exchanges: [Exchange], after base: EncodedSnapshot?) {
    for index in exchanges.indices {
      let flight = exchanges[index].flight
      let known = base?.snapshot.exchanges.firstIndex { $0.flight == flight }
      let old = known.flatMap { base?.snapshot.exchanges[$0] }
      let first = Place.exchange(known ?? 0, behind: base?.snapshot.flights.count ?? 0)
      let (request, memory) = (exchanges[index].request, exchanges[index].run.memory)
      place(first, of: base, unless: { _ in old?.request.isIdentical(to: request) ?? false }) { $0.add(request) }
      place(first + 1, of: base, unless: { _ in old?.run.memory.isIdentical(to: memory) ?? false }) { $0.add(memory) }
    }
  }
}

extension Snapshot {
  /// The flight with that very request.
  fileprivate func index(of request: Request) -> Int? {
    for index in flights.indices where flights[index].request === request { return index }
    return nil
  }

  /// The flight with that very answer.
  fileprivate func index(ofHeld answer: Answer) -> Int? {
    guard case .response(let response) = answer else { return nil }
    for index in flights.indices {
      if case .held(_, .response(let known), _, _) = flights[index].stage, known === response { return index }
    }
    return nil
  }
}
