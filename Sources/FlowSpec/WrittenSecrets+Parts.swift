import Expressions

extension WrittenSecrets {
  /// The strings that the expressions of a template write out, but for short ones, members of maps, the names that `fresh`
  /// and `newId` give and those of rows.
  func literals(in range: Range<Int>) -> [Range<Int>] {
    let plain = plainParts(of: range)
    let starts = [range.lowerBound] + plain.map(\.upperBound)
    let ends = plain.map(\.lowerBound) + [range.upperBound]
    return zip(starts, ends).filter { $0 < $1 }.flatMap { literals(ofExpressionsIn: $0..<$1) }
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
    return sign.isOfWord || sign == UInt8(ascii: "]") || sign == UInt8(ascii: ")")
  }

  /// Whether something stands behind a name: what lacks its value is not known to be no data.
  func hasValue(_ name: Range<Int>) -> Bool {
    let rest = text.bytes[name.upperBound...].dropFirst().drop { $0 <= 0x20 }
    guard rest.first == UInt8(ascii: ":") else { return true }
    return rest.dropFirst().first { $0 > 0x20 }.map { !"}],:".utf8.contains($0) } ?? false
  }
}
