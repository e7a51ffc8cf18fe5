import Expressions

extension WrittenSecrets {
  /// Credentials without their scheme (RFC 9110 §11.4), which is no secret.
  func withoutScheme(_ node: LooseText.Node) -> Range<Int> {
    guard let name = text.name(of: node)?.lowercased(), ["bearer", "authorization"].contains(name) else {
      return node.range
    }
    let start = text.text(node.range).lowercased()
    let scheme = ["bearer ", "basic "].first(where: start.hasPrefix) ?? ""
    return node.range.lowerBound + scheme.utf8.count..<node.range.upperBound
  }

  /// The strings that the expressions of a template write out, but for short ones, members of maps, the names that `fresh`
  /// and `newId` give and those of rows.
  func literals(in range: Range<Int>) -> [Range<Int>] {
    let plain = plainParts(of: range)
    let starts = [range.lowerBound] + plain.map(\.upperBound)
    let ends = plain.map(\.lowerBound) + [range.upperBound]
    return zip(starts, ends).filter { $0 < $1 }.flatMap { literals(ofExpressionIn: $0..<$1) }
  }

  /// Of one in which something is escaped all between its braces: a quotation mark may be.
  private func literals(ofExpressionIn range: Range<Int>) -> [Range<Int>] {
    guard text.bytes[range].contains(UInt8(ascii: "\\")) else { return literals(ofExpressionsIn: range) }
    let opens = text.bytes[range].starts(with: "${".utf8) ? 2 : 0
    let closes = text.bytes[range].last == UInt8(ascii: "}") ? 1 : 0
    let inner = range.lowerBound + opens..<max(range.lowerBound + opens, range.upperBound - closes)
    return inner.isEmpty ? [] : [inner]
  }

  /// What the expressions of a text give to a secret member of a map that they write out: `{'pin': '4711'}`.
  func literals(ofMembersIn range: Range<Int>) -> [Range<Int>] {
    let plain = plainParts(of: range)
    let starts = [range.lowerBound] + plain.map(\.upperBound)
    let ends = plain.map(\.lowerBound) + [range.upperBound]
    return zip(starts, ends).filter { $0 < $1 }.flatMap { start, end in
      NamedPlaces.places(in: withoutComparisons(text.text(start..<end)), under: names).map {
        start + $0.range.lowerBound..<start + $0.range.upperBound
      }
    }
  }

  /// What a condition writes out in a part of it that names a secret too, as between two `&&`; `nil` for no condition.
  func literals(ofCondition node: LooseText.Node) -> [Range<Int>]? {
    guard node.kind == .string, isOfCondition(node) else { return nil }
    var parts: [Range<Int>] = []
    var (start, index, isQuoted) = (node.range.lowerBound, node.range.lowerBound, false)
    while index < node.range.upperBound {
      let byte = text.bytes[index]
      if byte == UInt8(ascii: "'") { isQuoted.toggle() }
      let isSign = byte == UInt8(ascii: "&") || byte == UInt8(ascii: "|")
      if isSign, !isQuoted, index + 1 < node.range.upperBound, text.bytes[index + 1] == byte {
        parts.append(start..<index)
        start = index + 2
        index += 1
      }
      index += 1
    }
    return (parts + [start..<node.range.upperBound]).filter { part in
      text.words(part).contains { names.index(of: $0) != nil }
    }.flatMap(literals(ofExpressionIn:))
  }

  /// What the expression of a let writes out that is called like a secret, as what it reads is none; `nil` for what is no
  /// such expression.
  func literals(ofLet node: LooseText.Node) -> [Range<Int>]? {
    guard node.kind == .string, isMachine, let name = text.name(of: node) else { return nil }
    let around = text.names(around: node)
    let owner = around == ["let", nil] ? name : name == "is" && around.dropFirst() == ["let", nil] ? around[0] : nil
    guard let owner, names.index(of: owner) ?? names.index(of: owner.lowercased()) != nil,
      text.words(node.range).contains(where: readable.contains)
    else { return nil }
    // A backslash is that of a quotation mark.
    return text.bytes[node.range].contains(UInt8(ascii: "\\"))
      ? plainParts(of: node.range) : literals(ofExpressionsIn: node.range)
  }

  private func literals(ofExpressionsIn range: Range<Int>) -> [Range<Int>] {
    let quote = UInt8(ascii: "'")
    var found: [Range<Int>] = []
    var index = range.lowerBound
    while let open = text.bytes[index..<range.upperBound].firstIndex(of: quote),
      let close = text.bytes[(open + 1)..<range.upperBound].firstIndex(of: quote)
    {
      let before = text.bytes[range.lowerBound..<open]
      let isName = ["fresh(", "newId("].contains { before.suffix($0.utf8.count).elementsEqual($0.utf8) }
      let isMember =
        text.bytes[(close + 1)..<range.upperBound].first { $0 > 0x20 } == UInt8(ascii: ":") && Self.beginsMember(before)
      if !isName, !isMember, !Self.beginsIndex(before), close - open > 4 { found.append(open + 1..<close) }
      index = close + 1
    }
    return found
  }

  /// Whether a member of a map begins behind this, and no branch of a choice does.
  private static func beginsMember(_ before: ArraySlice<UInt8>) -> Bool {
    let signs = before.reversed().lazy.filter { $0 > 0x20 }.prefix(2)
    let isOptional = signs.first == UInt8(ascii: "?")
    guard let sign = isOptional ? signs.dropFirst().first : signs.first else { return false }
    return sign == UInt8(ascii: "{") || sign == UInt8(ascii: ",")
  }

  /// Whether an index begins behind this, and no list does.
  private static func beginsIndex(_ before: ArraySlice<UInt8>) -> Bool {
    guard before.last == UInt8(ascii: "["), let sign = before.dropLast().last else { return false }
    let word = before.dropLast().suffix(3)
    if word.suffix(2).elementsEqual("in".utf8), word.count < 3 || !(word.first?.isOfWord ?? false) { return false }
    return sign.isOfWord || sign == UInt8(ascii: "]") || sign == UInt8(ascii: ")")
  }

  func isOfCondition(_ node: LooseText.Node) -> Bool {
    let name = text.name(of: node) ?? text.names(around: node).first.flatMap(\.self)
    return isMachine && name.map(["when", "all", "any", "not"].contains) == true
  }

  /// A condition without the `==` before what is only read: no secret is written out there.
  func withoutComparisons(_ condition: String) -> String {
    var bytes = Array(condition.utf8)
    var index = 0
    while let sign = bytes[index...].firstRange(of: "==".utf8) {
      let path = bytes[sign.upperBound...].drop { $0 == UInt8(ascii: " ") }
        .prefix { $0.isIdentifierPart || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "?") }
      if Self.isPath(path.filter { $0 != UInt8(ascii: "?") }) {
        bytes.replaceSubrange(sign, with: "  ".utf8)
      }
      index = sign.upperBound
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether something stands behind a name: what lacks its value is not known to be no data.
  func hasValue(_ name: Range<Int>) -> Bool {
    let rest = text.bytes[name.upperBound...].dropFirst().drop { $0 <= 0x20 }
    guard rest.first == UInt8(ascii: ":") else { return true }
    return rest.dropFirst().first { $0 > 0x20 }.map { !"}],:".utf8.contains($0) } ?? false
  }
}
