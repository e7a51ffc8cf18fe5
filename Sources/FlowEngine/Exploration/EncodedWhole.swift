import Expressions

/// What is written of a whole snapshot: what changes with most steps, the fingerprints of its parts, then the services'
/// stores, with what of theirs was counted before them.
struct EncodedWhole {
  /// How much was counted before the services' stores, and what was written.
  struct Services {
    var before = FingerprintWriter()
    var made = 0
    var instants = 0
    /// By what the stores are known, what is fresh in them as it is.
    var stores = Fingerprint(first: 0, second: 0)
  }

  /// All but the services' stores, then that and what is said of them.
  var all = EncodedPart()
  private(set) var stores = EncodedStores()
  var services = Services()
  /// Room that is used again.
  private var spans: [Span] = []
  private var order: [Int] = []

  /// Adds parts: those from before by where they stand there, those that are new by the complement of where they begin.
  mutating func add(_ parts: Pile<Int>, in range: Range<Int>, new: [UInt64], old: [UInt64]) {
    for index in range where parts[index] != CanonicalEncoding.Place.none {
      if parts[index] < 0 {
        all.add(EncodedParts.Place(~parts[index], in: new), in: new)
      } else {
        all.add(EncodedParts.Place(Int(old[parts[index]]), in: old), in: old)
      }
    }
  }

  /// Adds the services' stores.
  mutating func addServices(
    _ key: Fingerprint?, _ parts: Pile<Int>, in range: Range<Int>, new: [UInt64], old: [UInt64]
  ) {
    var writer = FingerprintWriter()
    if key == nil { writer.add(parts, in: range, new: new, old: old) }
    services = Services(
      before: all.writer, made: all.made.count, instants: all.instants.count, stores: key ?? writer.fingerprint)
    stores.write(services.stores, parts, in: range, behind: all, new: new, old: old)
    all.writer.add(stores.fingerprint.first, stores.fingerprint.second)
    for index in all.made.indices { all.writer.int(stores.part.index(of: all.made[index]) ?? -1) }
    for index in all.instants.indices { all.writer.int(stores.part.index(of: all.instants[index]) ?? -1) }
  }

  /// When instants are, is said at the end.
  mutating func addInstants(seenFrom now: Timestamp, isRounding: Bool) {
    spans.removeAll(keepingCapacity: true)
    for index in all.instants.indices { spans.append(Span(from: now, to: all.instants[index])) }
    for index in stores.part.instants.indices where all.index(of: stores.part.instants[index]) == nil {
      spans.append(Span(from: now, to: stores.part.instants[index]))
    }
    if isRounding { spans.roundAhead(&order) }
    all.writer.int(spans.count)
    for index in spans.indices { all.writer.add(spans[index]) }
  }

  /// How many words it takes to copy what appeared.
  var size: Int { all.size + stores.part.size }

  /// Copies what appeared: all that was made, then the instants.
  func copy(to words: inout [UInt64]) {
    words.append(all.made)
    words.append(stores.part.made)
    words.append(all.instants)
    words.append(stores.part.instants)
  }
}
