import Expressions

/// The services' stores as they are written by themselves; what was written is remembered, as few steps change them.
struct EncodedStores {
  /// Of stores what is fresh in the keys of their rows, behind how much that is; of what was written of them three counts, a
  /// fingerprint, what they made, which instants they named, then rows that nothing holds, by where they stand among the
  /// stores' parts.
  private var words: [UInt64] = []
  /// Where each begins, stores by their parts, what was written of them by where they begin and what of the keys is held.
  private var known = FingerprintTable()
  /// Where what was written last begins behind its counts.
  private var start = 0
  private(set) var made = 0
  private(set) var instants = 0
  private(set) var waiting = 0
  /// Room that is used again.
  private var part = EncodedPart()
  private var rows = Pile<Int>()

  /// How many words it takes.
  var size: Int { words.count }
  var fingerprint: Fingerprint { Fingerprint(first: words[start], second: words[start + 1]) }

  @inline(__always)
  func instant(at index: Int) -> EncodedPart.Instant {
    EncodedPart.Instant(at: start + 2 + made + 2 * index, in: words)
  }
  /// Rows that nothing holds, by where they stand among the stores' parts.
  func waiting(at index: Int) -> Int { Int(words[start + 2 + made + 2 * instants + index]) }

  @inline(__always)
  func index(of sought: EncodedPart.Made) -> Int? {
    let first = start + 2
    for index in first..<first + made where words[index] == sought.word { return index - first }
    return nil
  }

  @inline(__always)
  func index(of sought: EncodedPart.Instant) -> Int? {
    for index in 0..<instants where instant(at: index).isSame(as: sought) { return index }
    return nil
  }

  /// By what the stores are known whose parts begin at places.
  mutating func number(of places: [UInt64], _ range: Range<Int>, in words: [UInt64]) -> Int {
    var writer = FingerprintWriter()
    for index in range { writer.word(places[index]) }
    let key = writer.fingerprint
    if let number = known[key] { return number }
    let number = self.words.count
    known.add(key, number: number)
    self.words.append(0)
    for index in range {
      for made in EncodedParts.Layout(places[index], in: words).inKey where words[made] & 1 == 1 {
        self.words.append(words[made])
      }
    }
    self.words[number] = UInt64(self.words.count - number - 1)
    return number
  }

  /// Writes stores behind what was counted before them.
  mutating func write(
    _ number: Int, _ places: [UInt64], _ range: Range<Int>, in words: [UInt64], behind before: EncodedPart
  ) {
    var (writer, held) = (FingerprintWriter(), UInt64(0))
    // No part begins there: stores cannot be taken for this.
    writer.int(~number)
    for index in number + 1..<number + 1 + Int(self.words[number]) {
      if (index - number) % UInt64.bitWidth == 0 { writer.word(held) }
      held = held << 1 | (before.index(of: EncodedPart.Made(word: self.words[index])) == nil ? 0 : 1)
    }
    writer.word(held)
    let key = writer.fingerprint
    if let start = known[key] { return take(from: start) }
    add(places, range, in: words, behind: before)
    note(key)
  }

  /// Adds them anew.
  ///
  /// A row is left out when its key is a fresh value that nothing holds that was added before it, where no expression
  /// counts or goes through its table: nobody can ask for it again. In such a table the order of the rows says nothing.
  private mutating func add(
    _ places: [UInt64], _ range: Range<Int>, in words: [UInt64], behind before: EncodedPart
  ) {
    part.empty()
    rows.empty()
    for index in range where !part.addValue(places[index], words) { rows.append(index) }
    // What is held by a row that was added late may be added too.
    var isGrowing = true
    while isGrowing, !rows.isEmpty {
      var left = 0
      for index in rows.indices where !part.addRow(places[rows[index]], words, before) {
        rows[left] = rows[index]
        left += 1
      }
      isGrowing = left < rows.count
      rows.empty(behind: left)
    }
    for index in rows.indices { rows[index] -= range.lowerBound }
  }

  private mutating func note(_ key: Fingerprint) {
    let start = words.count
    known.add(key, number: start)
    words += [
      UInt64(part.made.count) << 32 | UInt64(part.instants.count), UInt64(rows.count), part.writer.fingerprint.first,
      part.writer.fingerprint.second,
    ]
    words.append(part.made)
    words.append(part.instants)
    for index in rows.indices { words.append(UInt64(rows[index])) }
    take(from: start)
  }

  private mutating func take(from start: Int) {
    (made, instants) = (Int(words[start] >> 32), Int(words[start] & 0xFFFF_FFFF))
    waiting = Int(words[start + 1])
    self.start = start + 2
  }
}

extension EncodedPart {
  /// False for a row: they come last.
  fileprivate mutating func addValue(_ start: UInt64, _ words: [UInt64]) -> Bool {
    let value = EncodedParts.Layout(start, in: words)
    if value.table < 0 { add(value, in: words) }
    return value.table < 0
  }

  /// False for a row that is left out as long as nothing else holds its key: a key can be named by who holds every fresh
  /// value in it; one without any can be named by everybody.
  fileprivate mutating func addRow(_ start: UInt64, _ words: [UInt64], _ before: EncodedPart) -> Bool {
    let row = EncodedParts.Layout(start, in: words)
    for index in row.inKey where words[index] & 1 == 1 {
      let made = Made(word: words[index])
      if self.index(of: made) == nil, before.index(of: made) == nil { return false }
    }
    writer.int(row.table)
    add(row, in: words)
    return true
  }
}
