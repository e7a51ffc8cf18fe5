import Expressions

/// What is written of a whole snapshot: what changes with most steps, then the fingerprints of its parts.
struct EncodedWhole {
  /// How the services' stores were written: how much was counted before, and what was written.
  struct Services {
    /// What was written before.
    var before = FingerprintWriter()
    var made = 0
    var instants = 0
    var fingerprint = Fingerprint(first: 0, second: 0)
  }

  var all = EncodedPart()
  private(set) var services = Services()
  /// Rows that nothing holds, by where they stand among the snapshot's parts.
  private(set) var waiting = Pile<Int>()
  /// Room that is used again.
  private var spans: [Span] = []
  private var order: [Int] = []

  /// Adds parts: those from before by where they stand there, those that are new by the complement of where they begin.
  mutating func add(_ parts: Pile<Int>, in range: Range<Int>, new: [UInt64], old: [UInt64]) {
    for index in range where parts[index] != CanonicalEncoding.Place.none {
      let isAdded = parts[index] < 0 ? add(~parts[index], new) : add(Int(old[parts[index]]), old)
      if !isAdded { waiting.append(index) }
    }
  }

  /// Adds the services' stores.
  ///
  /// A row is left out when its key is a fresh value that nothing holds that was added before it, where no expression
  /// counts or goes through its table: nobody can ask for it again. In such a table the order of the rows says nothing.
  mutating func addServices(_ parts: Pile<Int>, in range: Range<Int>, new: [UInt64], old: [UInt64]) {
    services = Services(before: all.writer, made: all.made.count, instants: all.instants.count)
    var outer = FingerprintWriter()
    swap(&outer, &all.writer)
    waiting.empty()
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
    swap(&outer, &all.writer)
    services.fingerprint = outer.fingerprint
    all.writer.add(services.fingerprint.first, services.fingerprint.second)
  }

  /// Adds the services' stores as they were written of a snapshot that has the same, if the same was counted before them.
  mutating func takeServices(of base: EncodedSnapshot) -> Bool {
    guard base.services.made == all.made.count, base.services.instants == all.instants.count else { return false }
    let (made, instants) = base.appeared
    for index in all.made.indices where all.made[index].word != base.words[made + index] { return false }
    for index in all.instants.indices
    where all.instants[index].words != (base.words[instants + 2 * index], base.words[instants + 2 * index + 1]) {
      return false
    }
    for index in all.made.count..<base.made { _ = all.number(of: EncodedPart.Made(word: base.words[made + index])) }
    for index in all.instants.count..<base.instants {
      _ = all.number(of: EncodedPart.Instant(at: instants + 2 * index, in: base.words))
    }
    services = base.services
    services.before = all.writer
    waiting.empty()
    all.writer.add(services.fingerprint.first, services.fingerprint.second)
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
    guard all.holdsKey(of: row, in: words) else { return false }
    all.writer.int(row.table)
    all.add(row, in: words)
    return true
  }

  /// When instants are, is said at the end.
  mutating func addInstants(seenFrom now: Timestamp, isRounding: Bool) {
    all.writer.int(all.instants.count)
    if all.instants.isEmpty { return }
    // Mostly there is but one.
    if all.instants.count == 1 {
      var span = Span(from: now, to: all.instants[0])
      if isRounding, span.isFar { span.roundUp() }
      return all.writer.add(span)
    }
    spans.removeAll(keepingCapacity: true)
    for index in all.instants.indices { spans.append(Span(from: now, to: all.instants[index])) }
    if isRounding { spans.roundAhead(&order) }
    for span in spans { all.writer.add(span) }
  }
}
