import Expressions

extension CanonicalEncoding {
  /// What changes with most steps of them.
  mutating func add(_ flights: [Flight]) {
    writer.int(flights.count)
    for index in flights.indices { add(flights[index]) }
  }

  mutating func place(_ flights: [Flight], after base: EncodedSnapshot?) {
    for index in flights.indices {
      let request = flights[index].request
      let known = base?.snapshot.index(of: request)
      place(PartIndex.request(of: known ?? 0), of: known == nil ? nil : base) { $0.add(request) }
      guard case .held(_, let answer, let reply, _) = flights[index].stage else {
        places.append(PartIndex.none)
        continue
      }
      let held = base?.snapshot.index(ofHeld: answer)
      place(PartIndex.answer(to: held ?? 0), of: held == nil ? nil : base) { encoding in
        encoding.add(answer)
        encoding.add(plain: reply)
      }
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
      writer.add(Interval(from: now, to: until))
    case .lost: writer.word(3)
    }
    switch flight.fate {
    // Whether it is lost or arrives is one to nobody.
    case .lost where flight.caller == .nobody: writer.word(0)
    case .arrives: writer.word(0)
    case .lost: writer.word(1)
    case .held(let delay):
      writer.word(2)
      writer.add(delay)
    case .replaced(let answer):
      writer.word(3)
      add(answer)
    }
    writer.add(Interval(from: now, to: flight.due))
  }

  mutating func add(_ exchanges: [Exchange]) {
    writer.int(exchanges.count)
    for index in exchanges.indices {
      writer.int(self.index(ofFlight: exchanges[index].flight))
      writer.int(exchanges[index].service)
      add(exchanges[index].request)
      add(exchanges[index].run.memory)
      add(exchanges[index].run.levels)
      add(plain: exchanges[index].wanted)
      writer.int(exchanges[index].mail.count)
      for mail in exchanges[index].mail { add(mail) }
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
