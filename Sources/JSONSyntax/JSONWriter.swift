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

  /// `room` is for how many bytes there is room from the start.
  package init(_ layout: Layout = .compact, room: Int = 0) {
    self.layout = layout
    if room > 0 { written.makeRoom(of: room) }
  }

  package var bytes: [UInt8] { written.all }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Gives what was written since it was last asked.
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
    _ = written.write(atMost: utf8.count + 4) { end in
      if comma { end.append(UInt8(ascii: ",")) }
      _ = end.append(quoted: utf8, without: .quotes)
      end.append(UInt8(ascii: ":"))
      return true
    }
    beginMember()
  }

  /// A member that is a string; its name has nothing to escape.
  package mutating func member(_ name: StaticString, _ value: String) {
    self.name(name)
    string(value)
  }

  package mutating func string(_ value: String) {
    let comma = separate()
    quote(value, comma: comma, colon: false)
  }

  package mutating func int(_ value: Int64) {
    let comma = separate()
    _ = written.write(atMost: 21) { end in
      if comma { end.append(UInt8(ascii: ",")) }
      end.append(value)
      return true
    }
  }

  package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
  package mutating func null() { literal("null") }

  package mutating func double(_ value: Double) {
    if separate() { written.append(UInt8(ascii: ",")) }
    written.append(value.json)
  }

  @inline(__always)
  private mutating func literal(_ text: StaticString) {
    let comma = separate()
    _ = written.write(atMost: text.utf8CodeUnitCount + 1) { end in
      if comma { end.append(UInt8(ascii: ",")) }
      end.append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
      return true
    }
  }

  private mutating func begin(_ bracket: UInt8) {
    begin(with: bracket)
    openBrackets += 1
    isFilled = false
  }

  @inline(__always)
  private mutating func begin(with byte: UInt8) {
    let comma = separate()
    _ = written.write(atMost: 2) { end in
      if comma { end.append(UInt8(ascii: ",")) }
      end.append(byte)
      return true
    }
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
    if writePlain(text, comma: comma, colon: colon) { return }
    written.append(comma ? ",\"" : "\"")
    escape(text)
    written.append(colon ? "\":" : "\"")
  }

  /// Writes nothing where something has to be escaped.
  @inline(__always)
  private mutating func writePlain(_ text: String, comma: Bool, colon: Bool) -> Bool {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      written.write(atMost: utf8.count + 4) { end in
        if comma { end.append(UInt8(ascii: ",")) }
        let isPlain = end.append(quoted: utf8, without: .quotes)
        if colon { end.append(UInt8(ascii: ":")) }
        return isPlain
      }
    }
    return isPlain == true
  }

  private mutating func escape(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      _ = written.write(atMost: GrowingBytes.End.longestEscape * utf8.count) { end in
        end.append(escaping: utf8)
        return true
      }
    }
  }
}

extension Double {
  /// The shortest text that reads back the same.
  var json: String {
    if isNaN { return "null" }
    return isInfinite ? (self < 0 ? "-1e999" : "1e999") : "\(self)"
  }
}
