extension JSONReader {
  /// Some text after the value that is the whole document.
  func afterTheEnd() -> JSONSyntaxError {
    if let misfit = misfit() { return misfit }
    let message = "\(whatStandsHere) follows the JSON value, and nothing may"
    let label = "the value is complete before this"
    guard let found = disagreement(), found.isDeeper else {
      return JSONSyntaxError("text-after-end", message, at: rangeHere, label: label)
    }
    return JSONSyntaxError(
      "text-after-end", message, at: found.line..<(found.line + 1),
      label: "as the lines are indented, a bracket too many stands before this", related: (rangeHere, label))
  }

  func unclosed(from start: Int) -> JSONSyntaxError {
    let found = disagreement().flatMap { $0.isDeeper ? nil : $0 }
    let start = found?.open ?? start
    let isObject = bytes[start] == UInt8(ascii: "{")
    return JSONSyntaxError(
      "unclosed",
      isObject
        ? "the text ends inside an object, where \"}\" is missing"
        : "the text ends inside an array, where \"]\" is missing",
      at: found.map { $0.line..<($0.line + 1) } ?? position..<position,
      label: found == nil ? "the text ends here" : "as the lines are indented, it is missing before this",
      related: (start..<(start + 1), "opened here"))
  }

  /// The first line that stands no deeper than that of the bracket around it, or closes a bracket from another depth.
  ///
  /// Nothing is told by what stands at the very left.
  private func disagreement() -> (line: Int, open: Int, isDeeper: Bool)? {
    var open: [(place: Int, indent: Int)] = []
    var (index, indent, isFirst) = (0, 0, true)
    while index < end {
      let byte = bytes[index]
      if byte > 0x20 {
        let closes = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
        if isFirst, let (place, depth) = open.last {
          if closes, indent > depth { return (index, place, true) }
          if depth > 0, indent < depth || indent == depth && !closes { return (index, place, false) }
        }
        isFirst = false
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { open.append((index, indent)) }
        if closes { _ = open.popLast() }
        if byte == UInt8(ascii: "\"") {
          repeat {
            index += index < end && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
          } while index < end && bytes[index] != byte
        }
      } else if byte == UInt8(ascii: "\n") {
        (indent, isFirst) = (0, true)
      } else if isFirst {
        indent += 1
      }
      index += 1
    }
    return nil
  }

