/// Bytes that are added at the end.
///
/// Room is made ahead of them, so that many of them are copied in one go; this is all that is unsafe in it.
@usableFromInline
struct GrowingBytes: Sendable {
  /// Behind `count` there is nothing yet.
  private var room: [UInt8] = []
  private(set) var count = 0

  var all: [UInt8] { Array(room[..<count]) }

  /// How many more there is room for.
  var free: Int { room.count - count }

  /// Gives all bytes and begins anew, without a copy.
  mutating func taken() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &room)
    taken.removeLast(taken.count - count)
    count = 0
    return taken
  }

  mutating func append(_ byte: UInt8) {
    _ = write(atMost: 1) { end in
      end.append(byte)
      return true
    }
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    _ = write(atMost: bytes.count) { end in
      end.append(bytes)
      return true
    }
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Those of a range, where they stand.
  @inline(__always)
  func withPart<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    room.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// Writes behind what there is, into room that is made for it; nothing stays of it where `body` says false.
  @inline(__always)
  mutating func write(atMost most: Int, _ body: (inout End) -> Bool) -> Bool {
    makeRoom(for: most)
    let start = count
    let written = room.withUnsafeMutableBytes { room in
      guard let place = room.baseAddress else { return -1 }
      var end = End(place: place + start)
      return body(&end) ? end.count : -1
    }
    if written < 0 { return false }
    precondition(written <= most, "No more is written than there was room made for.")
    count = start + written
    return true
  }

  @inline(__always)
  private mutating func makeRoom(for more: Int) {
    if count + more > room.count { grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    makeRoom(of: max(2 * room.count, room.count + more, 64))
  }

  /// What is in the new room behind `count` stays as it was found: nothing reads it before it is written.
  mutating func makeRoom(of size: Int) {
    room = [UInt8](unsafeUninitializedCapacity: size) { larger, initialized in
      if count > 0 {
        room.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(larger).copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
      }
      initialized = size
    }
  }

  /// Where the next bytes go; there is room for them.
  @usableFromInline
  struct End {
    @usableFromInline let place: UnsafeMutableRawPointer
    @usableFromInline var count = 0

    @inline(__always)
    mutating func append(_ byte: UInt8) {
      place.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
      count &+= 1
    }

    /// Short ones eight or four at once: most are.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
      if bytes.count <= 32 {
        _ = append(bytes, without: .quotes)
      } else {
        UnsafeMutableRawBufferPointer(start: place + count, count: bytes.count).copyMemory(
          from: UnsafeRawBufferPointer(bytes))
        count &+= bytes.count
      }
    }

    /// The same, eight at once; false where one of them may have to be escaped in JSON, or is one of the eight of
    /// `pattern`.
    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, without pattern: UInt64) -> Bool {
      let source = UnsafeRawBufferPointer(bytes)
      let length = source.count
      var found: UInt64 = 0
      if length >= 8 {
        var index = 0
        while index &+ 8 < length {
          found |= copy(source.loadUnaligned(fromByteOffset: index, as: UInt64.self), to: index, without: pattern)
          index &+= 8
        }
        // The last eight, some of which were copied already.
        index = length &- 8
        found |= copy(source.loadUnaligned(fromByteOffset: index, as: UInt64.self), to: index, without: pattern)
      } else if length >= 4 {
        let first = source.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
        let last = source.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self)
        place.storeBytes(of: first, toByteOffset: count, as: UInt32.self)
        place.storeBytes(of: last, toByteOffset: count &+ length &- 4, as: UInt32.self)
        found = (UInt64(first) << 32 | UInt64(last)).escaped(without: pattern)
      } else {
        var word: UInt64 = 0x2020_2020_2020_2020
        for index in 0..<length {
          word = word << 8 | UInt64(bytes[index])
          place.storeBytes(of: bytes[index], toByteOffset: count &+ index, as: UInt8.self)
        }
        found = word.escaped(without: pattern)
      }
      count &+= length
      return found == 0
    }

    @inline(__always)
    mutating func append(quoted text: UnsafeBufferPointer<UInt8>, without pattern: UInt64) -> Bool {
      append(UInt8(ascii: "\""))
      let isPlain = append(text, without: pattern)
      append(UInt8(ascii: "\""))
      return isPlain
    }

    @inline(__always)
    private func copy(_ word: UInt64, to index: Int, without pattern: UInt64) -> UInt64 {
      place.storeBytes(of: word, toByteOffset: count &+ index, as: UInt64.self)
      return word.escaped(without: pattern)
    }
  }
}

extension GrowingBytes.End {
  /// How many bytes stand for one at most.
  static let longestEscape = 6

  /// Writes a text, which is UTF-8, as it stands in a string; what could steer a terminal is escaped, since JSON goes to
  /// terminals too.
  mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
    // Of a character of several bytes what was read of it, how many are to come, and where it begins.
    var (scalar, missing, start): (UInt32, Int, Int) = (0, 0, 0)
    for byte in text {
      switch byte {
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\r"): append("\\r")
      case UInt8(ascii: "\t"): append("\\t")
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case ..<0x80:
        if steersTerminal(UInt32(byte)) { append(escape: UInt16(byte)) } else { append(byte) }
      case ..<0xC0:
        append(byte)
        (scalar, missing) = (scalar << 6 | UInt32(byte & 0x3F), missing - 1)
        if missing == 0, steersTerminal(scalar) {
          count = start
          append(escape: scalar)
        }
      default:
        (missing, start) = (byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3, count)
        scalar = UInt32(byte) & (0x3F >> UInt32(missing))
        append(byte)
      }
    }
  }

  /// Writes a character by its number; one beyond 16 bits is two halves.
  private mutating func append(escape scalar: UInt32) {
    guard scalar > 0xFFFF else { return append(escape: UInt16(scalar)) }
    append(escape: UInt16(0xD800 + (scalar - 0x10000) >> 10))
    append(escape: UInt16(0xDC00 + scalar & 0x3FF))
  }

  /// How many bytes a whole number has at most, its sign included.
  static let longestInt = 20

  /// Writes a whole number in decimal digits.
  mutating func append(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var (rest, digits) = (value.magnitude, 1)
    while rest > 9 { (rest, digits) = (rest / 10, digits &+ 1) }
    rest = value.magnitude
    for index in (0..<digits).reversed() {
      let digit = UInt8(truncatingIfNeeded: rest % 10) &+ UInt8(ascii: "0")
      place.storeBytes(of: digit, toByteOffset: count &+ index, as: UInt8.self)
      rest /= 10
    }
    count &+= digits
  }

  private mutating func append(escape unit: UInt16) {
    append("\\u")
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(unit >> shift & 15)
      append((digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) + digit)
    }
  }

  private mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

extension UInt64 {
  /// Eight times a byte that JSON escapes anyway.
  static let quotes: UInt64 = 0x2222_2222_2222_2222

  /// Not 0 where one of its eight bytes is a control character that JSON forbids, a quotation mark, a backslash, that of
  /// the pattern, or no ASCII.
  @inline(__always)
  func special(or pattern: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let marks = ((self ^ 0x2222_2222_2222_2222) &- ones) | ((self ^ 0x5C5C_5C5C_5C5C_5C5C) &- ones)
    let others = ((self ^ pattern) &- ones) | (self &- 0x2020_2020_2020_2020)
    return (marks | others | self) & 0x8080_8080_8080_8080
  }

  /// The same, and not 0 either where one of them is 0x7F, which JSON allows and a terminal obeys.
  @inline(__always)
  func escaped(without pattern: UInt64) -> UInt64 {
    special(or: pattern) | (self &+ 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080
  }
}
