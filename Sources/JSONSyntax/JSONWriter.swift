/// Writes JSON piece by piece, in the order in which it is told.
///
/// Strings escape only what RFC 8259 §7 demands. Doubles are the shortest text that reads back the same, whole ones with
/// `.0`; infinity is `1e999`, and what is not a number is `null`, since JSON has neither.
package struct JSONWriter: Sendable {
  package enum Layout: Sendable {
    case compact
    /// One member or element a line, indented by two spaces.
    case pretty
  }

  private var written = GrowingBytes()
  private let layout: Layout
  private var openBrackets = 0
  /// Whether something stands in the innermost open bracket already.
  private var isFilled = false
  private var isAfterName = false

  package init(_ layout: Layout = .compact) {
    self.layout = layout
  }

  package var bytes: [UInt8] { written.all }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Ends a line of JSON Lines; what comes next is a text of its own.
  package mutating func endLine() {
    precondition(openBrackets == 0 && !isAfterName, "A line ends behind a whole value.")
    written.append(UInt8(ascii: "\n"))
  }

  /// Gives what was written since it was last asked, between two lines.
  package mutating func taken() -> [UInt8] {
    written.taken()
  }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// The name of the member that comes next.
  package mutating func name(_ name: String) {
    let comma = separate()
    quote(name, comma: comma, colon: true)
    beginMember()
  }

  /// The same for a name that has nothing to escape.
  package mutating func name(_ name: StaticString) {
    let comma = separate()
    let utf8 = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    written.append(quoted: utf8, comma: comma, colon: true)
    beginMember()
  }

  package mutating func string(_ value: String) {
    let comma = separate()
    quote(value, comma: comma, colon: false)
  }

  package mutating func int(_ value: Int64) {
    guard (0..<10_000).contains(value) else { return raw("\(value)") }
    separateAtOnce()
    var unit: Int64 = value < 10 ? 1 : value < 100 ? 10 : value < 1000 ? 100 : 1000
    while unit > 0 {
      written.append(UInt8(ascii: "0") + UInt8(value / unit % 10))
      unit /= 10
    }
  }

  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
  package mutating func null() { raw("null") }

  package mutating func double(_ value: Double) {
    if value.isNaN { return null() }
    raw(value.isInfinite ? (value < 0 ? "-1e999" : "1e999") : "\(value)")
  }

  private mutating func raw(_ text: String) {
    separateAtOnce()
    written.append(text)
  }

  private mutating func begin(_ bracket: UInt8) {
    separateAtOnce()
    written.append(bracket)
    openBrackets += 1
    isFilled = false
  }

  private mutating func end(_ bracket: UInt8) {
    precondition(openBrackets > 0 && !isAfterName, "A bracket is closed that is open, and a name has a value.")
    openBrackets -= 1
    if isFilled, layout == .pretty { breakLine() }
    written.append(bracket)
    isFilled = true
  }

  /// Whether a comma belongs between the last thing and the next one; what else does is written already.
  @inline(__always)
  private mutating func separate() -> Bool {
    if isAfterName {
      isAfterName = false
      return false
    }
    guard openBrackets > 0 else { return false }
    let comma = isFilled
    isFilled = true
    guard layout == .pretty else { return comma }
    if comma { written.append(UInt8(ascii: ",")) }
    breakLine()
    return false
  }

  private mutating func separateAtOnce() {
    if separate() { written.append(UInt8(ascii: ",")) }
  }

  @inline(__always)
  private mutating func beginMember() {
    if layout == .pretty { written.append(UInt8(ascii: " ")) }
    isAfterName = true
  }

  private mutating func breakLine() {
    written.append(UInt8(ascii: "\n"))
    for _ in 0..<2 * openBrackets { written.append(UInt8(ascii: " ")) }
  }

  private mutating func quote(_ text: String, comma: Bool, colon: Bool) {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      if utf8.hasEscaped { return false }
      written.append(quoted: utf8, comma: comma, colon: colon)
      return true
    }
    if isPlain != true { escape(text, comma: comma, colon: colon) }
  }

  private mutating func escape(_ text: String, comma: Bool, colon: Bool) {
    var text = text
    text.withUTF8 { utf8 in
      written.append(comma ? ",\"" : "\"")
      var start = 0
      for index in utf8.indices where Self.isEscaped(utf8[index]) {
        written.append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
        escape(utf8[index])
        start = index + 1
      }
      written.append(UnsafeBufferPointer(rebasing: utf8[start...]))
      written.append(colon ? "\":" : "\"")
    }
  }

  fileprivate static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\n"): written.append("\\n")
    case UInt8(ascii: "\r"): written.append("\\r")
    case UInt8(ascii: "\t"): written.append("\\t")
    case 0..<0x20:
      written.append(byte < 0x10 ? "\\u000" : "\\u00")
      written.append(String(byte, radix: 16))
    default:
      written.append(UInt8(ascii: "\\"))
      written.append(byte)
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a byte has to be escaped; most texts have none, so eight are looked at together.
  @inline(__always)
  fileprivate var hasEscaped: Bool {
    let raw = UnsafeRawBufferPointer(self)
    guard count >= 8 else {
      guard count >= 4 else { return contains(where: JSONWriter.isEscaped) }
      let first = raw.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      return (UInt64(first) << 32 | UInt64(raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))).hasEscaped
    }
    var index = 0
    while index + 8 < count {
      if raw.loadUnaligned(fromByteOffset: index, as: UInt64.self).hasEscaped { return true }
      index += 8
    }
    // The last eight, some of which were looked at already.
    return raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self).hasEscaped
  }
}

extension UInt64 {
  fileprivate var hasEscaped: Bool {
    hasByte(of: 0x2222_2222_2222_2222) || hasByte(of: 0x5C5C_5C5C_5C5C_5C5C)
      || (self &- 0x2020_2020_2020_2020) & ~self & 0x8080_8080_8080_8080 != 0
  }

  /// Whether a byte of it is that of the pattern.
  private func hasByte(of pattern: UInt64) -> Bool {
    let rest = self ^ pattern
    return (rest &- 0x0101_0101_0101_0101) & ~rest & 0x8080_8080_8080_8080 != 0
  }
}
