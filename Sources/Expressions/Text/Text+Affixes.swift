extension Text {
  /// A stretch of a text: known bytes, or one origin.
  private enum Piece: Equatable {
    case byte(UInt8)
    case origin(Origin)
  }

  private var pieces: [Piece] {
    var result: [Piece] = []
    var position = 0
    let bytes = Array(string.utf8)
    for span in spans {
      guard case .origin(let origin) = span.kind, span.range.lowerBound >= position else { continue }
      result += bytes[position..<span.range.lowerBound].map(Piece.byte)
      result.append(.origin(origin))
      position = span.range.upperBound
    }
    return result + bytes[position...].map(Piece.byte)
  }

  /// Whether it starts with `prefix`, as far as that can be told without looking into what is fresh.
  func hasPrefix(_ prefix: Text, at range: Range<Int>) throws(EvaluationError) -> Bool {
    guard hasOrigin || prefix.hasOrigin else { return string.utf8.starts(with: prefix.string.utf8) }
    return try Self.starts(pieces, with: prefix.pieces, "startsWith", at: range)
  }

  func hasSuffix(_ suffix: Text, at range: Range<Int>) throws(EvaluationError) -> Bool {
    guard hasOrigin || suffix.hasOrigin else {
      return string.utf8.reversed().starts(with: suffix.string.utf8.reversed())
    }
    return try Self.starts(pieces.reversed(), with: suffix.pieces.reversed(), "endsWith", at: range)
  }

  private static func starts(
    _ pieces: [Piece], with sought: [Piece], _ what: String, at range: Range<Int>
  ) throws(EvaluationError) -> Bool {
    for (index, piece) in sought.enumerated() {
      guard index < pieces.count else { return false }
      switch (pieces[index], piece) {
      case (let left, let right) where left == right: continue
      case (.byte, .byte): return false
      // Two fresh values have the same length and are never equal.
      case (.origin(.fresh), .origin(.fresh)): return false
      default: throw .looksIntoFresh(what, at: range)
      }
    }
    return true
  }
}
