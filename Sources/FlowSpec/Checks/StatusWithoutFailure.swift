import Expressions

extension Check {
  /// Conditions that take a request without an answer, whose status is 0, for one with a good answer.
  static let statusWithoutFailure: @Sendable (Examined) -> [Diagnostic] = { examined in
    let retries = examined.machine.requests.compactMap(\.retry?.when)
    let conditions = (examined.transitions.compactMap(\.when) + retries).map(\.expressions)
      .filter { $0.contains { $0.expression.source.utf8.contains(run: "response.status") } }
      .map { $0.map { ConditionLine(source: $0.expression.source, site: $0.site) } }
    return (examined.definitions.map { [$0] } + conditions).flatMap { lines -> [Diagnostic] in
      let mentions = lines.filter { $0.source.utf8.contains(run: "response.status") }.flatMap(StatusMention.all)
      if mentions.isEmpty || lines.contains(where: { $0.source.utf8.contains(run: "response.failure") }) { return [] }
      if mentions.contains(where: \.excludesFailure) { return [] }
      return mentions.filter(\.includesFailure).map { mention in
        Diagnostic(
          "status-without-failure",
          "\"response.status\" is 0 when no answer came, and \"\(mention.sign)\" holds for it",
          at: mention.line.inside(mention.range), "also holds without an answer",
          help: "add response.failure == null, or a lower bound such as response.status >= 200")
      }
    }
  }
}

/// One line of a condition, or a let, as written.
struct ConditionLine: Sendable {
  let source: String
  let site: Site
}

/// A comparison with `response.status` in the text of an expression.
private struct StatusMention {
  /// The comparison as if the status stood on its left.
  let sign: String
  let line: Site
  let range: Range<Int>

  var includesFailure: Bool { ["<", "<=", "!="].contains(sign) }
  var excludesFailure: Bool { [">", ">=", "==", "in"].contains(sign) }

  static func all(in line: ConditionLine) -> [StatusMention] {
    let bytes = Array(line.source.utf8)
    let name = Array("response.status".utf8)
    return bytes.indices.compactMap { start in
      let end = start + name.count
      guard bytes[start] == name[0], end <= bytes.count, bytes[start..<end].elementsEqual(name) else { return nil }
      if start > 0, bytes[start - 1].isIdentifierPart || bytes[start - 1] == UInt8(ascii: ".") { return nil }
      if end < bytes.count, bytes[end].isIdentifierPart { return nil }
      guard let sign = sign(behind: end, of: bytes) ?? sign(before: start, of: bytes) else { return nil }
      return StatusMention(sign: sign, line: line.site, range: start..<end)
    }
  }

  private static let signs = ["<=", ">=", "!=", "==", "<", ">", "in"]

  private static func sign(behind end: Int, of bytes: [UInt8]) -> String? {
    let rest = bytes[end...].drop { $0 == UInt8(ascii: " ") }
    guard let sign = signs.first(where: { rest.starts(with: $0.utf8) }) else { return nil }
    let operand = rest.dropFirst(sign.utf8.count).lazy.filter { $0 != UInt8(ascii: " ") }
    let isZero = operand.first == UInt8(ascii: "0") && operand.dropFirst().first?.isIdentifierPart != true
    // What compares with 0 asks whether there was an answer.
    if isZero { return ["!=", ">"].contains(sign) ? ">" : nil }
    return sign
  }

  private static func sign(before start: Int, of bytes: [UInt8]) -> String? {
    let mirrored = ["<=": ">=", ">=": "<=", "<": ">", ">": "<", "!=": "!=", "==": "=="]
    var end = start
    while end > 0, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    return signs.first { $0 != "in" && bytes[..<end].suffix($0.utf8.count).elementsEqual($0.utf8) }
      .flatMap { mirrored[$0] }
  }
}
