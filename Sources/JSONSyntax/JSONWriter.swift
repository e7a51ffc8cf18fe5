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

  /// How many bytes there are.
  package var count: Int { written.count }

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
    _ = written.write(atMost: utf8.count + 4) { end in
      end.append(name: utf8, comma: comma)
      return true
    }
    beginMember()
  }

  /// A member that is a string; its name has nothing to escape.
  package mutating func member(_ name: StaticString, _ value: String) {
    guard layout == .compact, !isAfterName, openBrackets > 0 else {
      self.name(name)
      return string(value)
    }
    let utf8 = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    let comma = isFilled
    let isWritten = value.utf8.withContiguousStorageIfAvailable { value in
      written.write(atMost: utf8.count + value.count + 6) { end in
        end.append(name: utf8, comma: comma)
        return end.append(quoted: value, without: .quotes)
      }
    }
    if isWritten == true {
      isFilled = true
    } else {
      self.name(name)
      string(value)
    }
  }

  /// Writes a piece of JSON as it is: brackets, commas and names in it are the caller's.
  package mutating func raw(_ json: StaticString) {
    isFilled = true
    written.append(UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  /// The same from one of its bytes on.
  package mutating func raw(_ json: [UInt8], _ start: Int = 0) {
    isFilled = true
    json.withUnsafeBufferPointer { written.append(UnsafeBufferPointer(rebasing: $0[start...])) }
  }

  /// The inside of a string, which stands in quotation marks.
  package mutating func raw(_ json: [UInt8], within range: Range<Int>) {
    json.withUnsafeBufferPointer { json in
      written.append(UnsafeBufferPointer(rebasing: json[(range.lowerBound + 1)..<(range.upperBound - 1)]))
    }
  }

  /// The same that ends with the name of a member and its colon.
  package mutating func rawName(_ json: StaticString) {
    raw(json)
    isAfterName = true
  }

  package mutating func rawName(_ json: [UInt8], _ start: Int = 0) {
    raw(json, start)
    isAfterName = true
  }

  /// The same that is a whole value, or the members that come next.
  package mutating func rawValue(_ json: [UInt8], _ range: Range<Int>) {
    let comma = separate()
    json.withUnsafeBufferPointer { json in
      _ = written.write(atMost: range.count + 1) { end in
        if comma { end.append(UInt8(ascii: ",")) }
        end.append(UnsafeBufferPointer(rebasing: json[range]))
        return true
      }
    }
  }

  package mutating func string(_ value: String) {
    let comma = separate()
    quote(value, comma: comma, colon: false)
  }

  /// Writes a string if this byte of ASCII does not stand in it; else nothing is written.
  package mutating func string(_ value: String, without byte: UInt8) -> Bool {
    let (wasFilled, wasAfterName) = (isFilled, isAfterName)
    if layout == .compact {
      let comma = separate()
      if writePlain(value, comma: comma, colon: false, without: 0x0101_0101_0101_0101 * UInt64(byte)) { return true }
      (isFilled, isAfterName) = (wasFilled, wasAfterName)
    }
    if value.utf8.contains(byte) { return false }
    string(value)
    return true
  }

  /// Writes the name of the member that comes next if this byte of ASCII does not stand in it; else nothing is written.
  package mutating func name(_ name: String, without byte: UInt8) -> Bool {
    guard layout == .compact, !isAfterName, openBrackets > 0 else { return false }
    let isWritten = writePlain(name, comma: isFilled, colon: true, without: 0x0101_0101_0101_0101 * UInt64(byte))
    if isWritten { (isFilled, isAfterName) = (true, true) }
    return isWritten
  }

  /// Begins a string that is written part by part.
  package mutating func beginString() {
    begin(with: UInt8(ascii: "\""))
  }

  package mutating func part(_ text: String) {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      written.write(atMost: utf8.count) { $0.append(utf8, without: .quotes) }
    }
    if isPlain != true { escape(text) }
  }

  package mutating func endString() { written.append(UInt8(ascii: "\"")) }

  /// Ends the string as the name of the member that comes next.
  package mutating func endName() {
    written.append("\":")
    beginMember()
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
    if value.isNaN { return null() }
    separateAtOnce()
    written.append(value.isInfinite ? (value < 0 ? "-1e999" : "1e999") : "\(value)")
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
    if writePlain(text, comma: comma, colon: colon, without: .quotes) { return }
    written.append(comma ? ",\"" : "\"")
    escape(text)
    written.append(colon ? "\":" : "\"")
  }

  /// Writes nothing where something has to be escaped.
  @inline(__always)
  private mutating func writePlain(_ text: String, comma: Bool, colon: Bool, without pattern: UInt64) -> Bool {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      written.write(atMost: utf8.count + 4) { end in
        if comma { end.append(UInt8(ascii: ",")) }
        let isPlain = end.append(quoted: utf8, without: pattern)
        if colon { end.append(UInt8(ascii: ":")) }
        return isPlain
      }
    }
    return isPlain == true
  }

  private mutating func escape(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices where Self.isEscaped(utf8[index]) {
        written.append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
        escape(utf8[index])
        start = index + 1
      }
      written.append(UnsafeBufferPointer(rebasing: utf8[start...]))
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
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

extension GrowingBytes.End {
  @inline(__always)
  fileprivate mutating func append(name: UnsafeBufferPointer<UInt8>, comma: Bool) {
    if comma { append(UInt8(ascii: ",")) }
    append(UInt8(ascii: "\""))
    append(name)
    append(UInt8(ascii: "\""))
    append(UInt8(ascii: ":"))
  }

  @inline(__always)
  fileprivate mutating func append(quoted text: UnsafeBufferPointer<UInt8>, without pattern: UInt64) -> Bool {
    append(UInt8(ascii: "\""))
    let isPlain = append(text, without: pattern)
    append(UInt8(ascii: "\""))
    return isPlain
  }
}
