import Expressions

/// What is written of a whole snapshot: what changes with most steps, the fingerprints of its parts, then the services'
/// stores, with what of theirs was counted before them.
struct EncodedWhole {
  /// How much was counted before the services' stores, and what was written.
  struct Services {
    var before = FingerprintWriter()
    var made = 0
    var instants = 0
    /// By what the stores are known.
    var number = 0
  }

  /// All but the services' stores, then that and what is said of them.
  var all = EncodedPart()
  var stores = EncodedStores()
  var services = Services()
  /// What tells it apart from others that are alike but for how far ahead instants lie; `nil` where none was rounded.
  private(set) var ahead: UInt64?
  /// Room that is used again.
  private var intervals = Pile<Interval>()
  private var order: [Int] = []

  /// Adds the parts that begin at places among words.
  mutating func add(_ places: [UInt64], in words: [UInt64]) {
    for index in places.indices where places[index] > 0 {
      all.add(EncodedParts.Layout(places[index], in: words), in: words)
    }
  }

  /// Adds the services' stores, whose parts begin at a range of places.
  mutating func addServices(_ number: Int?, _ places: [UInt64], _ range: Range<Int>, in words: [UInt64]) {
    let number = number ?? stores.number(of: places, range, in: words)
    services = Services(
      before: all.writer, made: all.made.count, instants: all.instants.count, number: number)
    stores.write(number, places, range, in: words, behind: all)
    all.writer.add(stores.fingerprint.first, stores.fingerprint.second)
    for index in all.made.indices { all.writer.int(stores.index(of: all.made[index]) ?? -1) }
    for index in all.instants.indices { all.writer.int(stores.index(of: all.instants[index]) ?? -1) }
  }

  /// For so long all instants, seen from then, would be rounded as they are from now.
  func still(seenFrom now: Timestamp) -> Interval {
    var still = Interval(seconds: .max >> 1)
    for index in all.instants.indices where still > .zero {
      still = min(still, Interval(from: now, to: all.instants[index]).still)
    }
    for index in 0..<stores.instants where still > .zero {
      still = min(still, Interval(from: now, to: stores.instant(at: index)).still)
    }
    return still
  }

  /// When instants are, is said at the end.
  mutating func addInstants(seenFrom now: Timestamp, isRounding: Bool) {
    intervals.empty()
    for index in all.instants.indices { intervals.append(Interval(from: now, to: all.instants[index])) }
    for index in 0..<stores.instants {
      let instant = stores.instant(at: index)
      if all.index(of: instant) == nil { intervals.append(Interval(from: now, to: instant)) }
    }
    ahead = isRounding ? intervals.roundAhead(&order) : nil
    all.writer.int(intervals.count)
    for index in intervals.indices { all.writer.add(intervals[index]) }
  }
}
