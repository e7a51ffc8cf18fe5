/// 128 bits by which an exploration knows a snapshot, or a part of one: two hashes of its canonical encoding.
///
/// They are no proof that two snapshots are equal. Among n snapshots some two differ and look alike with a probability
/// below n² / 2¹²⁹: for a thousand million of them below 2 in 10²¹. Of such two only the first would be gone on from.
struct Fingerprint: Sendable, Hashable {
  let first: UInt64
  let second: UInt64

  // Hashes already: half of it is as good a place in a table as any.
  func hash(into hasher: inout Hasher) { hasher.combine(first) }
}

/// Mixes words into two hashes that have no step in common; alike in every process.
struct FingerprintWriter {
  private var first: UInt64 = 0x243F_6A88_85A3_08D3
  private var second: UInt64 = 0x1319_8A2E_0370_7344

  mutating func word(_ word: UInt64) {
    // Folding the whole product spreads every bit over the word.
    let product = (first ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    first = product.high ^ product.low
    // A bijection of the word and of what came before, so that nothing is lost on the way.
    second = (second ^ word) &* 0xD6E8_FEB8_6659_FD93
    second ^= second >> 32
  }

  mutating func int(_ int: Int) { word(UInt64(bitPattern: Int64(int))) }

  /// Length first: no text can be taken for another with something behind it.
  mutating func text(_ string: String) {
    var string = string
    string.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
  }

  mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
    int(bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      word(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    guard offset < bytes.count else { return }
    if offset > 0 {
      // Some of it was mixed already.
      return word(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)))
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    word(rest)
  }

  var fingerprint: Fingerprint {
    var last = self
    last.word(0)
    last.word(1)
    return Fingerprint(first: last.first, second: last.second)
  }
}
