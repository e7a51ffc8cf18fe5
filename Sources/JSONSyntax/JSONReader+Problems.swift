extension JSONReader {
  func noValue() -> JSONSyntaxError {
    if let misfit = misfit() { return misfit }
    if byte == UInt8(ascii: "'") { return singleQuotes() }
    let word = wordHere
    switch word {
    case "True", "False", "None", "Null", "TRUE", "FALSE", "NULL", "nil", "undefined":
      return JSONSyntaxError(
        "unexpected", "\"\(word)\" is no JSON value", at: rangeHere, label: "no JSON value",
        help: "JSON has true, false and null, in lower case")
    default: break
    }
    var unsigned = self
    if byte == UInt8(ascii: "+") { unsigned.position += 1 }
    if let problem = unsigned.noSuchNumber(from: position) { return problem }
    if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "."), !isHere("..") {
      return JSONSyntaxError(
        "invalid-number", "a JSON number starts with a digit or \"-\", not with \(whatStandsHere)", at: rangeHere,
        label: "no JSON number", help: Self.howNumbersAre)
    }
    return JSONSyntaxError(
      "unexpected", "\(whatStandsHere) stands where a value was expected", at: rangeHere, label: "no JSON value",
      help: helpWithoutValue)
  }

  private var helpWithoutValue: String {
    switch byte {
    case UInt8(ascii: ","): return "remove this comma, or put a value before it"
    case UInt8(ascii: "}"): return helpWithoutValue(before: "}", opened: "{")
    case UInt8(ascii: "]"): return helpWithoutValue(before: "]", opened: "[")
    case UInt8(ascii: ":"): return "remove this colon"
    case UInt8(ascii: "<") where depth == 0: return "this looks like HTML or XML: write JSON in its place"
    default:
      if isHere("```") { return "remove the lines that begin so: they mark code in Markdown" }
      return helpWithoutQuotes ?? "strings stand in straight double quotes"
    }
  }

  private func helpWithoutValue(before close: Unicode.Scalar, opened open: Character) -> String {
    guard let innermost = missingBrackets.first.map(Unicode.Scalar.init) else {
      return "write \"\(open)\" before it, or remove it"
    }
    if innermost == close { return "put a value before it" }
    return innermost == "]" ? righted().help : "write \"\(open)\" before it, or put a value in its place"
  }

  /// For what no quotation marks would make better.
  private var helpWithoutQuotes: String? {
    if isHere("..") { return "write out what it stands for, or remove it" }
    return byte.map { $0 < 0x20 || $0 == 0x7F } == true ? "remove it" : nil
  }

  func noName() -> JSONSyntaxError {
    if let misfit = misfit() { return misfit }
    if byte == UInt8(ascii: "'") { return singleQuotes() }
    let message = "\(whatStandsHere) stands where the name of a member was expected"
    let first = firstOfObjects
    if let first, isBracketTooFew {
      return JSONSyntaxError(
        "unexpected", message, at: first..<first + 1, label: "\"[\" is missing before this",
        help: "write \"[\" there: several objects stand in an array",
        related: (rangeHere, "another object for the same member"))
    }
    let help: String
    switch byte {
    case UInt8(ascii: ","): help = "remove this comma"
    case UInt8(ascii: "{") where first != nil: help = "put a name and \":\" before it, or both objects in [ ]"
    case UInt8(ascii: "{"), UInt8(ascii: "["): help = "put a name and \":\" before it"
    case UInt8(ascii: ":"): help = "put a name before it"
    case UInt8(ascii: "]"): help = righted().help
    case let byte?
    where Self.isDigit(byte) && bytes[position - 1] == UInt8(ascii: ",") && Self.isDigit(bytes[position - 2]):
      help = "JSON numbers have a point: 0.5"
    default: help = helpWithoutQuotes ?? "names of members stand in straight double quotes"
    }
    return JSONSyntaxError("unexpected", message, at: rangeHere, label: "no member name", help: help)
  }

  func noColon(after name: Range<Int>) -> JSONSyntaxError {
    if let misfit = misfit() { return misfit }
    if let sign = ["=>", "->", "=", ";"].first(where: isHere) {
      return JSONSyntaxError(
        "missing-colon", "\"\(sign)\" stands where \":\" was expected", at: position..<position + sign.utf8.count,
        label: "no \":\"", help: "write \":\" in its place")
    }
    let message = "\(whatStandsHere) stands where \":\" was expected"
    if position == name.upperBound, bytes[name].contains(UInt8(ascii: ":")) {
      return JSONSyntaxError(
        "missing-colon", message, at: rangeHere, label: "not expected here",
        help: "end the name with a double quote before its \":\"", related: (name, "this name has a \":\" in it"))
    }
    let lacksValue = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte)
    return JSONSyntaxError(
      "missing-colon", message, at: name.upperBound..<name.upperBound, label: "\":\" is missing here",
      help: lacksValue
        ? "write \":\" and a value behind the name, or put what is a list in [ ]"
        : "write \":\" between the name and its value")
  }

  func noComma(closing: UInt8, openedAt start: Int) -> JSONSyntaxError {
    if let misfit = misfit() { return misfit }
    let close = Character(Unicode.Scalar(closing))
    let message = "\(whatStandsHere) stands where \",\" or \"\(close)\" was expected"
    let help: String
    switch byte {
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return wrongBracket(message, closing: closing, openedAt: start)
    case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ";"):
      return JSONSyntaxError(
        "unexpected", message, at: rangeHere, label: "not expected here", help: helpForSign(closing: closing))
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["): return missingComma(message, closing, start)
    case UInt8(ascii: "+"): help = "JSON joins no strings: write all of it in one"
    // What follows a closing quote at once was meant to stand inside.
    case _ where bytes[position - 1] == UInt8(ascii: "\""):
      help = "a double quote in a string is written \\\"; or the one that ends a string is missing before this"
    case let byte? where position > behindTheLast && (byte == UInt8(ascii: "-") || Self.isWordByte(byte)):
      if whatStandsHere != Self.bareWord { return missingComma(message, closing, start) }
      help = "text and names stand in straight double quotes, with \",\" between them"
    default: help = helpWithoutQuotes ?? "what is no number stands in straight double quotes"
    }
    return JSONSyntaxError("missing-comma", message, at: rangeHere, label: "not expected here", help: help)
  }

  /// For a colon, an equals sign or a semicolon behind a value.
  private func helpForSign(closing: UInt8) -> String {
    var rest = self
    rest.position += 1
    rest.skipWhitespace()
    if byte == UInt8(ascii: ";") {
      let isLast = rest.byte == nil || rest.byte == UInt8(ascii: "}") || rest.byte == UInt8(ascii: "]")
      return isLast ? "remove it" : "write \",\" in its place"
    }
    if closing == UInt8(ascii: "]") { return "members with a name stand in an object: { }" }
    return rest.byte == UInt8(ascii: "\"") && rest.isNameHere
      ? "write \",\" in its place"
      : "a member has one name and one value: remove the others, or put the member that is a value in { }"
  }

  /// Whether the string at the position has a colon behind it.
  private var isNameHere: Bool {
    var rest = self
    guard (try? rest.readString()) != nil else { return false }
    rest.skipWhitespace()
    return rest.byte == UInt8(ascii: ":")
  }

  private func missingComma(_ message: String, _ closing: UInt8, _ opening: Int) -> JSONSyntaxError {
    let isObject = closing == UInt8(ascii: "}")
    var (missing, help) = (",", "write \",\" between the two \(isObject ? "members" : "elements")")
    if let found = disagreement(), found.line == position, found.open == opening, !found.isDeeper {
      missing = "\(Unicode.Scalar(closing)),"
      help = "write \"\(missing)\" there: as the lines are indented, the \(isObject ? "object" : "array") ends"
    }
    return JSONSyntaxError(
      "missing-comma", message, at: behindTheLast..<behindTheLast, label: "\"\(missing)\" is missing here", help: help)
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
      label: "no double quote", help: "strings and names stand in straight double quotes")
  }

  /// What stands nowhere in JSON outside of strings: comments, and blanks that look like the usual one.
  func misfit() -> JSONSyntaxError? {
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
    guard isHere("//") || isHere("/*") || byte == UInt8(ascii: "#") else { return nil }
    return JSONSyntaxError(
      "comment", "\(whatStandsHere) starts a comment, and JSON has none", at: rangeHere, label: "no comments in JSON",
      help: "write it as a member \"note\"")
  }

  private func isHere(_ signs: String) -> Bool { bytes[position..<end].starts(with: signs.utf8) }

  /// Behind the last sign before the position.
  var behindTheLast: Int { behindTheLast(before: position) }

  func behindTheLast(before place: Int) -> Int {
    var place = place
    while place > start, bytes[place - 1] <= 0x20 { place -= 1 }
    return place
  }

  /// The letters and digits that start at the position.
  var wordHere: String {
    String(decoding: bytes[position...].prefix(40).prefix(while: Self.isWordByte), as: UTF8.self)
  }

  /// A word or one character; empty at the end.
  var rangeHere: Range<Int> {
    guard byte != nil else { return position..<position }
    return position..<(position + max(wordHere.utf8.count, scalarLength))
  }

  private var scalarLength: Int {
    var end = position + 1
    while end < bytes.count, end < position + 4, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end - position
  }

  private static let bareWord = "a word without quotes"

  /// Quotes JSON's own words and signs: any other may be part of a secret that lacks a quotation mark or has one more.
  var whatStandsHere: String {
    guard let byte else { return "the end of the text" }
    let shown = String(decoding: bytes[rangeHere], as: UTF8.self)
    if ["true", "false", "null"].contains(shown) { return "\"\(shown)\"" }
    if byte == UInt8(ascii: "-") || Self.isDigit(byte) { return "a number" }
    if Self.isWordByte(byte) { return Self.bareWord }
    switch byte {
    case UInt8(ascii: "\""): return "a string"
    case 0..<0x20, 0x7F: return "the control character \(byte)"
    // Curly quotes and the like begin so.
    case 0x80... where byte != 0xE2: return "a character that is not ASCII"
    default: return "\"\(shown)\""
    }
  }
}
