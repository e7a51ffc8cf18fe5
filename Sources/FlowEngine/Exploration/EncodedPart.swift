import Expressions

/// A part that is being encoded, or the whole that is made of them: what is written, and what appeared on the way.
struct EncodedPart {
  /// A fresh value or an identifier in one word.
  struct Made: Equatable {
    let word: UInt64

    init(word: UInt64) { self.word = word }

    /// The last bit says whether it is fresh.
    ///
    /// `name` is an index into the names of `CanonicalEncoding`.
    init(number: Int, name: Int32, isFresh: Bool) {
      word = UInt64(truncatingIfNeeded: number) << 32 | UInt64(UInt32(bitPattern: name)) << 1 | (isFresh ? 1 : 0)
    }
  }

  /// An instant in two words.
  struct Instant {
    let seconds: Int64
    /// The nanoseconds, and whether it is a value and not past; else it is when a timer fires.
    private var rest: UInt64

    init(_ instant: Timestamp, isStored: Bool) {
      seconds = instant.seconds
      rest = UInt64(instant.nanoseconds) << 1 | (isStored ? 1 : 0)
    }

    @inline(__always)
    init(at index: Int, in words: [UInt64]) {
      seconds = Int64(bitPattern: words[index])
      rest = words[index + 1]
    }

    /// So long after another as two words say: seconds, then nanoseconds with what is said beside them.
    @inline(__always)
    init(after instant: Timestamp, at index: Int, in words: [UInt64]) {
      let nanoseconds = UInt64(instant.nanoseconds) + words[index + 1] >> 1
      seconds = instant.seconds + Int64(bitPattern: words[index]) + (nanoseconds < 1_000_000_000 ? 0 : 1)
      rest = (nanoseconds < 1_000_000_000 ? nanoseconds : nanoseconds - 1_000_000_000) << 1 | words[index + 1] & 1
    }

    var words: (UInt64, UInt64) { (UInt64(bitPattern: seconds), rest) }
    var isStored: Bool { rest & 1 == 1 }
    var nanoseconds: Int32 { Int32(truncatingIfNeeded: rest >> 1) }
    var timestamp: Timestamp? { Timestamp(seconds: seconds, nanoseconds: nanoseconds) }

    func isPast(_ past: Interval) -> Bool {
      seconds < past.seconds || (seconds == past.seconds && nanoseconds <= past.nanoseconds)
    }

    func isSame(as other: Instant) -> Bool { seconds == other.seconds && nanoseconds == other.nanoseconds }

    /// Whether both are one instant; the other is noted here as well then.
    mutating func takes(_ other: Instant) -> Bool {
      guard isSame(as: other) else { return false }
      rest |= other.rest
      return true
    }
  }

  var writer = FingerprintWriter()
  /// Fresh values and identifiers, by first appearance.
  private(set) var made = Pile<Made>()
  /// Where each of these stands, once they are many.
  private var places = MadePlaces()
  /// Instants that are stored and not past, and those of timers.
  private(set) var instants = Pile<Instant>()

  mutating func empty() {
    writer = FingerprintWriter()
    made.empty()
    instants.empty()
  }

  /// Adds what has not appeared yet.
  mutating func append(_ made: Made) {
    self.made.append(made)
    places.add(self.made)
  }
  mutating func append(_ instant: Instant) { instants.append(instant) }

  /// Where something made stands among what appeared; `nil` when it has appeared just now.
  @inline(__always)
  mutating func number(of sought: Made) -> Int? {
    if let known = index(of: sought) { return known }
    append(sought)
    return nil
  }

  /// Where something made stands among what appeared; `nil` when it did not.
  @inline(__always)
  func index(of sought: Made) -> Int? {
    if made.count > MadePlaces.few { return places.index(of: sought, in: made) }
    for index in made.indices where made[index] == sought { return index }
    return nil
  }

  func index(of sought: Instant) -> Int? {
    for index in instants.indices where instants[index].isSame(as: sought) { return index }
    return nil
  }

  mutating func number(of instant: Instant) -> Int {
    for index in instants.indices where instants[index].takes(instant) { return index }
    instants.append(instant)
    return instants.count - 1
  }

  /// Adds a part to the whole: its fingerprint, with what it made and named as the whole counts it.
  @inline(__always)
  mutating func add(_ part: EncodedParts.Layout, in words: [UInt64]) {
    writer.add(words[part.start + 2], words[part.start + 3])
    for index in part.made { writer.int(number(of: Made(word: words[index])) ?? -1) }
    var index = part.made.upperBound
    while index < part.end {
      writer.int(number(of: Instant(at: index, in: words)))
      index += 2
    }
  }
}
