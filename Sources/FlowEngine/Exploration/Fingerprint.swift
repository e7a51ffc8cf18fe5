/// 128 bits by which an exploration knows a snapshot, or a part of one: two hashes of its canonical encoding.
///
/// They are no proof that two snapshots are equal. Among n snapshots some two differ and look alike with a probability
/// below n² / 2¹²⁹: for a thousand million of them below 2 in 10²¹. Of such two only the first would be gone on from.
struct Fingerprint: Sendable, Hashable {
  let first: UInt64
  let second: UInt64

  /// Of the same with two words behind it: each is in both halves, as a table looks at one of them alone.
  func followed(by word: UInt64, _ number: Int) -> Fingerprint {
    var writer = FingerprintWriter(first: first, second: second)
    writer.word(word)
    writer.int(number)
    return writer.fingerprint
  }

  // Hashes already: half of it is as good a place in a table as any.
  func hash(into hasher: inout Hasher) { hasher.combine(first) }
}

/// Mixes words into two hashes that have no step in common; alike in every process.
struct FingerprintWriter {
  private(set) var first: UInt64 = 0x243F_6A88_85A3_08D3
  private(set) var second: UInt64 = 0x1319_8A2E_0370_7344

  init() {}

  /// Goes on behind what another has written.
  init(first: UInt64, second: UInt64) { (self.first, self.second) = (first, second) }

  @inline(__always)
  mutating func word(_ word: UInt64) { add(word, word) }

  mutating func int(_ int: Int) { word(UInt64(bitPattern: Int64(int))) }

  mutating func add(_ interval: Interval) {
    word(UInt64(bitPattern: interval.seconds))
    int(Int(interval.nanoseconds))
  }

  mutating func add(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    word(UInt64(bitPattern: seconds))
    word(UInt64(bitPattern: attoseconds))
  }

  /// A word for each of the hashes, as a fingerprint has them.
  @inline(__always)
  mutating func add(_ first: UInt64, _ second: UInt64) {
    // Folding the whole product spreads every bit over the word.
    let product = (self.first ^ first).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    self.first = product.high ^ product.low
    // A bijection of the word and of what came before, so that nothing is lost on the way.
    self.second = (self.second ^ second) &* 0xD6E8_FEB8_6659_FD93
    self.second ^= self.second >> 32
  }

  /// Length first: no text can be taken for another with something behind it.
  mutating func text(_ string: String) {
    if string.utf8.withContiguousStorageIfAvailable({ bytes(UnsafeRawBufferPointer($0)) }) != nil { return }
    var copy = string
    copy.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
  }

  mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
    let count = bytes.count
    int(count)
    if count < 4 {
      // The first, the middle and the last are all.
      if count > 0 { word(UInt64(bytes[0]) | UInt64(bytes[count >> 1]) << 8 | UInt64(bytes[count - 1]) << 16) }
      return
    }
    if count < 8 {
      let end = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return word(UInt64(bytes.loadUnaligned(as: UInt32.self).littleEndian) | UInt64(end.littleEndian) << 32)
    }
    var offset = 0
    while offset + 8 <= count {
      word(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    // Some of it was mixed already.
    if offset < count {
      word(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)))
    }
  }

  var fingerprint: Fingerprint {
    var last = self
    last.word(0)
    last.word(1)
    return Fingerprint(first: last.first, second: last.second)
  }
}
