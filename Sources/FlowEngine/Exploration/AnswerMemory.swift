import Expressions

/// What services answered at once, or that they could not give the reply that was asked for.
///
/// Where the same request comes to the same stores at the same instant, and as much was made before, the answer is the same
/// whatever else differs: its service is not asked again.
struct AnswerMemory {
  struct Known {
    /// `nil` where it was no move.
    let ready: Step.ReadyAnswer?
    /// Where the answer begins among the encoded parts.
    let place: UInt64
    /// How many it took to come to it.
    let transitions: Int

    /// Whether so many more transitions are too few to be named one by one.
    func mayBeGiven(in snapshot: Snapshot) -> Bool { snapshot.transitionsNow + transitions <= Step.mostUnnamed }
  }

  /// Of more answers than these, those with large stores counted as several, it begins anew; of none nothing is kept.
  let most: Int
  private var kept = 0
  /// Where each stands among them.
  private var places = FingerprintTable()
  private var answers: [Known] = []

  init(most: Int) { self.most = most }

  /// `nil` for one that was not given yet.
  subscript(_ key: Fingerprint) -> Known? { places[key].map { answers[$0] } }

  mutating func add(_ answer: Known, _ key: Fingerprint) {
    if most == 0 { return }
    if kept >= most { (places, answers, kept) = (FingerprintTable(), [], 0) }
    kept += answer.ready?.services.share ?? 1
    places.add(key, number: answers.count)
    answers.append(answer)
  }
}

extension CanonicalEncoding {
  /// By what the answer to a flight is known.
  mutating func key(ofAnswerTo flight: Int, reply: String?, in base: EncodedSnapshot) -> Fingerprint {
    if asked?.base !== base {
      part.empty()
      // Parts are known by where they begin, until they begin anew.
      writer.int(base.age)
      let index = base.snapshot.flights.firstIndex { $0.number == flight } ?? 0
      writer.word(base.words[PartIndex.request(of: index)])
      writer.int(base.services.number)
      writer.add(Interval(base.snapshot.now))
      add(base.snapshot.mint.freshCounts)
      add(base.snapshot.mint.identifierCounts)
      asked = (base, writer)
    }
    writer = asked?.writer ?? writer
    add(plain: reply)
    return writer.fingerprint
  }

  /// Where an answer begins as a part by itself, with the mail that leaves behind it; 0 for none.
  mutating func place(of ready: Step.ReadyAnswer?, seenFrom now: Timestamp) -> UInt64 {
    guard let ready else { return PartIndex.none }
    turn(to: now)
    part.empty()
    add(.response(ready.answer))
    writer.addDates(of: ready.answer)
    writer.int(ready.mail.count)
    for letter in ready.mail { add(letter) }
    return parts.place(of: part)
  }

  private mutating func add(_ counts: [Mint.Count]) {
    writer.int(counts.count)
    for index in counts.indices {
      writer.int(Int(number(of: counts[index].name)))
      writer.int(counts[index].made)
    }
  }
}
