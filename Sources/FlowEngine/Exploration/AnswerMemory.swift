import Expressions

/// What services answered at once.
///
/// Where the same request comes to the same stores at the same instant, and as much was made before, the answer is the same
/// whatever else differs: its service is not asked again.
struct AnswerMemory {
  /// Of more answers than these it begins anew; of none nothing is kept.
  let most: Int
  /// Where each stands among them.
  private var places = FingerprintTable()
  private var answers: [Step.ReadyAnswer] = []

  init(most: Int) { self.most = most }

  /// `nil` for one that was not given yet.
  subscript(_ key: Fingerprint) -> Step.ReadyAnswer? { places[key].map { answers[$0] } }

  mutating func add(_ answer: Step.ReadyAnswer, _ key: Fingerprint) {
    if most == 0 { return }
    if answers.count == most { (places, answers) = (FingerprintTable(), []) }
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
      writer.word(base.words[Place.request(of: index)])
      writer.int(base.services.number)
      writer.add(Span(base.snapshot.now))
      add(base.snapshot.mint.freshCounts)
      add(base.snapshot.mint.identifierCounts)
      asked = (base, writer)
    }
    writer = asked?.writer ?? writer
    add(plain: reply)
    return writer.fingerprint
  }

  private mutating func add(_ counts: [Mint.Count]) {
    writer.int(counts.count)
    for index in counts.indices {
      writer.int(Int(number(of: counts[index].name)))
      writer.int(counts[index].made)
    }
  }
}
