/// The text in lines of at most `width` characters, broken at spaces, and within a word only where it is longer.
package func wrapped(_ text: String, width: Int) -> [String] {
  // There are no more characters than bytes.
  if text.utf8.count <= width, text.hasSingleSpaces { return [text] }
  if text.isCountedInBytes { return wrapped(Array(text.utf8), width: width) }
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    var rest = word
    if !line.isEmpty, line.count + 1 + rest.count <= width {
      line += " "
      line += String(rest)
      continue
    }
    if !line.isEmpty { lines.append(line) }
    while rest.count > width {
      lines.append(String(rest.prefix(width)))
      rest = rest.dropFirst(width)
    }
    line = String(rest)
  }
  return lines + [line]
}

/// The same of what is counted in bytes.
private func wrapped(_ text: [UInt8], width: Int) -> [String] {
  var lines: [String] = []
  var line: [UInt8] = []
  var start = 0
  while start < text.count {
    var end = start
    while end < text.count, text[end] != UInt8(ascii: " ") { end += 1 }
    if start < end {
      if !line.isEmpty, line.count + 1 + end - start > width {
        lines.append(String(decoding: line, as: UTF8.self))
        line.removeAll(keepingCapacity: true)
      }
      if !line.isEmpty { line.append(UInt8(ascii: " ")) }
      while end - start > width, line.isEmpty {
        lines.append(String(decoding: text[start..<(start + width)], as: UTF8.self))
        start += width
      }
      line += text[start..<end]
    }
    start = end + 1
  }
  return lines + [String(decoding: line, as: UTF8.self)]
}

extension String {
  /// Whether no space stands at an end or behind another.
  fileprivate var hasSingleSpaces: Bool {
    var isBehindSpace = true
    for byte in utf8 {
      let isSpace = byte == UInt8(ascii: " ")
      if isSpace, isBehindSpace { return false }
      isBehindSpace = isSpace
    }
    return !isBehindSpace || isEmpty
  }

  /// How many characters it has; what is ASCII is counted in bytes, which is much faster.
  var width: Int { isCountedInBytes ? utf8.count : count }

  fileprivate var isCountedInBytes: Bool { utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") } }
}
