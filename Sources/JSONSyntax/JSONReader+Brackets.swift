extension JSONReader {
  /// Some text after the value that is the whole document.
  func afterTheEnd() -> JSONSyntaxError {
    if let misfit = misfit() { return misfit }
    let message = "\(whatStandsHere) follows the JSON value, and nothing may"
    let label = "the value is complete before this"
    guard let found = disagreement(), found.isDeeper else {
      return JSONSyntaxError("text-after-end", message, at: rangeHere, label: label, help: helpAfterTheEnd)
    }
    return JSONSyntaxError(
      "text-after-end", message, at: found.line..<(found.line + 1),
      label: "as the lines are indented, a bracket too many stands before this",
      help: "remove the bracket that closes too early", related: (rangeHere, label))
  }

  private var helpAfterTheEnd: String {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return "put it in a file of its own: a document is one value"
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return "remove it"
    case UInt8(ascii: ":") where bytes[behindTheLast - 1] == UInt8(ascii: "\""): return "put all members in { }"
    default:
      let last = bytes[behindTheLast - 1]
      return last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
        ? "remove it, or the bracket before it if it belongs to the value" : "remove it"
    }
  }

  func wrongBracket(_ message: String, closing: UInt8, openedAt start: Int) -> JSONSyntaxError {
    let (missing, help) = righted()
    return JSONSyntaxError(
      "wrong-bracket", message, at: rangeHere,
      label: missing.map { "\"\($0)\" is missing before this" } ?? "no \"\(Unicode.Scalar(closing))\"",
      help: help, related: (start..<(start + 1), "this is still open"))
  }

  /// What to do about a bracket that does not close the innermost one, and what is missing before it, if anything is.
  func righted() -> (missing: String?, help: String) {
    let open = missingBrackets
    let inPlace = "write \"\(Unicode.Scalar(open[0]))\" in its place"
    // What is open when it is right is closed behind it.
    switch open.count - closedBehind {
    case 0: return (nil, "remove it")
    case 1: return (nil, inPlace)
    default:
      // Nothing stands behind what closes the whole.
      guard let farther = open.firstIndex(where: { $0 == byte }), farther + 1 < open.count || isLast else {
        return (nil, "\(inPlace), or remove it")
      }
      let missing = String(decoding: open[..<farther], as: UTF8.self)
      return (missing, "write \"\(missing)\" before it")
    }
  }

  func unclosed(from start: Int) -> JSONSyntaxError {
    let found = disagreement().flatMap { $0.isDeeper ? nil : $0 }
    let missing = String(decoding: missingBrackets, as: UTF8.self)
    let start = found?.open ?? start
    let isObject = bytes[start] == UInt8(ascii: "{")
    let isBehindComma = found.map { bytes[behindTheLast(before: $0.line) - 1] == UInt8(ascii: ",") } == true
    return JSONSyntaxError(
      "unclosed",
      isObject
        ? "the text ends inside an object, where \"}\" is missing"
        : "the text ends inside an array, where \"]\" is missing",
      at: found.map { $0.line..<($0.line + 1) } ?? behindTheLast..<behindTheLast,
      label: found == nil ? "the text ends here" : "as the lines are indented, it is missing before this",
      help: found == nil
        ? "write \"\(missing)\" at the end, unless more is missing"
        : "write \"\(isObject ? "}" : "]")\" before \(isBehindComma ? "the comma that stands before it" : "it")",
      related: (start..<(start + 1), "opened here"))
  }

  /// What would close all that is open at the position, the innermost first.
  var missingBrackets: [UInt8] {
    // Each closing bracket stands two behind its opening one in ASCII.
    brackets.open.reversed().map { bytes[$0] + 2 }
  }

  /// The first of two objects that stand for one member, the second of which is at the position; `nil` where none does.
  var firstOfObjects: Int? {
    let comma = behindTheLast - 1
    guard byte == UInt8(ascii: "{"), comma > start, bytes[comma] == UInt8(ascii: ","),
      bytes[behindTheLast(before: comma) - 1] == UInt8(ascii: "}"), let first = brackets.closed
    else { return nil }
    let before = behindTheLast(before: first)
    return before > start && bytes[before - 1] == UInt8(ascii: ":") ? first : nil
  }

  /// Whether one more bracket is closed behind the one at the position than is opened before it.
  var isBracketTooFew: Bool { closedBehind == brackets.open.count + 2 }

  /// Where those stand that are open at the position, the outermost first, and that which was closed last.
  private var brackets: (open: [Int], closed: Int?) {
    var open: [Int] = []
    var (index, closed) = (start, Int?.none)
    while index < position {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(index)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): closed = open.popLast()
      case UInt8(ascii: "\""): skipString(&index)
      default: break
      }
      index += 1
    }
    return (open, closed)
  }

  /// Whether nothing but blanks stands behind the sign at the position.
  private var isLast: Bool { bytes[(position + 1)..<end].allSatisfy { $0 <= 0x20 } }

  /// How many brackets behind the one at the position close something that is opened before it.
  private var closedBehind: Int {
    var closed = 0
    var index = position + 1
    while index < end {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): closed -= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): closed += 1
      case UInt8(ascii: "\""): skipString(&index)
      default: break
      }
      index += 1
    }
    return closed
  }

  /// The first line that stands no deeper than that of the bracket around it, or closes a bracket from another depth.
  ///
  /// Nothing is told by what stands at the very left.
  func disagreement() -> (line: Int, open: Int, isDeeper: Bool)? {
    var open: [(place: Int, indent: Int)] = []
    var (index, indent, isFirst) = (start, 0, true)
    while index < min(end, position + 1) {
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
        if byte == UInt8(ascii: "\"") { skipString(&index) }
      } else if byte == UInt8(ascii: "\n") {
        (indent, isFirst) = (0, true)
      } else if isFirst {
        indent += 1
      }
      index += 1
    }
    return nil
  }

  /// From the double quote that opens a string to the one that closes it.
  private func skipString(_ index: inout Int) {
    repeat {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    } while index < end && bytes[index] != UInt8(ascii: "\"")
  }
}
