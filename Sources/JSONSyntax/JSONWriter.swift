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

  package private(set) var bytes: [UInt8] = []
  private let layout: Layout
  /// For each open bracket, whether something stands in it already.
  private var filled: [Bool] = []
  private var isAfterName = false

  package init(_ layout: Layout = .compact) {
    self.layout = layout
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Ends a line of JSON Lines; what comes next is a text of its own.
  package mutating func endLine() {
    precondition(filled.isEmpty && !isAfterName, "A line ends behind a whole value.")
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Gives what was written since it was last asked, between two lines.
  package mutating func taken() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// The name of the member that comes next.
  package mutating func name(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    if layout == .pretty { bytes.append(UInt8(ascii: " ")) }
    isAfterName = true
  }

  package mutating func string(_ value: String) {
    separate()
    quote(value)
  }

  package mutating func int(_ value: Int64) {
    guard (0..<10).contains(value) else { return raw("\(value)") }
    separate()
    bytes.append(UInt8(ascii: "0") + UInt8(value))
  }

  package mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
  package mutating func null() { raw("null") }

  package mutating func double(_ value: Double) {
    if value.isNaN { return null() }
    raw(value.isInfinite ? (value < 0 ? "-1e999" : "1e999") : "\(value)")
  }

  private mutating func raw(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    filled.append(false)
  }

  private mutating func end(_ bracket: UInt8) {
    precondition(!filled.isEmpty && !isAfterName, "A bracket is closed that is open, and a name has a value.")
    if filled.removeLast() { breakLine() }
    bytes.append(bracket)
  }

  /// Writes what belongs between the last thing and the next one.
  private mutating func separate() {
    if isAfterName {
      isAfterName = false
    } else if let isFilled = filled.last {
      if isFilled { bytes.append(UInt8(ascii: ",")) }
      filled[filled.count - 1] = true
      breakLine()
    }
  }

  private mutating func breakLine() {
    guard layout == .pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * filled.count))
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices where Self.isEscaped(utf8[index]) {
        bytes.append(contentsOf: utf8[start..<index])
        escape(utf8[index])
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
    case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
    case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
    case 0..<0x20:
      bytes.append(contentsOf: (byte < 0x10 ? "\\u000" : "\\u00").utf8)
      bytes.append(contentsOf: String(byte, radix: 16).utf8)
    default:
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    }
  }
}
