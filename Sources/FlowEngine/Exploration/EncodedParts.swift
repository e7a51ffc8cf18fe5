import Expressions

/// The encodings of parts of a snapshot in plain words, as there are many and most are only handed on.
///
/// A part has two words of counts, its fingerprint, another one that tells what it made and when instants are as well, then
/// these by first appearance in it.
struct EncodedParts {
  /// Where the words of a part stand.
  struct Place {
    let start: Int
    let made: Range<Int>
    let end: Int
    /// What it made in the key of the row.
    let inKey: Range<Int>
    /// The table to which the row belongs, an index into `ServiceTables.ofRows`; -1 for what is no row.
    let table: Int

    @inline(__always)
    init(_ start: Int, in words: [UInt64]) {
      let (counts, row) = (words[start], words[start + 1])
      self.start = start
      made = start + 6..<start + 6 + Int(counts & 0xFFFF_FFFF)
      end = made.upperBound + 2 * Int(counts >> 32)
      inKey = made.lowerBound..<made.lowerBound + Int(row & 0xFFFF_FFFF)
      table = Int(row >> 32) - 1
    }
  }

  /// What stands behind `count` is left from before.
  private(set) var words: [UInt64] = []
  private(set) var count = 0

  /// Begins anew in the same room.
  mutating func empty() { count = 0 }

  /// Where the part begins then.
  mutating func append(_ part: EncodedPart, table: Int = -1, madeInKey: Int = 0) -> Int {
    let (start, end) = (count, count + 6 + part.size)
    count = end
    while words.count < end { words.append(0) }
    let fingerprint = part.writer.fingerprint
    var room = words.mutableSpan
    room[start] = UInt64(part.instants.count) << 32 | UInt64(part.made.count)
    room[start + 1] = UInt64(table + 1) << 32 | UInt64(madeInKey)
    room[start + 2] = fingerprint.first
    room[start + 3] = fingerprint.second
    for index in part.made.indices { room[start + 6 + index] = part.made[index].word }
    for index in part.instants.indices {
      let place = start + 6 + part.made.count + 2 * index
      (room[place], room[place + 1]) = part.instants[index].words
    }
    var writer = FingerprintWriter()
    for index in start..<start + 4 { writer.word(room[index]) }
    for index in start + 6..<end { writer.word(room[index]) }
    (room[start + 4], room[start + 5]) = (writer.first, writer.second)
    return start
  }
}

extension EncodedPart {
  /// How many words what appeared takes.
  var size: Int { made.count + 2 * instants.count }
}

extension FingerprintWriter {
  /// By what parts are known that stand there: those from before by where they stand there, those that are new by the
  /// complement of where they begin.
  mutating func add(_ parts: Pile<Int>, in range: Range<Int>, new: [UInt64], old: [UInt64]) {
    for index in range {
      let part = parts[index]
      if part < 0 { add(new[~part + 4], new[~part + 5]) } else { add(old[Int(old[part]) + 4], old[Int(old[part]) + 5]) }
    }
  }
}

extension [UInt64] {
  /// How many words the part takes that begins at a place.
  @inline(__always)
  func sizeOfPart(at start: Int) -> Int {
    6 + Int(self[start] & 0xFFFF_FFFF) + 2 * Int(self[start] >> 32)
  }

  mutating func append(_ made: Pile<EncodedPart.Made>) { for index in made.indices { append(made[index].word) } }

  mutating func append(_ instants: Pile<EncodedPart.Instant>) {
    for index in instants.indices {
      append(instants[index].words.0)
      append(instants[index].words.1)
    }
  }
}

/// A snapshot with the encodings of its parts.
final class EncodedSnapshot: Sendable {
  let snapshot: Snapshot
  /// Where each part begins, 0 for what the snapshot has not, then the parts, then what the whole made before the services'
  /// stores and what they made, then the instants that both named.
  let words: [UInt64]
  /// How many parts there are.
  let count: Int
  let made: Int
  let instants: Int
  let services: EncodedWhole.Services
  /// The latest instant that was past.
  let past: Span

  init(_ snapshot: Snapshot, _ words: [UInt64], count: Int, _ whole: borrowing EncodedWhole, past: Span) {
    (self.snapshot, self.words, self.count, self.past) = (snapshot, words, count, past)
    made = whole.all.made.count + whole.stores.part.made.count
    instants = whole.all.instants.count + whole.stores.part.instants.count
    services = whole.services
  }

  /// Whether parts that are as they were are so too in what is past by now, and what was past is so still.
  func holds(_ parts: Range<Int>, _ past: Span) -> Bool { past == self.past || isAhead(parts, of: past) }

  private func isAhead(_ parts: Range<Int>, of past: Span) -> Bool {
    // Should time go back, nothing is taken over.
    if past < self.past { return false }
    for start in parts.lazy.map({ Int(self.words[$0]) }) where start > 0 {
      let part = EncodedParts.Place(start, in: words)
      for index in stride(from: part.made.upperBound, to: part.end, by: 2) {
        let instant = EncodedPart.Instant(at: index, in: words)
        if instant.isStored, instant.isPast(past) { return false }
      }
    }
    return true
  }

  /// Of what a kill leaves, where it ends all that is under way: leaving the same it leads to the same; `nil` where a
  /// service has something left to do.
  var leftByKill: Fingerprint? {
    guard snapshot.exchanges.isEmpty, snapshot.flights.allSatisfy(\.isServed) else { return nil }
    let services = CanonicalEncoding.Place.services(of: snapshot)
    var writer = FingerprintWriter()
    writer.word(snapshot.device.online ? 1 : 0)
    for place in 0..<count where CanonicalEncoding.Place.outlastsKill(place) || place >= services {
      let start = Int(words[place])
      if start > 0 { add(EncodedParts.Place(start, in: words), to: &writer) } else { writer.word(0) }
    }
    return writer.fingerprint
  }

  /// What is fresh counts as what it is here, and not by first appearance.
  private func add(_ part: EncodedParts.Place, to writer: inout FingerprintWriter) {
    writer.add(words[part.start], words[part.start + 1])
    writer.add(words[part.start + 2], words[part.start + 3])
    for index in part.made { writer.word(words[index]) }
    for index in stride(from: part.made.upperBound, to: part.end, by: 2) {
      writer.add(Span(from: snapshot.now, to: EncodedPart.Instant(at: index, in: words)))
    }
  }

  /// Where the rows end that stand from some part on and are those of some tables.
  func endOfRows(from first: Int, of tables: Range<Int>) -> Int {
    if tables.isEmpty { return first }
    var end = first
    while end < count, tables.contains(Int(words[Int(words[end]) + 1] >> 32) - 1) { end += 1 }
    return end
  }
}
