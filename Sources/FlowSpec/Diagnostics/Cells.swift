extension String {
  /// How many cells of a terminal it takes.
  package var cells: Int { self[...].cells }
}

extension Substring {
  /// How many cells of a terminal it takes.
  package var cells: Int {
    var cells = 0
    for scalar in unicodeScalars {
      switch scalar.value {
      // Letters, signs and arrows of one cell each, as nearly all are.
      case 0x20..<0x7F, 0xA1..<0x300, 0x2010..<0x2028, 0x2190..<0x2300: cells += 1
      // A part of a string looks back for where each character begins, through all the flags that stand before it.
      default: return String(self).reduce(0) { $0 + $1.cells }
      }
    }
    return cells
  }

  /// Its beginning that takes so many cells at most, but one character at least.
  package func prefix(cells most: Int) -> Substring {
    var (end, taken) = (startIndex, 0)
    while end < endIndex {
      taken += self[end].cells
      if taken > most, end > startIndex { break }
      end = index(after: end)
    }
    return self[..<end]
  }
}

extension Character {
  /// Two for East Asian wide characters (Unicode Standard Annex #11) and emoji, one for all others.
  var cells: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    if scalar.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") { return 2 }
    let wide: [ClosedRange<UInt32>] = [
      0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }
}
