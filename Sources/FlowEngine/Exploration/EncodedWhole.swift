import Expressions

/// What is written of a whole snapshot: what changes with most steps, the fingerprints of its parts, then the services'
/// stores.
///
/// The stores are written by themselves, as they are the same behind most steps; then is said which of what was counted
/// before them is which of what they made and named.
struct EncodedWhole {
  private enum Source { case none, base, parts }

  /// How the services' stores were written: how much was counted before, and what was written.
  struct Services {
    /// What was written before.
    var before = FingerprintWriter()
    var made = 0
    var instants = 0
    var fingerprint = Fingerprint(first: 0, second: 0)
    /// Which fresh values that the stores made stand in keys of rows, and which of these were counted before: a bit each.
    fileprivate var inKeys = UInt64(0)
    fileprivate var held = UInt64(0)
  }

  /// All but the services' stores, then that and what is said of them.
  var all = EncodedPart()
  private(set) var stores = EncodedPart()
  private(set) var services = Services()
  /// Rows that nothing holds, by where they stand among the snapshot's parts.
  private(set) var waiting = Pile<Int>()
  /// Of what the stores were written last: of the snapshot that is gone on from, or of parts.
  private var source = Source.none
  private var written = Pile<Int>()
  /// Where they began then among all parts.
  private var first = 0
  /// Room that is used again.
  private var spans: [Span] = []
  private var order: [Int] = []

  /// The parts of which the stores were written last are those of another snapshot now.
  mutating func begin() { source = .none }

  /// Adds parts: those from before by where they stand there, those that are new by the complement of where they begin.
  mutating func add(_ parts: Pile<Int>, in range: Range<Int>, new: [UInt64], old: [UInt64]) {
    for index in range where parts[index] != CanonicalEncoding.Place.none {
      let isAdded = parts[index] < 0 ? add(~parts[index], new) : add(Int(old[parts[index]]), old)
      if !isAdded { waiting.append(index) }
    }
  }

  /// Adds the services' stores.
  mutating func addServices(_ parts: Pile<Int>, in range: Range<Int>, new: [UInt64], old: [UInt64]) {
    if isSource(parts, in: range), !isHeld(anyOf: waiting, parts, new: new, old: old), join(asBefore: true) { return }
    (source, first) = (.parts, range.lowerBound)
    written.empty()
    for index in range { written.append(parts[index]) }
    swap(&stores, &all)
    write(parts, in: range, new: new, old: old)
    swap(&stores, &all)
    services.fingerprint = stores.writer.fingerprint
    _ = join(asBefore: false)
  }

  /// Adds the services' stores as they were written of a snapshot that has the same, where the same rows are held.
  mutating func takeServices(of base: EncodedSnapshot) -> Bool {
    if source != .base {
      source = .base
      services = base.services
      base.copyStores(to: &stores)
      waiting.empty()
    }
    return join(asBefore: true)
  }

  /// Whether the stores were written of these parts, which may stand elsewhere by now.
  private mutating func isSource(_ parts: Pile<Int>, in range: Range<Int>) -> Bool {
    guard source == .parts, written.count == range.count else { return false }
    for index in written.indices where written[index] != parts[range.lowerBound + index] { return false }
    for index in waiting.indices { waiting[index] += range.lowerBound - first }
    first = range.lowerBound
    return true
  }

  /// Writes the services' stores in place of the whole, which is aside.
  ///
  /// A row is left out when its key is a fresh value that nothing holds that was added before it, where no expression
  /// counts or goes through its table: nobody can ask for it again. In such a table the order of the rows says nothing.
  private mutating func write(_ parts: Pile<Int>, in range: Range<Int>, new: [UInt64], old: [UInt64]) {
    all.empty()
    waiting.empty()
    services.inKeys = 0
    add(parts, in: range, new: new, old: old)
    // What is held by a row that was added late may be added too.
    var isGrowing = true
    while isGrowing, !waiting.isEmpty {
      var left = 0
      for index in waiting.indices {
        let part = parts[waiting[index]]
        let isAdded = part < 0 ? addRow(~part, new) : addRow(Int(old[part]), old)
        if isAdded { continue }
        waiting[left] = waiting[index]
        left += 1
      }
      isGrowing = left < waiting.count
      waiting.empty(behind: left)
    }
  }

