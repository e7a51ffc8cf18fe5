import Expressions

/// The encodings of parts of snapshots in plain words, each but once: there are far fewer of them than snapshots.
///
/// A part has two words of counts, its fingerprint, then what it made and which instants it named, by first appearance
/// in it. It is known by where it begins.
struct EncodedParts {
  /// Where the words of a part stand.
  struct Layout {
    let start: Int
    let made: Range<Int>
    let end: Int
    /// What it made in the key of the row.
    let inKey: Range<Int>
    /// The table to which the row belongs, an index into `ServiceTables.ofRows`; -1 for what is no row.
    let table: Int

    @inline(__always)
    init(_ start: UInt64, in words: [UInt64]) {
      let start = Int(start)
      let (counts, row) = (words[start], words[start + 1])
      self.start = start
      made = start + 4..<start + 4 + Int(counts & 0xFFFF_FFFF)
      end = made.upperBound + 2 * Int(counts >> 32)
      inKey = made.lowerBound..<made.lowerBound + Int(row & 0xFFFF_FFFF)
      table = Int(row >> 32) - 1
    }
  }

  /// At 0 stands what is no part and holds nothing.
  private(set) var words: [UInt64] = [0, 0, 0, 0]
  /// Where those begin that are there, by all that is said of them.
  private var known = FingerprintTable()
  /// Where those begin that others became as time went on, by these and by which of their instants are past.
  var later = FingerprintTable()
  /// How often they began anew: what was known before is so no more.
  let age: Int

  init(age: Int = 0) { self.age = age }

  /// Where a part begins, which is there from now on.
  mutating func place(of part: EncodedPart, table: Int = -1, madeInKey: Int = 0) -> UInt64 {
    let fingerprint = part.writer.fingerprint
    let counts = UInt64(part.instants.count) << 32 | UInt64(part.made.count)
    let row = UInt64(table + 1) << 32 | UInt64(madeInKey)
    var writer = FingerprintWriter(first: fingerprint.first, second: fingerprint.second)
    writer.add(counts, row)
    for index in part.made.indices { writer.word(part.made[index].word) }
    for index in part.instants.indices {
      writer.word(part.instants[index].words.0)
      writer.word(part.instants[index].words.1)
    }
    if let start = known[writer.fingerprint] { return UInt64(start) }
    known.add(writer.fingerprint, number: words.count)
    let start = words.count
    words += [counts, row, fingerprint.first, fingerprint.second]
    words.append(part.made)
    words.append(part.instants)
    return UInt64(start)
  }

  /// By what is known what a part becomes that is seen later.
  func key(of start: UInt64, at past: Interval) -> Fingerprint {
    var writer = FingerprintWriter()
    writer.word(start)
    let part = Layout(start, in: words)
    for index in stride(from: part.made.upperBound, to: part.end, by: 2) {
      let instant = EncodedPart.Instant(at: index, in: words)
      writer.word(instant.isStored && instant.isPast(past) ? 1 : 0)
    }
    return writer.fingerprint
  }
}

extension [UInt64] {
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
  /// Where each part begins, 0 for what the snapshot has not, then what the whole made before the services' stores, then
  /// which instants it named there.
  let words: [UInt64]
  /// How many parts there are.
  let count: Int
  let services: EncodedWhole.Services
  /// The latest instant that was past.
  let past: Interval
  /// That of the parts where these begin.
  let age: Int

  init(_ snapshot: Snapshot, _ words: [UInt64], count: Int, _ encoding: borrowing CanonicalEncoding) {
    (self.snapshot, self.words, self.count) = (snapshot, words, count)
    (past, age) = (encoding.past, encoding.parts.age)
    services = encoding.whole.services
  }

  /// Whether parts that are as they were are so too in what is past by now, and what was past is so still.
  func holds(_ range: Range<Int>, _ past: Interval, _ parts: borrowing EncodedParts) -> Bool {
    past == self.past || isAhead(range, of: past, parts.words)
  }

  private func isAhead(_ parts: Range<Int>, of past: Interval, _ words: [UInt64]) -> Bool {
    // Should time go back, nothing is taken over.
    if past < self.past { return false }
    for start in parts.lazy.map({ self.words[$0] }) where start > 0 {
      let part = EncodedParts.Layout(start, in: words)
      for index in stride(from: part.made.upperBound, to: part.end, by: 2) {
        let instant = EncodedPart.Instant(at: index, in: words)
        if instant.isStored, instant.isPast(past) { return false }
      }
    }
    return true
  }

  /// Of what a kill leaves, where it ends all that is under way: leaving the same it leads to the same; `nil` where a
  /// service has something left to do.
  func leftByKill(_ parts: borrowing EncodedParts) -> Fingerprint? {
    guard snapshot.exchanges.isEmpty, snapshot.flights.allSatisfy(\.isServed) else { return nil }
    let services = CanonicalEncoding.PartIndex.services(of: snapshot)
    var writer = FingerprintWriter()
    writer.int(snapshot.device.online ? age : ~age)
    for place in 0..<count where CanonicalEncoding.PartIndex.outlastsKill(place) || place >= services {
      add(EncodedParts.Layout(words[place], in: parts.words), parts.words, to: &writer)
    }
    return writer.fingerprint
  }

  /// What is fresh counts as what it is here, and not by first appearance; what names no instant counts as that very part.
  private func add(_ part: EncodedParts.Layout, _ words: [UInt64], to writer: inout FingerprintWriter) {
    if part.made.upperBound == part.end { return writer.int(part.start) }
    writer.add(words[part.start], words[part.start + 1])
    writer.add(words[part.start + 2], words[part.start + 3])
    for index in part.made { writer.word(words[index]) }
    for index in stride(from: part.made.upperBound, to: part.end, by: 2) {
      writer.add(Interval(from: snapshot.now, to: EncodedPart.Instant(at: index, in: words)))
    }
  }

  /// Where the rows end that stand from some part on and are those of some tables.
  func endOfRows(from first: Int, of tables: Range<Int>, _ parts: borrowing EncodedParts) -> Int {
    if tables.isEmpty { return first }
    var end = first
    while end < count, tables.contains(Int(parts.words[Int(words[end]) + 1] >> 32) - 1) { end += 1 }
    return end
  }
}
