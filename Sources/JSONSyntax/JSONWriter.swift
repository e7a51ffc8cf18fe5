/// Writes JSON piece by piece, in the order in which it is told.
///
/// Strings escape what RFC 8259 §7 demands, and what could steer a terminal. Doubles are the shortest text that reads
/// back the same, whole ones with `.0`; infinity, and what is not a number, is `null`, since JSON has neither.
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

  package init(_ layout: Layout = .compact) { self.layout = layout }

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
    separate()
    quote(name)
    written.append(UInt8(ascii: ":"))
    if layout == .pretty { written.append(UInt8(ascii: " ")) }
    isAfterName = true
  }

  /// A member that is a string, null for `nil`.
  package mutating func member(_ name: String, _ value: String?) {
    self.name(name)
    if let value { string(value) } else { null() }
  }

  package mutating func member(_ name: String, _ value: Int) {
    self.name(name)
    int(Int64(value))
  }

  /// A member that is an array.
  package mutating func member<Element>(
    _ name: String, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) {
    self.name(name)
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }

  package mutating func string(_ value: String) {
    separate()
    quote(value)
  }

  package mutating func int(_ value: Int64) { literal(String(value)) }
  package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
  package mutating func null() { literal("null") }
  package mutating func double(_ value: Double) { literal(value.json) }

  private mutating func literal(_ text: String) {
    separate()
    written.append(text)
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
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

  /// Writes what belongs between the last thing and the next one.
  private mutating func separate() {
    if isAfterName {
      isAfterName = false
      return
    }
    guard openBrackets > 0 else { return }
    if isFilled { written.append(UInt8(ascii: ",")) }
    isFilled = true
    if layout == .pretty { breakLine() }
  }

  private mutating func breakLine() {
    written.append(UInt8(ascii: "\n"))
    for _ in 0..<2 * openBrackets { written.append(UInt8(ascii: " ")) }
  }

  private mutating func quote(_ text: String) {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      written.write(atMost: utf8.count + 2) { $0.append(quoted: utf8, without: .quotes) }
    }
    if isPlain == true { return }
    written.append(UInt8(ascii: "\""))
    escape(text)
    written.append(UInt8(ascii: "\""))
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
  /// The shortest text that reads back the same; `null` where JSON has none.
  var json: String { isFinite ? "\(self)" : "null" }
}
