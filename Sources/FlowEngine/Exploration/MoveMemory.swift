import Expressions

/// What moves led to that looked at no service's store.
///
/// Where everything but the services' stores is as it was, such a move does the same: what it leads to is written without
/// being made. Fresh values and identifiers are noted by where they stood in the snapshot before, instants as seen from
/// it. As in what an exploration knows snapshots by, the date and the time of day make no difference.
struct MoveMemory {
  /// Of more words than these it begins anew, as what comes is most like what came just before; of none nothing is noted.
  let most: Int
  /// Marks what is new among what is noted as made: four places to a word.
  fileprivate static let new = 1 << 15

  /// Where the outcomes of each begin.
  private var starts = FingerprintTable()
  /// Of each move how many outcomes it has: one, and one for each kill that could cut it off; then the outcomes.
  private(set) var words: [UInt64] = []
  /// Where the one begins that is being noted; `nil` when it cannot be.
  private var start: Int?

  init(most: Int) { self.most = most }

  /// Where the outcomes begin that are known by a key; `nil` when there are none.
  subscript(_ key: Fingerprint) -> Int? { starts[key] }

  /// Begins to note a move.
  mutating func begin() {
    if most == 0 { return }
    if words.count > most { self = MoveMemory(most: most) }
    start = words.count
    words.append(0)
  }

  /// Notes the snapshot that was written last as an outcome of the move that is being noted.
  mutating func add(_ encoding: borrowing CanonicalEncoding, after base: EncodedSnapshot) {
    guard let start else { return }
    words[start] += 1
    let services = encoding.whole.services
    words.append(services.before.first)
    words.append(services.before.second)
    words.append(UInt64(services.made) << 32 | UInt64(services.instants))
    add(Span(from: base.snapshot.now, to: encoding.now))
    var (next, word) = (0, UInt64(0))
    for index in 0..<services.made {
      let made = encoding.whole.all.made[index]
      let place = base.place(of: made, next) ?? -1
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
      add(Span(from: base.snapshot.now, to: instant), isStored: instant.isStored)
    }
  }

  private mutating func add(_ span: Span, isStored: Bool = false) {
    words.append(UInt64(bitPattern: span.seconds))
    words.append(UInt64(span.nanoseconds) << 1 | (isStored ? 1 : 0))
  }

  /// The move that is being noted cannot be.
  mutating func forget() {
    guard let start else { return }
    words.removeSubrange(start...)
    self.start = nil
  }

  /// The move that is being noted is known by a key now.
  mutating func end(_ key: Fingerprint) {
    guard let start else { return }
    starts.add(key, number: start)
    self.start = nil
  }
}

extension CanonicalEncoding {
  /// The fingerprint of an outcome as it is behind another snapshot; `next` is behind the outcome then.
  ///
  /// `nil` where something in a service's store is past by then that was not.
  mutating func fingerprint(
    ofOutcome next: inout Int, in words: [UInt64], after base: EncodedSnapshot
  ) -> Fingerprint? {
    part.empty()
    part.writer = FingerprintWriter(first: words[next], second: words[next + 1])
    let (made, instants) = (Int(words[next + 2] >> 32), Int(words[next + 2] & 0xFFFF_FFFF))
    let now = base.snapshot.now
    guard let then = EncodedPart.Instant(after: now, at: next + 3, in: words).timestamp else { return nil }
    next += 5
    let madeBefore = base.appeared.made
    for index in 0..<made {
      let place = Int(words[next + index / 4] >> UInt64(index % 4 * 16) & 0xFFFF)
      // What is new is like nothing else, whatever it is called.
      let isNew = place >= MoveMemory.new
      part.append(EncodedPart.Made(word: isNew ? ~UInt64(place) : base.words[madeBefore + place]))
    }
    next += (made + 3) / 4
    for index in stride(from: next, to: next + 2 * instants, by: 2) {
      part.append(EncodedPart.Instant(after: now, at: index, in: words))
    }
    next += 2 * instants
    turn(to: then)
    return fingerprint(afterServicesOf: base)
  }

  /// Goes on behind what is written of all but the services' stores, which are as before.
  private mutating func fingerprint(afterServicesOf base: EncodedSnapshot) -> Fingerprint? {
    let stores = Place.services(of: base.snapshot)..<base.count
    guard base.holds(stores, past, parts) else { return nil }
    swap(&part, &whole.all)
    places.empty()
    for place in stores { places.append(Int(base.words[place])) }
    whole.addServices(base.services.number, places, from: 0, in: parts.words)
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
      writer.add(Span(from: snapshot.now, to: EncodedPart.Instant(at: first + 2 * index, in: words)))
    }
    return writer
  }

  /// Where what was made before the services' stores begins among the words, and which instants were named there.
  var appeared: (made: Int, instants: Int) { (count, count + services.made) }

  /// Where something made stands among that, as most does at a certain place.
  fileprivate func place(of sought: EncodedPart.Made, _ place: Int) -> Int? {
    if place < services.made, words[count + place] == sought.word { return place }
    for index in 0..<services.made where words[count + index] == sought.word { return index }
    return nil
  }

  fileprivate func isInStores(_ sought: EncodedPart.Made, _ parts: borrowing EncodedParts) -> Bool {
    for place in CanonicalEncoding.Place.services(of: snapshot)..<count {
      for index in EncodedParts.Place(Int(words[place]), in: parts.words).made where parts.words[index] == sought.word {
        return true
      }
    }
    return false
  }
}

extension Choice {
  /// By what a move is known that stands at an index of a snapshot's moves, beside the snapshot's view; `nil` where it
  /// looks at a service, or mostly leads to what is new.
  func key(at index: Int, in view: FingerprintWriter) -> Fingerprint? {
    switch self {
    case .deliver, .arrive, .visit, .killed, .launch, .perform, .submit, .clock: return nil
    default:
      var writer = view
      writer.int(index)
      return writer.fingerprint
    }
  }
}