  /// Adds what was written of the stores, and what of it was counted before; false where it is not `asBefore` which rows
  /// are held.
  private mutating func join(asBefore: Bool) -> Bool {
    var (writer, held) = (all.writer, UInt64(0))
    writer.add(services.fingerprint.first, services.fingerprint.second)
    for index in all.made.indices {
      let number = stores.index(of: all.made[index]) ?? -1
      writer.int(number)
      if number >= 0 { held |= 1 << UInt64(number) }
    }
    for index in all.instants.indices { writer.int(stores.index(of: all.instants[index]) ?? -1) }
    held &= services.inKeys
    if asBefore, held != services.held || stores.made.count > UInt64.bitWidth { return false }
    (services.before, services.made, services.instants) = (all.writer, all.made.count, all.instants.count)
    (services.held, all.writer) = (held, writer)
    return true
  }

  /// False for a row: they come last.
  @inline(__always)
  private mutating func add(_ start: Int, _ words: [UInt64]) -> Bool {
    let part = EncodedParts.Place(start, in: words)
    if part.table >= 0 { return false }
    all.add(part, in: words)
    return true
  }

  /// False for a row that is left out as long as nothing else holds its key.
  private mutating func addRow(_ start: Int, _ words: [UInt64]) -> Bool {
    let row = EncodedParts.Place(start, in: words)
    guard isHeld(row, in: words) else { return false }
    all.writer.int(row.table)
    all.add(row, in: words)
    for index in row.inKey where words[index] & 1 == 1 {
      if let number = all.index(of: EncodedPart.Made(word: words[index])) { services.inKeys |= 1 << UInt64(number) }
    }
    return true
  }

  /// A key can be named by who holds every fresh value in it; one without any can be named by everybody.
  @inline(__always)
  private func isHeld(_ row: EncodedParts.Place, in words: [UInt64]) -> Bool {
    for index in row.inKey where words[index] & 1 == 1 {
      let made = EncodedPart.Made(word: words[index])
      if all.index(of: made) == nil, stores.index(of: made) == nil { return false }
    }
    return true
  }

  private func isHeld(anyOf rows: Pile<Int>, _ parts: Pile<Int>, new: [UInt64], old: [UInt64]) -> Bool {
    for index in rows.indices {
      let part = parts[rows[index]]
      let isHeld =
        part < 0
        ? isHeld(EncodedParts.Place(~part, in: new), in: new) : isHeld(EncodedParts.Place(Int(old[part]), in: old), in: old)
      if isHeld { return true }
    }
    return false
  }

  /// When instants are, is said at the end.
  mutating func addInstants(seenFrom now: Timestamp, isRounding: Bool) {
    spans.removeAll(keepingCapacity: true)
    for index in all.instants.indices { spans.append(Span(from: now, to: all.instants[index])) }
    for index in stores.instants.indices where all.index(of: stores.instants[index]) == nil {
      spans.append(Span(from: now, to: stores.instants[index]))
    }
    if isRounding { spans.roundAhead(&order) }
    all.writer.int(spans.count)
    for index in spans.indices { all.writer.add(spans[index]) }
  }

  /// How many words it takes to copy what appeared.
  var size: Int { all.size + stores.size }

  /// Copies what appeared: all that was made, then the instants.
  func copy(to room: inout MutableSpan<UInt64>, _ next: Int) {
    var next = next
    all.copyMade(to: &room, &next)
    stores.copyMade(to: &room, &next)
    all.copyInstants(to: &room, &next)
    stores.copyInstants(to: &room, &next)
  }
}
