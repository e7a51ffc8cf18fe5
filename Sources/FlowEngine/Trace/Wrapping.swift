import FlowSpec

/// The text in lines of at most `width` cells of a terminal, broken at spaces, within a word only where it is longer,
/// and within an alias only where that is.
package func wrapped(_ text: String, width: Int) -> [String] {
  // No character takes more cells than bytes.
  if text.utf8.count <= width, text.hasSingleSpaces { return [text] }
  var lines: [String] = []
  var (line, lineWidth) = ("", 0)
  for word in text.utf8.split(separator: UInt8(ascii: " ")).map(Substring.init) {
    var (rest, restWidth) = (word, word.cells)
    if lineWidth > 0, lineWidth + 1 + restWidth <= width {
      line += " "
      line.append(contentsOf: rest)
      lineWidth += 1 + restWidth
      continue
    }
    if lineWidth > 0 { lines.append(line) }
    // A string of its own knows where its characters begin; a part of one would look back from each line.
    if restWidth > width { rest = Substring(String(word)) }
    while restWidth > width {
      let start = rest.line(of: width)
      lines.append(String(start))
      rest = rest[start.endIndex...]
      restWidth -= start.cells
    }
    (line, lineWidth) = (String(rest), restWidth)
  }
  return lines + [line]
}

extension Substring {
  /// As much of its beginning as has room on a line, without the beginning of an alias that has room on the next.
  fileprivate func line(of width: Int) -> Substring {
    let start = prefix(cells: width)
    guard let alias = start.utf8.lastIndex(of: UInt8(ascii: "<")), alias > startIndex,
      !start.utf8[alias...].contains(UInt8(ascii: ">")),
      self[alias...].prefix(cells: width).utf8.contains(UInt8(ascii: ">"))
    else { return start }
    return self[..<alias]
  }
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
