import Expressions

/// The services' stores as they are written by themselves; what was written is remembered, as few steps change them.
struct EncodedStores {
  /// Of more words than these what is remembered begins anew.
  private static let most = 1 << 20

  /// What they made and which instants they named.
  private(set) var part = EncodedPart()
  private(set) var fingerprint = Fingerprint(first: 0, second: 0)
  /// Rows that nothing holds, by where they stand among the stores' parts.
  private(set) var waiting = Pile<Int>()
  /// By what the stores are known that were written last, and what is fresh in the keys of their rows.
  private var stores: Fingerprint?
  private var keys = Pile<EncodedPart.Made>()
  /// The same with what of these keys is held.
  private var key: Fingerprint?
  /// Where they begin among the words that were written once, by what they are known.
  private var known = FingerprintTable()
  private var words: [UInt64] = []

  /// Writes the stores that are known by a key behind what was counted before them.
  mutating func write(
    _ stores: Fingerprint, _ parts: Pile<Int>, in range: Range<Int>, behind before: EncodedPart, new: [UInt64],
    old: [UInt64]
  ) {
    if stores != self.stores {
      self.stores = stores
      keys.empty()
      for index in range { parts[index] < 0 ? addKeys(of: ~parts[index], new) : addKeys(of: Int(old[parts[index]]), old) }
    }
    var (writer, held) = (FingerprintWriter(first: stores.first, second: stores.second), UInt64(0))
    for index in keys.indices {
      held = held << 1 | (before.index(of: keys[index]) == nil ? 0 : 1)
      if (index + 1) % UInt64.bitWidth == 0 { writer.word(held) }
    }
    writer.word(held)
    let key = writer.fingerprint
    if key == self.key { return }
    self.key = key
    if let start = known[key] { return take(from: start) }
    add(parts, in: range, behind: before, new: new, old: old)
    note(key)
  }

  private mutating func addKeys(of start: Int, _ words: [UInt64]) {
    for index in EncodedParts.Place(start, in: words).inKey where words[index] & 1 == 1 {
      keys.append(EncodedPart.Made(word: words[index]))
    }
  }

  /// A row is left out when its key is a fresh value that nothing holds that was added before it, where no expression
  /// counts or goes through its table: nobody can ask for it again. In such a table the order of the rows says nothing.
  private mutating func add(
    _ parts: Pile<Int>, in range: Range<Int>, behind before: EncodedPart, new: [UInt64], old: [UInt64]
  ) {
    part.empty()
    waiting.empty()
    for index in range {
      let isAdded = parts[index] < 0 ? part.addValue(~parts[index], new) : part.addValue(Int(old[parts[index]]), old)
      if !isAdded { waiting.append(index - range.lowerBound) }
    }
    // What is held by a row that was added late may be added too.
    var isGrowing = true
    while isGrowing, !waiting.isEmpty {
      var left = 0
      for index in waiting.indices {
        let place = parts[range.lowerBound + waiting[index]]
        let isAdded = place < 0 ? part.addRow(~place, new, before) : part.addRow(Int(old[place]), old, before)
        if isAdded { continue }
        waiting[left] = waiting[index]
        left += 1
      }
      isGrowing = left < waiting.count
      waiting.empty(behind: left)
    }
    fingerprint = part.writer.fingerprint
  }

  private mutating func note(_ key: Fingerprint) {
    if words.count > Self.most { (known, words) = (FingerprintTable(), []) }
    known.add(key, number: words.count)
    words.append(fingerprint.first)
    words.append(fingerprint.second)
    words.append(UInt64(part.made.count) << 32 | UInt64(part.instants.count))
    for index in part.made.indices { words.append(part.made[index].word) }
    for index in part.instants.indices {
      let instant = part.instants[index].words
      words.append(instant.0)
      words.append(instant.1)
    }
    words.append(UInt64(waiting.count))
    for index in waiting.indices { words.append(UInt64(waiting[index])) }
  }

  private mutating func take(from start: Int) {
    fingerprint = Fingerprint(first: words[start], second: words[start + 1])
    let (made, instants) = (Int(words[start + 2] >> 32), Int(words[start + 2] & 0xFFFF_FFFF))
    var next = start + 3
    part.take(made: made, instants: instants, from: words, &next)
    waiting.empty()
    for index in 0..<Int(words[next]) { waiting.append(Int(words[next + 1 + index])) }
  }
}

extension EncodedPart {
  /// What appeared as it was noted.
  fileprivate mutating func take(made: Int, instants: Int, from words: [UInt64], _ next: inout Int) {
    empty()
    for index in next..<next + made { append(Made(word: words[index])) }
    next += made
    for index in 0..<instants { append(Instant(at: next + 2 * index, in: words)) }
    next += 2 * instants
  }

  /// False for a row: they come last.
  fileprivate mutating func addValue(_ start: Int, _ words: [UInt64]) -> Bool {
    let value = EncodedParts.Place(start, in: words)
    if value.table < 0 { add(value, in: words) }
    return value.table < 0
  }

  /// False for a row that is left out as long as nothing else holds its key: a key can be named by who holds every fresh
  /// value in it; one without any can be named by everybody.
  fileprivate mutating func addRow(_ start: Int, _ words: [UInt64], _ before: EncodedPart) -> Bool {
    let row = EncodedParts.Place(start, in: words)
    for index in row.inKey where words[index] & 1 == 1 {
      let made = Made(word: words[index])
      if self.index(of: made) == nil, before.index(of: made) == nil { return false }
    }
    writer.int(row.table)
    add(row, in: words)
    return true
  }
}
