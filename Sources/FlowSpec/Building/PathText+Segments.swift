/// A piece of a template between two slashes, or a pattern's.
struct Segment: Sendable, Hashable {
  let text: String
  /// Where it begins in the whole, in UTF-8 bytes.
  let offset: Int
}

extension String {
  /// The pieces between the slashes of a path that begins with one; slashes inside `${…}` separate nothing.
  var segments: [Segment] {
    let bytes = Array(utf8)
    if bytes == [UInt8(ascii: "/")] { return [] }
    var found: [Segment] = []
    var start = 1
    var position = 1
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "/") {
        found.append(Segment(text: slice(start..<position), offset: start))
        start = position + 1
      }
      position = Self.behindPart(at: position, of: bytes)
    }
    found.append(Segment(text: slice(start..<bytes.count), offset: start))
    return found
  }

  /// The text outside of `${…}`.
  var literalText: String {
    let bytes = Array(utf8)
    var kept: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let next = Self.behindPart(at: position, of: bytes)
      if next == position + 1 { kept.append(bytes[position]) }
      position = next
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// The next position: behind `${…}` when one begins here (`$${` begins none), else behind this byte.
  private static func behindPart(at start: Int, of bytes: [UInt8]) -> Int {
    guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "$"), bytes[start + 1] == UInt8(ascii: "{"),
      start == 0 || bytes[start - 1] != UInt8(ascii: "$")
    else { return start + 1 }
    var depth = 0
    var position = start + 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return position + 1 }
      case UInt8(ascii: "'"), UInt8(ascii: "\""): position = endOfQuote(at: position, of: bytes)
      default: break
      }
      position += 1
    }
    return bytes.count
  }

  /// The last byte of a quoted string, three quotes or one; behind `r` a backslash is a backslash.
  private static func endOfQuote(at start: Int, of bytes: [UInt8]) -> Int {
    let quote = bytes[start]
    let isTriple = start + 2 < bytes.count && bytes[start + 1] == quote && bytes[start + 2] == quote
    let isRaw = start > 0 && (bytes[start - 1] | 0x20) == UInt8(ascii: "r")
    let width = isTriple ? 3 : 1
    var position = start + width
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\\"), !isRaw {
        position += 2
        continue
      }
      let end = position + width
      if end <= bytes.count, bytes[position..<end].allSatisfy({ $0 == quote }) { return end - 1 }
      position += 1
    }
    return bytes.count - 1
  }
}
