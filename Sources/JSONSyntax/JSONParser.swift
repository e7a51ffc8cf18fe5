/// Reads JSON exactly as RFC 8259 has it: no comments, no trailing commas, nothing repaired.
package enum JSONParser {
  /// What is being read.
  package enum Purpose: Sendable {
    /// What an author wrote: numbers that cannot be held exactly enough are reported.
    case document
    /// What a peer sent: a whole number beyond 64 bits becomes a double, as in most other readers, and a byte order mark
    /// is ignored (RFC 8259, 8.1).
    case body
    /// What this program has written, with the numbers of a body.
    case written
  }

  /// The largest text that is read, in bytes.
  package static let largestSize = 16 * 1024 * 1024

  /// Reads one JSON value and nothing else.
  ///
  /// Takes time in proportion to the text. A document's whole numbers beyond 64 bits are `wholeNumberTooLarge`, and its
  /// doubles beyond the range an error. The depth is capped because the parser recurses.
  package static func parse(
    _ bytes: [UInt8], within range: Range<Int>? = nil, as purpose: Purpose, maximumDepth: Int = 128,
    maximumSize: Int = largestSize
  ) throws(JSONSyntaxError) -> JSONNode {
    let range = range ?? 0..<bytes.count
    guard range.count <= maximumSize else {
      throw JSONSyntaxError(
        "too-large", "the text has \(range.count) bytes, and at most \(maximumSize) are read", at: 0..<0,
        label: "too large")
    }
    var reader = JSONReader(bytes: bytes, within: range, purpose: purpose, maximumDepth: maximumDepth)
    return try reader.readWhole()
  }
}

/// Where the parser stands in the text.
struct JSONReader {
  let bytes: [UInt8]
  let purpose: JSONParser.Purpose
  let maximumDepth: Int
  var position: Int
  /// Where the text begins and where it ends.
  let start: Int
  let end: Int
  var depth = 0

  init(bytes: [UInt8], within range: Range<Int>, purpose: JSONParser.Purpose, maximumDepth: Int) {
    self.bytes = bytes
    (position, start, end) = (range.lowerBound, range.lowerBound, range.upperBound)
    (self.purpose, self.maximumDepth) = (purpose, maximumDepth)
  }

  /// The byte at the position, `nil` at the end.
  var byte: UInt8? { position < end ? bytes[position] : nil }

  mutating func skipWhitespace() {
    while position < end {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
      default: return
      }
    }
  }

  mutating func readWhole() throws(JSONSyntaxError) -> JSONNode {
    let beginning = bytes[position..<min(position + 3, end)]
    let isMarked = beginning.elementsEqual([0xEF, 0xBB, 0xBF])
    if isMarked, purpose == .body {
      position += 3
    } else if isMarked {
      throw JSONSyntaxError(
        "byte-order-mark", "the text starts with a byte order mark, which JSON does not allow", at: 0..<3,
        label: "three invisible bytes", help: "save the file as UTF-8 without BOM")
    }
    // Half of the bytes of ASCII text in UTF-16 are zero.
    if beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF]) || beginning.prefix(2).contains(0) {
      throw JSONSyntaxError(
        "not-utf8", "the text is not UTF-8, but looks like UTF-16", at: 0..<min(2, bytes.count),
        label: "begins like UTF-16", help: "save the file as UTF-8 without BOM")
    }
    skipWhitespace()
    guard byte != nil else {
      throw JSONSyntaxError(
        "empty-document", "there is no JSON value in the text", at: position..<position, label: "nothing stands here")
    }
    let node = try readValue()
    skipWhitespace()
    guard byte == nil else { throw afterTheEnd() }
    return node
  }

  mutating func readValue() throws(JSONSyntaxError) -> JSONNode {
    let start = position
    switch byte {
    case UInt8(ascii: "{"): return try nested { reader throws(JSONSyntaxError) in try reader.readObject() }
    case UInt8(ascii: "["): return try nested { reader throws(JSONSyntaxError) in try reader.readArray() }
    case UInt8(ascii: "\""):
      let string = try readString()
      return JSONNode(kind: .string(string), range: start..<position)
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      let kind = try readNumber()
      return JSONNode(kind: kind, range: start..<position)
    default:
      if let kind = readWord() { return JSONNode(kind: kind, range: start..<position) }
      throw noValue()
    }
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws(JSONSyntaxError) -> JSONNode
  ) throws(JSONSyntaxError) -> JSONNode {
    guard depth < maximumDepth else {
      throw JSONSyntaxError(
        "too-deep", "arrays and objects stand in one another more than \(maximumDepth) levels deep",
        at: position..<(position + 1), label: "one level too many")
    }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func readArray() throws(JSONSyntaxError) -> JSONNode {
    let start = position
    position += 1
    var elements: [JSONNode] = []
    skipWhitespace()
    if byte == UInt8(ascii: "]") {
      position += 1
    } else {
      elements.reserveCapacity(4)
      repeat {
        skipWhitespace()
        try refuseTrailingComma(before: UInt8(ascii: "]"), openedAt: start)
        guard byte != nil else { throw unclosed(from: start) }
        elements.append(try readValue())
      } while try continues(closing: UInt8(ascii: "]"), openedAt: start)
    }
    return JSONNode(kind: .array(elements), range: start..<position)
  }

  private mutating func readObject() throws(JSONSyntaxError) -> JSONNode {
    let start = position
    position += 1
    var members: [JSONMember] = []
    skipWhitespace()
    if byte == UInt8(ascii: "}") {
      position += 1
    } else {
      members.reserveCapacity(4)
      repeat {
        skipWhitespace()
        try refuseTrailingComma(before: UInt8(ascii: "}"), openedAt: start)
        guard byte != nil else { throw unclosed(from: start) }
        members.append(try readMember(openedAt: start))
      } while try continues(closing: UInt8(ascii: "}"), openedAt: start)
    }
    return JSONNode(kind: .object(members), range: start..<position)
  }

  private mutating func readMember(openedAt start: Int) throws(JSONSyntaxError) -> JSONMember {
    let nameStart = position
    guard byte == UInt8(ascii: "\"") else { throw noName() }
    let name = try readString()
    let nameRange = nameStart..<position
    skipWhitespace()
    guard let next = byte else { throw unclosed(from: start) }
    guard next == UInt8(ascii: ":") else { throw noColon(after: nameRange) }
    position += 1
    skipWhitespace()
    guard byte != nil else { throw unclosed(from: start) }
    return JSONMember(name: name, nameRange: nameRange, value: try readValue())
  }

  /// Goes over a comma (`true`) or over the closing bracket (`false`).
  private mutating func continues(closing: UInt8, openedAt start: Int) throws(JSONSyntaxError) -> Bool {
    skipWhitespace()
    switch byte {
    case nil: throw unclosed(from: start)
    case UInt8(ascii: ","): position += 1
    case closing:
      position += 1
      return false
    default: throw noComma(closing: closing, openedAt: start)
    }
    return true
  }

  private mutating func readWord() -> JSONNode.Kind? {
    switch byte {
    case UInt8(ascii: "t"): read("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): read("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): read("null") ? .null : nil
    default: nil
    }
  }

  private mutating func read(_ word: StaticString) -> Bool {
    let wordEnd = position + word.utf8CodeUnitCount
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard wordEnd <= end, bytes[position..<wordEnd].elementsEqual(expected) else { return false }
    if wordEnd < end, JSONReader.isWordByte(bytes[wordEnd]) { return false }
    position = wordEnd
    return true
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: false
    }
  }
}
