import Expressions

/// What moves led to that looked at no service's store.
///
/// Where everything but the services' stores is as it was, such a move does the same: what it leads to is written without
/// being made. So does what a service answers, as soon as it has answered. Fresh values and identifiers are noted by where
/// they stood in the snapshot before, instants as seen from it. As in what an exploration knows snapshots by, the date and
/// the time of day make no difference.
struct MoveMemory {
  /// Of more words than these it begins anew, as what comes is most like what came just before; of none nothing is noted.
  let most: Int
  /// Marks what is new among what is noted as made: four places to a word.
  fileprivate static let new = 1 << 15

  /// Where the outcomes of each begin.
  private var starts = FingerprintTable()
  /// Of each move what it cost and how many outcomes it has: one, and one for each kill that could cut it off; then the
  /// outcomes.
  private(set) var words: [UInt64] = []
  /// Where the one begins that is being noted, by what it will be known, and the budget that it has; `nil` when it cannot
  /// be.
  private var noted: (start: Int, key: Fingerprint, budget: Int)?
  /// What was made that a move finds: in all but the services' stores, then in the answer that arrives.
  var found = Pile<EncodedPart.Made>()

  init(most: Int) { self.most = most }

  /// Where the outcomes begin that are known by a key; `nil` when there are none.
  subscript(_ key: Fingerprint) -> Int? { starts[key] }

  /// Begins to note a move.
  mutating func begin(_ key: Fingerprint, budget: Int) {
    if most == 0 { return }
    if words.count > most { (starts, words) = (FingerprintTable(), []) }
    noted = (words.count, key, budget)
    words.append(0)
  }

  /// What a move finds in a snapshot.
  mutating func look(at base: EncodedSnapshot) {
    found.empty()
    let first = base.appeared.made
    for index in first..<first + base.services.made { found.append(EncodedPart.Made(word: base.words[index])) }
  }

  /// And in an answer, as it was written behind the view.
  mutating func look(at answer: borrowing EncodedPart, after base: EncodedSnapshot) {
    found.empty(behind: base.services.made)
    for index in base.services.made..<answer.made.count { found.append(answer.made[index]) }
  }

  /// Notes the snapshot that was written last as an outcome of the move that is being noted.
  mutating func add(_ encoding: borrowing CanonicalEncoding, after base: EncodedSnapshot, budget: Int) {
    guard let noted else { return }
    // A kill that cuts it off costs no more.
    if words[noted.start] == 0 { words[noted.start] = UInt64(noted.budget - budget) << 32 }
    words[noted.start] += 1
    let services = encoding.whole.services
    words.append(services.before.first)
    words.append(services.before.second)
    words.append(UInt64(services.made) << 32 | UInt64(services.instants))
    add(Interval(from: base.snapshot.now, to: encoding.now))
    var (next, word) = (0, UInt64(0))
    for index in 0..<services.made {
      let made = encoding.whole.all.made[index]
      let place = found.place(of: made, near: next) ?? -1
      // One more came out of a service's store, though none was looked at, or is one too many.
      if place < 0 && base.isInStores(made, encoding.parts) || max(place, index) >= Self.new { return forget() }
      word |= UInt64(place < 0 ? Self.new | index : place) << UInt64(index % 4 * 16)
      if index % 4 == 3 || index == services.made - 1 {
        words.append(word)
        word = 0
      }
      next = place + 1
    }
    for index in 0..<services.instants {
      let instant = encoding.whole.all.instants[index]
      add(Interval(from: base.snapshot.now, to: instant), isStored: instant.isStored)
    }
  }

  private mutating func add(_ interval: Interval, isStored: Bool = false) {
    words.append(UInt64(bitPattern: interval.seconds))
    words.append(UInt64(interval.nanoseconds) << 1 | (isStored ? 1 : 0))
  }

  /// The move that is being noted cannot be.
  mutating func forget() {
    guard let noted else { return }
    words.removeSubrange(noted.start...)
    self.noted = nil
  }

  /// The move that was noted is known now.
  mutating func end() {
    guard let noted else { return }
    starts.add(noted.key, number: noted.start)
    self.noted = nil
  }
}

