extension WrittenSecrets {
  /// The strings that the expressions of a template write out, but for the names that `fresh` and `newId` give and those
  /// of rows.
  func literals(in range: Range<Int>) -> [Range<Int>] {
    let plain = plainParts(of: range)
    var found: [Range<Int>] = []
    var index = range.lowerBound
    while let open = text.bytes[index..<range.upperBound].firstIndex(of: UInt8(ascii: "'")) {
      let part = plain.first { $0.contains(open) }
      guard part == nil else {
        index = part?.upperBound ?? range.upperBound
        continue
      }
      let end = text.bytes[(open + 1)..<range.upperBound].firstIndex(of: UInt8(ascii: "'")) ?? range.upperBound
      let before = text.bytes[range.lowerBound..<open]
      let isName = ["fresh(", "newId(", "["].contains { before.suffix($0.utf8.count).elementsEqual($0.utf8) }
      if !isName, end > open + 1 { found.append(open + 1..<end) }
      index = min(end + 1, range.upperBound)
    }
    return found
  }

  /// Whether something stands behind a name: what lacks its value is not known to be no data.
  func hasValue(_ name: Range<Int>) -> Bool {
    let rest = text.bytes[name.upperBound...].dropFirst().drop { $0 <= 0x20 }
    guard rest.first == UInt8(ascii: ":") else { return true }
    return rest.dropFirst().first { $0 > 0x20 }.map { !"}],:".utf8.contains($0) } ?? false
  }
}
