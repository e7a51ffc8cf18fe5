extension Text {
  /// The same text with what is known in it changed, stretch by stretch; marks are kept, what is fresh stays as it is.
  package func mappingKnown(_ change: (String) -> String) -> Text {
    switch form {
    case .plain(let plain): return Text(change(plain.string))
    case .whole: return self
    case .mixed: break
    }
    let cuts = Set(spans.flatMap { [$0.range.lowerBound, $0.range.upperBound] } + [0, string.utf8.count]).sorted()
    var result = TextBuilder()
    for piece in slices(zip(cuts, cuts.dropFirst()).map { $0..<$1 }) {
      // A secret may cover a part of a fresh value: then all stays as it is.
      guard let piece else { return self }
      result.append(piece.hasOrigin ? piece : Text(change(piece.string)).markedWhole(like: piece))
    }
    return result.text
  }

  /// The UTF-8 offset of a scalar, `nil` beyond the end.
  func offset(ofScalar index: Int) -> Int? {
    guard index >= 0 else { return nil }
    let scalars = string.unicodeScalars
    guard let place = scalars.index(scalars.startIndex, offsetBy: index, limitedBy: scalars.endIndex) else {
      return nil
    }
    return string.utf8.distance(from: string.startIndex, to: place)
  }

  /// Where the first origin starts, the end when there is none; what stands before it is known.
  var knownEnd: Int {
    spans.first { if case .origin = $0.kind { true } else { false } }?.range.lowerBound ?? string.utf8.count
  }

  /// How many scalars stand before the first origin; zero where there is none.
  private var knownLength: Int { hasOrigin ? string.utf8.prefix(knownEnd).count { $0 & 0xC0 != 0x80 } : 0 }

  /// `substring`, by Unicode scalars.
  func substring(from start: Int, to end: Int?, at range: Range<Int>) throws(EvaluationError) -> Text {
    if let end, end < start { throw .outOfRange("the end of substring, which is before its start,", at: range) }
    let wholeEnd = string.utf8.count
    guard let from = offset(ofScalar: start), let to = end.map({ offset(ofScalar: $0) }) ?? wholeEnd else {
      if hasOrigin, start >= 0 { throw .looksIntoFresh("substring", at: range) }
      throw .outOfRange("an index of substring", at: range)
    }
    // Offsets behind an origin depend on its length, which is not known.
    guard from <= knownEnd, end == nil || to <= knownEnd, let slice = slice(from..<to) else {
      throw .looksIntoFresh("substring", at: range)
    }
    return slice
  }

  /// Without white space at both ends (Unicode's White_Space).
  func trimmed(at range: Range<Int>) throws(EvaluationError) -> Text {
    let scalars = string.unicodeScalars
    var start = 0
    for scalar in scalars {
      if !scalar.properties.isWhitespace { break }
      start += UTF8.width(scalar)
    }
    var end = string.utf8.count
    for scalar in scalars.reversed() where end > start {
      if !scalar.properties.isWhitespace { break }
      end -= UTF8.width(scalar)
    }
    for span in spans {
      if case .origin = span.kind, span.range.lowerBound <= start || span.range.upperBound >= end {
        throw .looksIntoFresh("trim", at: range)
      }
    }
    return slice(start..<end) ?? self
  }

  /// The pieces between the separators, at most `limit`; an empty separator cuts between scalars, and what is empty into none.
  func split(_ separator: Text, limit: Int, at range: Range<Int>) throws(EvaluationError) -> [Value] {
    if hasOrigin || separator.hasOrigin { throw .looksIntoFresh("split", at: range, behind: knownLength) }
    if limit == 0 || (isEmpty && separator.isEmpty) { return [] }
    if case .plain(let plain) = form, separator.string.utf8.count == 1, let byte = separator.string.utf8.first {
      return Self.split(plain, byte, limit: limit)
    }
    var cuts: [Range<Int>] = []
    for cut in occurrences(of: separator.string) {
      if limit > 0, cuts.count >= limit - 1 { break }
      cuts.append(cut)
    }
    let starts = [0] + cuts.map(\.upperBound)
    let ends = cuts.map(\.lowerBound) + [string.utf8.count]
    return slices(zip(starts, ends).map { $0..<$1 }).compactMap { $0.map { .string($0) } }
  }

  /// At an ASCII character, which is no part of any other.
  private static func split(_ plain: Plain, _ byte: UInt8, limit: Int) -> [Value] {
    var string = plain.string
    return string.withUTF8 { bytes in
      var count = 1
      for index in bytes.indices where bytes[index] == byte { count += 1 }
      var pieces: [Value] = []
      pieces.reserveCapacity(limit > 0 ? min(count, limit) : count)
      var start = 0
      func cut(to end: Int) {
        let piece = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        pieces.append(.string(Text(piece, of: plain)))
        start = end + 1
      }
      for index in bytes.indices where bytes[index] == byte && (limit < 0 || pieces.count < limit - 1) {
        cut(to: index)
      }
      cut(to: bytes.count)
      return pieces
    }
  }

  /// Other text in place of each of the first `limit` occurrences.
  func replacing(_ old: Text, by new: Text, limit: Int, at range: Range<Int>) throws(EvaluationError) -> Text {
    if hasOrigin || old.hasOrigin || new.hasOrigin { throw .looksIntoFresh("replace", at: range, behind: knownLength) }
    let bytes = Array(string.utf8)
    var places = occurrences(of: old.string)
    if old.isEmpty { places = [0..<0] + places + (bytes.isEmpty ? [] : [bytes.count..<bytes.count]) }
    if limit >= 0 { places = Array(places.prefix(limit)) }
    var result: [UInt8] = []
    var start = 0
    for place in places {
      result += bytes[start..<place.lowerBound]
      result += new.string.utf8
      start = place.upperBound
      // Replacing in what was replaced grows without bounds otherwise.
      if result.count > 16 << 20 { throw .tooCostly(at: range) }
    }
    return Text(String(decoding: result + bytes[start...], as: UTF8.self)).markedWhole(like: self, old, new)
  }

  /// UTF-8 ranges from the left that do not overlap; of an empty text the places between scalars.
  ///
  /// Knuth, Morris and Pratt: no byte is looked at more than twice, whatever the texts repeat.
  func occurrences(of other: String) -> [Range<Int>] {
    let bytes = Array(string.utf8)
    let sought = Array(other.utf8)
    if sought.isEmpty { return bytes.indices.dropFirst().filter { bytes[$0] & 0xC0 != 0x80 }.map { $0..<$0 } }
    // How much of what is sought ends with each of its bytes, other than from its start on.
    var again = [0]
    func matched(_ count: Int, then byte: UInt8) -> Int {
      var count = count
      while count > 0, sought[count] != byte { count = again[count - 1] }
      return sought[count] == byte ? count + 1 : 0
    }
    for byte in sought.dropFirst() { again.append(matched(again[again.count - 1], then: byte)) }
    var found: [Range<Int>] = []
    var count = 0
    for index in bytes.indices where bytes.count >= sought.count {
      count = matched(count, then: bytes[index])
      guard count == sought.count else { continue }
      found.append(index + 1 - count..<index + 1)
      count = 0
    }
    return found
  }

  /// Whether `other` stands in it.
  func contains(_ other: Text, at range: Range<Int>) throws(EvaluationError) -> Bool {
    if hasOrigin || other.hasOrigin { throw .looksIntoFresh("contains", at: range) }
    return other.isEmpty || !occurrences(of: other.string).isEmpty
  }
}