extension CanonicalEncoding {
  /// By what is known what an answer leads to that begins at a place.
  mutating func key(
    of answer: UInt64, in view: FingerprintWriter, after base: EncodedSnapshot, _ memory: inout MoveMemory
  ) -> Fingerprint {
    part.empty()
    for index in 0..<base.services.made { part.append(memory.found[index]) }
    let first = base.appeared.instants
    for index in 0..<base.services.instants { part.append(EncodedPart.Instant(at: first + 2 * index, in: base.words)) }
    writer = view
    writer.int(-1)
    part.add(EncodedParts.Layout(answer, in: parts.words), in: parts.words)
    memory.look(at: part, after: base)
    for index in base.services.instants..<part.instants.count {
      writer.add(Interval(from: base.snapshot.now, to: part.instants[index]))
    }
    return writer.fingerprint
  }

  /// The fingerprint of an outcome as it is behind another snapshot; `next` is behind the outcome then.
  mutating func fingerprint(
    ofOutcome next: inout Int, in memory: borrowing MoveMemory, services: [[Value]], after base: EncodedSnapshot
  ) -> Fingerprint? {
    let words = memory.words
    part.empty()
    part.writer = FingerprintWriter(first: words[next], second: words[next + 1])
    let (made, instants) = (Int(words[next + 2] >> 32), Int(words[next + 2] & 0xFFFF_FFFF))
    let before = base.snapshot.now
    guard let then = EncodedPart.Instant(after: before, at: next + 3, in: words).timestamp else { return nil }
    next += 5
    for index in 0..<made {
      let place = Int(words[next + index / 4] >> UInt64(index % 4 * 16) & 0xFFFF)
      // What is new is like nothing else, whatever it is called.
      let isNew = place >= MoveMemory.new
      part.append(isNew ? EncodedPart.Made(word: ~UInt64(place)) : memory.found[place])
    }
    next += (made + 3) / 4
    for index in stride(from: next, to: next + 2 * instants, by: 2) {
      part.append(EncodedPart.Instant(after: before, at: index, in: words))
    }
    next += 2 * instants
    turn(to: then)
    swap(&part, &whole.all)
    if let same = same(services, in: base) {
      whole.addServices(base.services.number, base.words, same, in: parts.words)
    } else {
      places.removeAll(keepingCapacity: true)
      add(services: services, after: base)
    }
    whole.addInstants(seenFrom: now, isRounding: isRounding)
    return fingerprint
  }
}

extension EncodedSnapshot {
  /// Of everything but the services' stores, with instants as far as they are ahead.
  var view: FingerprintWriter {
    var writer = services.before
    let (_, first) = appeared
    for index in 0..<services.instants {
      writer.add(Interval(from: snapshot.now, to: EncodedPart.Instant(at: first + 2 * index, in: words)))
    }
    for index in snapshot.flights.indices {
      if case .held(_, .response(let answer), _, _) = snapshot.flights[index].stage { writer.addDates(of: answer) }
    }
    return writer
  }

  /// Where what was made before the services' stores begins among the words, and which instants were named there.
  var appeared: (made: Int, instants: Int) { (count, count + services.made) }

  /// Whether something stands in the services' stores that was made.
  fileprivate func isInStores(_ sought: EncodedPart.Made, _ parts: borrowing EncodedParts) -> Bool {
    for place in CanonicalEncoding.PartIndex.services(of: snapshot)..<count {
      for index in EncodedParts.Layout(words[place], in: parts.words).made where parts.words[index] == sought.word {
        return true
      }
    }
    return false
  }
}

extension FingerprintWriter {
  /// Who reads an instant in a header reads it as text, with its date.
  mutating func addDates(of answer: Response) {
    for field in answer.headers { if case .timestamp(let instant) = field.value { add(Interval(instant)) } }
  }
}

extension Pile<EncodedPart.Made> {
  /// Where something made stands; it is looked for from some place on.
  fileprivate func place(of sought: Element, near place: Int) -> Int? {
    for index in place..<Swift.max(place, count) where self[index] == sought { return index }
    for index in 0..<min(place, count) where self[index] == sought { return index }
    return nil
  }
}

extension Choice {
  /// By what a move is known that stands at an index of a snapshot's moves, beside the snapshot's view; `nil` where it
  /// looks at a service, or mostly leads to what is new.
  func key(at index: Int, in view: FingerprintWriter) -> Fingerprint? {
    switch self {
    case .deliver, .receive, .visit, .killed, .launch, .perform, .performLater, .submit, .clock: return nil
    default:
      var writer = view
      writer.int(index)
      return writer.fingerprint
    }
  }
}
