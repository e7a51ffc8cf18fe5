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

  /// The strings that the expressions of a template write out, but for short ones, members of maps, and what may have been
  /// chosen as a name that `fresh` or `newId` gives or as that of a row.
  func literals(in range: Range<Int>) -> [Range<Int>] {
    templates(in: range).flatMap { literals(ofExpressionIn: $0) }
  }

  /// What lies between the plain parts of a text: each `${…}`.
  func templates(in range: Range<Int>) -> [Range<Int>] {
    let plain = plainParts(of: range)
    let starts = [range.lowerBound] + plain.map(\.upperBound)
    let ends = plain.map(\.lowerBound) + [range.upperBound]
    return zip(starts, ends).compactMap { $0 < $1 ? $0..<$1 : nil }
  }

  /// Of one in which something is escaped all between its braces: a quotation mark may be.
  func literals(ofExpressionIn range: Range<Int>, shortest: Int = 4) -> [Range<Int>] {
    guard text.bytes[range].contains(UInt8(ascii: "\\")) else {
      return literals(ofExpressionsIn: range, shortest: shortest)
    }
    let opens = text.bytes[range].starts(with: "${".utf8) ? 2 : 0
    let closes = text.bytes[range].last == UInt8(ascii: "}") ? 1 : 0
    let inner = range.lowerBound + opens..<max(range.lowerBound + opens, range.upperBound - closes)
    return inner.isEmpty ? [] : [inner]
  }

  /// What the expressions of a text give to a secret member of a map that they write out, `{'pin': '4711'}`, and all behind
  /// it; what they hold against a secret.
  func literals(ofTemplate range: Range<Int>) -> [Range<Int>] {
    templates(in: range).flatMap { template -> [Range<Int>] in
      let start = min(template.lowerBound + 2, template.upperBound)
      let inner = start..<max(start, template.upperBound - 1)
      if inner.isEmpty { return [] }
      // Of what is no UTF-8 no place can be told.
      guard let written = String(validating: text.bytes[inner], as: UTF8.self) else { return [inner] }
      let member = NamedPlaces.places(in: withoutComparisons(written), under: names).first
      let compared = written.contains("==") || written.contains("!=") ? literals(ofCondition: inner) : []
      return member.map { [inner.lowerBound + $0.range.lowerBound..<inner.upperBound] } ?? compared
    }
  }

  /// What a condition writes out in a part of it that names a secret too, as between two `&&`; `nil` for what cannot be
  /// one.
  func literals(ofCondition node: LooseText.Node) -> [Range<Int>]? {
    guard node.kind == .string else { return nil }
    if isOfCondition(node) { return literals(ofCondition: node.range) }
    guard mayBeCondition(node) else { return nil }
    return plainParts(of: node.range).flatMap(literals(ofCondition:)) + literals(ofTemplate: node.range)
  }

  private func literals(ofCondition range: Range<Int>) -> [Range<Int>] {
    // Escapes may hide where a text ends.
    let parts = text.bytes[range].contains(UInt8(ascii: "\\")) ? [range] : self.parts(ofCondition: range)
    return parts.filter { isOfSecret(words($0)) && !writesNamesAlone($0) }
      .flatMap { literals(ofExpressionIn: $0, shortest: 1) }
  }

  /// The words of an expression, but for those in `'urn:…'`, which is a name that everybody knows: that of a grant (RFC 8628
  /// §3.4) has the name of what is sent for it.
  private func words(_ range: Range<Int>) -> [String] {
    var words: [String] = []
    var start = range.lowerBound
    var sought = start
    while let found = text.bytes[sought..<range.upperBound].firstRange(of: "'urn:".utf8) {
      let inside = text.bytes[found.upperBound..<range.upperBound]
      sought = inside.firstIndex { !($0.isLetter || $0.isDigit || ":-._".utf8.contains($0)) } ?? range.upperBound
      // In brackets it is a name by which something is read, or one of several texts.
      let before = text.bytes[range.lowerBound..<found.lowerBound].last { $0 != UInt8(ascii: "?") }
      guard sought < range.upperBound, text.bytes[sought] == UInt8(ascii: "'"), before != UInt8(ascii: "[") else {
        continue
      }
      words += text.words(start..<found.lowerBound)
      start = sought
    }
    return words + text.words(start..<range.upperBound)
  }

  /// Whether all that it writes out are names of secrets that something else is held against, as in
  /// `grant_type == 'refresh_token'` (RFC 6749 §6): the name is no secret.
  private func writesNamesAlone(_ range: Range<Int>) -> Bool {
    let pieces = text.bytes[range].split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    guard !text.bytes[range].contains(UInt8(ascii: "\\")), !pieces.count.isMultiple(of: 2) else { return false }
    // Every other piece stands between quotation marks.
    let areNames = pieces.indices.filter { !$0.isMultiple(of: 2) }.allSatisfy { index in
      let before = pieces[index - 1].reversed().drop { $0 <= 0x20 }
      let isCompared = before.starts(with: "==".utf8) || before.starts(with: "=!".utf8)
      return pieces[index].isEmpty || isCompared && isOfSecret([String(decoding: pieces[index], as: UTF8.self)])
    }
    let around = pieces.indices.filter { $0.isMultiple(of: 2) }.map { pieces[$0] }
    return areNames && !isOfSecret(around.flatMap { text.words($0.startIndex..<$0.endIndex) })
  }

  /// Whether a secret is among the words of an expression, or a let that reads one.
  func isOfSecret(_ words: [String]) -> Bool { !secrets(among: words).isEmpty }

  /// Those of them that are names of secrets, or of lets that read one.
  func secrets(among words: [String]) -> Set<String> {
    var secrets = Set(words.filter { names.index(of: $0) != nil || lets.ofSecrets.contains($0) })
    // What a challenge says of its scheme is none.
    if secrets.contains("bearer"), words.contains("challenge") { secrets.remove("bearer") }
    return secrets
  }

  /// Whether it names something that expressions read, `response.json.token` or `{store.?token}`, as whoever has forgotten
  /// the `${ }` or its sign does.
  static func isPath(_ bytes: some Sequence<UInt8>) -> Bool {
    let inner = bytes.drop { "${".utf8.contains($0) }.reversed().drop { $0 == UInt8(ascii: "}") }.reversed()
    var names = inner.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    for index in names.indices.dropFirst() where names[index].first == UInt8(ascii: "?") { names[index].removeFirst() }
    let roots: [StaticString] = ["response", "request", "event", "result", "store", "memory", "config"]
    return names.count > 1 && names.allSatisfy { $0.first?.isLetter == true && $0.allSatisfy(\.isIdentifierPart) }
      && roots.contains { root in root.withUTF8Buffer { names[0].elementsEqual($0) } }
  }

  /// What stands between `&&`, `||` and the signs of a choice, outside of texts and brackets.
  func parts(ofCondition range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var (start, depth, isQuoted) = (range.lowerBound, 0, false)
    for index in range {
      let byte = text.bytes[index]
      if byte == UInt8(ascii: "'") { isQuoted.toggle() }
      if isQuoted { continue }
      if "([{".utf8.contains(byte) { depth += 1 }
      if ")]}".utf8.contains(byte) { depth -= 1 }
      let isLogic = byte == UInt8(ascii: "&") || byte == UInt8(ascii: "|")
      let isChoice = byte == UInt8(ascii: "?") || byte == UInt8(ascii: ":")
      guard depth <= 0, index > start, isLogic || isChoice,
        text.bytes[index - 1] == (isLogic ? byte : UInt8(ascii: " "))
      else { continue }
      parts.append(start..<index - 1)
      start = index + 1
    }
    return (parts + [min(start, range.upperBound)..<range.upperBound]).filter { !$0.isEmpty }
  }

  /// One that has no end goes on to that of the text.
  func literals(ofExpressionsIn range: Range<Int>, shortest: Int = 4) -> [Range<Int>] {
    let quote = UInt8(ascii: "'")
    var found: [Range<Int>] = []
    var index = range.lowerBound
    while index < range.upperBound, let open = text.bytes[index..<range.upperBound].firstIndex(of: quote) {
      let close = text.bytes[(open + 1)..<range.upperBound].firstIndex(of: quote) ?? range.upperBound
      let before = text.bytes[range.lowerBound..<open]
      let isName = Mint.functions.contains { Self.ends(before, with: $0 + "(") }
      let isMember =
        text.bytes[min(close + 1, range.upperBound)..<range.upperBound].first { $0 > 0x20 } == UInt8(ascii: ":")
        && Self.beginsMember(before)
      let said = text.bytes[open + 1..<close]
      // What reads like `store.token`, in braces or not, is a mistake and no secret.
      let isRead = Self.isPath(said)
      let isShort = said.count < shortest
      // Nobody would have chosen a secret as a name.
      let isChosen = (isName || Self.beginsIndex(before)) && text.text(open + 1..<close).mayBeChosen
      if !isMember, !isRead, !isShort, !isChosen { found.append(open + 1..<close) }
      index = close + 1
    }
    return found
  }

  private static func ends(_ before: ArraySlice<UInt8>, with call: String) -> Bool {
    before.suffix(call.utf8.count).elementsEqual(call.utf8)
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

  /// Whether it is an expression without `${ }`: a condition, or a let.
  func isOfCondition(_ node: LooseText.Node) -> Bool {
    guard isMachine else { return false }
    if nameOfLet(node) != nil { return true }
    let name = text.name(of: node) ?? text.names(around: node).first.flatMap(\.self)
    return name.map(["when", "all", "any", "not"].contains) == true
  }

  /// Whether it writes something out under a name that may be one of these, misspelt.
  private func mayBeCondition(_ node: LooseText.Node) -> Bool {
    guard isMachine, text.bytes[node.range].contains(where: { "'\\".utf8.contains($0) }) else { return false }
    let name = text.name(of: node) ?? text.names(around: node, most: 1).first.flatMap(\.self)
    return name.map { !Self.ofAll.contains($0) } == true
  }

  /// An expression without its `==`, which is no sign between a name and its value, unless a number stands behind it.
  func withoutComparisons(_ expression: String) -> String {
    var bytes = Array(expression.utf8)
    var index = 0
    while index + 1 < bytes.count {
      guard bytes[index] == UInt8(ascii: "="), bytes[index + 1] == UInt8(ascii: "=") else {
        index += 1
        continue
      }
      let next = bytes[(index + 2)...].first { $0 != UInt8(ascii: " ") }
      if !(next.map { $0.isDigit || $0 == UInt8(ascii: "-") } ?? false) {
        (bytes[index], bytes[index + 1]) = (UInt8(ascii: " "), UInt8(ascii: " "))
      }
      index += 2
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
