/// The text in lines of at most `width` characters, broken at spaces, and within a word only where it is longer.
package func wrapped(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    var rest = word
    if !line.isEmpty, line.count + 1 + rest.count <= width {
      line += " " + rest
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
