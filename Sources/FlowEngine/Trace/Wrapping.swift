/// The text in lines of at most `width` characters, broken at spaces, and within a word only where it is longer.
package func wrapped(_ text: String, width: Int) -> [String] {
  // There are no more characters than bytes.
  if text.utf8.count <= width, text.hasSingleSpaces { return [text] }
  var lines: [String] = []
  var (line, lineWidth) = ("", 0)
  for word in text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init) {
    var (rest, restWidth) = (word, word.width)
    if lineWidth > 0, lineWidth + 1 + restWidth <= width {
      line += " "
      line.append(contentsOf: rest)
      lineWidth += 1 + restWidth
      continue
    }
    if lineWidth > 0 { lines.append(line) }
    while restWidth > width {
      lines.append(String(rest.prefix(width)))
      rest = rest.dropFirst(width)
      restWidth -= width
    }
    (line, lineWidth) = (String(rest), restWidth)
  }
  return lines + [line]
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
}

extension StringProtocol {
  /// How many characters it has; what is ASCII is counted in bytes, which is much faster.
  var width: Int { utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") } ? utf8.count : count }
}
