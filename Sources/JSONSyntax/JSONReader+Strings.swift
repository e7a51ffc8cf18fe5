extension JSONReader {
  /// Reads a string, which starts with a double quote.
  mutating func readString() throws(JSONSyntaxError) -> String {
    let start = position
    position += 1
    var result = ""
    while true {
      let chunk = position
      let isASCII = skipPlainText()
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        // Nearly every string is one piece.
        if chunk == start + 1 { return try text(chunk..<position - 1, isASCII: isASCII) }
        try append(chunk..<position - 1, isASCII: isASCII, to: &result)
        return result
      case UInt8(ascii: "\\"):
        try append(chunk..<position, isASCII: isASCII, to: &result)
        result.unicodeScalars.append(try readEscape(openedAt: start))
      case let byte?: throw controlCharacter(byte, openedAt: start)
      case nil: throw openString(from: start)
      }
    }
  }

  /// Goes to the next byte that is a quote, a backslash or a control character; tells whether those before it are ASCII.
  private mutating func skipPlainText() -> Bool {
    let (stop, isASCII) = bytes.withUnsafeBufferPointer { [position, end] bytes in
      var stop = position
      // The bits of all bytes: text whose highest one is not set is ASCII.
      var bits: UInt8 = 0
      let text = UnsafeRawBufferPointer(bytes)
      while stop &+ 8 <= end {
        let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: stop, as: UInt64.self))
        // What is not ASCII is gone through byte by byte.
        if word & 0x8080_8080_8080_8080 != 0 { break }
        let stops = word.special(or: .quotes)
        if stops != 0 { return (stop &+ stops.trailingZeroBitCount / 8, true) }
        stop &+= 8
      }
      while stop < end {
        let byte = bytes[stop]
        if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
        bits |= byte
        stop += 1
      }
      return (stop, bits < 0x80)
    }
    position = stop
    return isASCII
  }

  private func append(_ range: Range<Int>, isASCII: Bool, to result: inout String) throws(JSONSyntaxError) {
    if range.isEmpty { return }
    let chunk = try text(range, isASCII: isASCII)
    if result.isEmpty { result = chunk } else { result += chunk }
  }

  private func text(_ range: Range<Int>, isASCII: Bool) throws(JSONSyntaxError) -> String {
    let text = bytes.withUnsafeBufferPointer { bytes in
      let utf8 = UnsafeBufferPointer(rebasing: bytes[range])
      // So few bytes stand in the string itself, and to copy them there takes less than to look at each.
      return isASCII && utf8.count < 16
        ? String(unsafeUninitializedCapacity: utf8.count) { $0.initialize(fromContentsOf: utf8) }
        : String(decoding: utf8, as: UTF8.self)
    }
    // What is no UTF-8 has been repaired; to compare is much faster than to validate.
    guard isASCII || isSame(text, as: range) else { throw invalidUTF8(in: range) }
    return text
  }

  private func isSame(_ text: String, as range: Range<Int>) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      bytes.withUnsafeBufferPointer { utf8.elementsEqual(UnsafeBufferPointer(rebasing: $0[range])) }
    }
  }

  mutating func readEscape(openedAt start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let escape = position
    position += 1
    guard let byte else { throw openString(from: start) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readUnicodeEscape(from: escape)
    default:
      while let next = self.byte, next & 0xC0 == 0x80 { position += 1 }
      throw JSONSyntaxError(
        "invalid-escape", "a string has an escape that JSON does not know", at: escape..<position,
        label: "no JSON escape", help: "a backslash itself is written \"\\\\\"")
    }
  }

  private mutating func readUnicodeEscape(from escape: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let unit = try readHexadecimal(from: escape)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let isHigh = unit < 0xDC00
    let first = escape..<position
    if isHigh, byte == UInt8(ascii: "\\"), position + 1 < end, bytes[position + 1] == UInt8(ascii: "u") {
      let second = position
      position += 2
      let low = try readHexadecimal(from: second)
      let scalar = 0x10000 + ((UInt32(unit) - 0xD800) << 10) + UInt32(low & 0x3FF)
      if (0xDC00...0xDFFF).contains(low), let scalar = Unicode.Scalar(scalar) { return scalar }
    }
    throw JSONSyntaxError(
      "lone-surrogate", "a string has one half of a surrogate pair, which is no character", at: first,
      label: isHigh ? "the second half is missing behind this" : "the first half is missing before this",
      help: "write the character itself, or both halves")
  }

  private mutating func readHexadecimal(from escape: Int) throws(JSONSyntaxError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte, let digit = UInt16(String(Unicode.Scalar(byte)), radix: 16) else {
        throw JSONSyntaxError(
          "invalid-escape", "\"\\u\" in a string is not followed by four hexadecimal digits", at: escape..<position,
          label: "four hexadecimal digits belong behind this", help: "a backslash itself is written \"\\\\\"")
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }

  private func controlCharacter(_ byte: UInt8, openedAt start: Int) -> JSONSyntaxError {
    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
      return JSONSyntaxError(
        "unclosed-string", "a line ends inside a string, where a double quote is missing", at: position..<position,
        label: "the line ends here",
        help: "end the string with a straight double quote; a line break in it is written \"\\n\"",
        related: (start..<(start + 1), "opened here"))
    }
    return JSONSyntaxError(
      "control-character", "a string has the control character \(byte), which must be escaped",
      at: position..<(position + 1), label: "write it as an escape",
      help: byte == UInt8(ascii: "\t")
        ? "a tab in a string is written \"\\t\""
        : "remove it, or write it as \"\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))\"")
  }

  private func openString(from start: Int) -> JSONSyntaxError {
    JSONSyntaxError(
      "unclosed-string", "the text ends inside a string, where a double quote is missing",
      at: end..<end, label: "the text ends here", help: "end the string with a straight double quote",
      related: (start..<(start + 1), "opened here"))
  }

  /// Finds the first byte that is no UTF-8; the range ends before an ASCII character, so it can be looked at alone.
  private func invalidUTF8(in range: Range<Int>) -> JSONSyntaxError {
    var offset = range.lowerBound
    var iterator = bytes[range].makeIterator()
    var decoder = UTF8()
    decoding: while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .error, .emptyInput: break decoding
      }
    }
    let place = min(offset, range.upperBound - 1)
    return JSONSyntaxError(
      "invalid-utf8", "a string has bytes that are no UTF-8", at: place..<(place + 1), label: "no UTF-8",
      help: "save the file as UTF-8")
  }
}