  func noValue() -> JSONSyntaxError {
    if let misfit = misfit() { return misfit }
    let word = wordHere
    switch word {
    case "NaN", "Infinity", "nan", "inf":
      return JSONSyntaxError("unexpected", "\"\(word)\" is no JSON number", at: rangeHere, label: "no JSON value")
    case "True", "False", "None", "Null", "TRUE", "FALSE", "NULL", "nil", "undefined":
      return JSONSyntaxError(
        "unexpected", "\"\(word)\" is no JSON value", at: rangeHere, label: "no JSON value",
        help: "JSON has true, false and null, in lower case")
    default: break
    }
    if byte == UInt8(ascii: "'") { return singleQuotes() }
    if byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".") {
      return JSONSyntaxError(
        "invalid-number", "a JSON number starts with a digit or \"-\", not with \(whatStandsHere)", at: rangeHere,
        label: "no JSON number")
    }
    return JSONSyntaxError(
      "unexpected", "\(whatStandsHere) stands where a value was expected", at: rangeHere, label: "no JSON value",
      help: byte == UInt8(ascii: ",")
        ? "remove this comma, or put a value before it"
        : word.isEmpty && byte != 0xE2 ? nil : "strings stand in straight double quotes")
  }

  func noName() -> JSONSyntaxError {
    if let misfit = misfit() { return misfit }
    if byte == UInt8(ascii: "'") { return singleQuotes() }
    return JSONSyntaxError(
      "unexpected", "\(whatStandsHere) stands where the name of a member was expected", at: rangeHere,
      label: "no member name",
      help: byte == UInt8(ascii: ",") ? "remove this comma" : "names of members stand in straight double quotes")
  }

  func noColon(after name: Range<Int>) -> JSONSyntaxError {
    misfit()
      ?? JSONSyntaxError(
        "missing-colon", "\(whatStandsHere) stands where \":\" was expected", at: rangeHere,
        label: "\":\" is missing before this", related: (name, "after this name"))
  }

  func noComma(closing: UInt8, openedAt start: Int) -> JSONSyntaxError {
    if let misfit = misfit() { return misfit }
    let close = Character(Unicode.Scalar(closing))
    switch byte {
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      return JSONSyntaxError(
        "wrong-bracket", "\(whatStandsHere) stands where \"\(close)\" was expected", at: rangeHere,
        label: "closes nothing", related: (start..<(start + 1), "this is still open"))
    case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ";"):
      return JSONSyntaxError(
        "unexpected", "\(whatStandsHere) stands where \",\" or \"\(close)\" was expected", at: rangeHere,
        label: "not expected here")
    default:
      // What follows a closing quote at once was meant to stand inside.
      let isInside = bytes[position - 1] == UInt8(ascii: "\"") && byte != UInt8(ascii: "\"")
      return JSONSyntaxError(
        "missing-comma", "\(whatStandsHere) stands where \",\" or \"\(close)\" was expected", at: rangeHere,
        label: "\",\" is missing before this", help: isInside ? "a double quote in a string is written \\\"" : nil)
    }
  }

  /// Throws when the closing bracket follows a comma.
  func refuseTrailingComma(before closing: UInt8, openedAt start: Int) throws(JSONSyntaxError) {
    guard byte == closing else { return }
    var comma = position - 1
    while comma > start, bytes[comma] != UInt8(ascii: ",") { comma -= 1 }
    throw JSONSyntaxError(
      "trailing-comma", "\",\" stands before \(whatStandsHere), where JSON allows none", at: comma..<(comma + 1),
      label: "nothing follows this comma", help: "remove the comma")
  }

  private func singleQuotes() -> JSONSyntaxError {
    JSONSyntaxError(
      "single-quotes", "a single quote stands where a double quote was expected", at: rangeHere,
      label: "JSON strings stand in double quotes")
  }

  /// What stands nowhere in JSON outside of strings: comments, and blanks that look like the usual one.
  private func misfit() -> JSONSyntaxError? {
    if byte ?? 0 >= 0x80,
      String(decoding: bytes[position..<position + scalarLength], as: UTF8.self).allSatisfy(\.isWhitespace)
    {
      return JSONSyntaxError(
        "unexpected", "a blank stands here that is none in JSON", at: rangeHere, label: "not the usual blank",
        help: "put a usual blank in its place: such ones come along when text is copied from a page")
    }
    let isFirst = position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
    let marks = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "]
    if isFirst, marks.contains(where: { bytes[position...].starts(with: $0.utf8) }) {
      return JSONSyntaxError(
        "merge-conflict", "an unresolved merge conflict stands here", at: position..<position + 7,
        label: "put here by the version control", help: "keep what is right of both sides, and remove such lines")
    }
    guard byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") else { return nil }
    return JSONSyntaxError(
      "comment", "\(whatStandsHere) starts a comment, and JSON has none", at: rangeHere, label: "no comments in JSON",
      help: "write it as a member \"note\"")
  }

  /// The letters and digits that start at the position.
  private var wordHere: String {
    String(decoding: bytes[position...].prefix(40).prefix(while: Self.isWordByte), as: UTF8.self)
  }

  /// A word or one character; empty at the end.
  private var rangeHere: Range<Int> {
    guard byte != nil else { return position..<position }
    return position..<(position + max(wordHere.utf8.count, scalarLength))
  }

  private var scalarLength: Int {
    var end = position + 1
    while end < bytes.count, end < position + 4, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end - position
  }

  /// Quotes JSON's own words and signs: any other may be part of a secret that lacks a quotation mark or has one more.
  private var whatStandsHere: String {
    guard let byte else { return "the end of the text" }
    let shown = String(decoding: bytes[rangeHere], as: UTF8.self)
    if ["true", "false", "null"].contains(shown) { return "\"\(shown)\"" }
    if byte == UInt8(ascii: "-") || Self.isDigit(byte) { return "a number" }
    if Self.isWordByte(byte) { return "a word without quotes" }
    switch byte {
    case UInt8(ascii: "\""): return "a string"
    case 0..<0x20, 0x7F: return "the control character \(byte)"
    // Curly quotes and the like begin so.
    case 0x80... where byte != 0xE2: return "a character that is not ASCII"
    default: return "\"\(shown)\""
    }
  }
}
