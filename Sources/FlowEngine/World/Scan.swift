import Expressions

/// Finds delimiters in a text outside of what is fresh.
struct Scan {
  let text: Text
  let bytes: [UInt8]
  private let opaque: [Range<Int>]

  init(_ text: Text) {
    self.text = text
    bytes = Array(text.string.utf8)
    opaque = text.spans.compactMap { if case .origin = $0.kind { $0.range } else { nil } }
  }

  var count: Int { bytes.count }

  /// Whether nothing fresh stands in a range.
  func isKnown(_ range: Range<Int>) -> Bool { !opaque.contains { $0.overlaps(range) } }

  func first(of delimiters: Unicode.Scalar..., from start: Int, before end: Int? = nil) -> Int? {
    let end = end ?? bytes.count
    var index = start
    // Spans stand in order, and do not overlap.
    var spans = opaque.firstIndex(behind: start)
    while index < end {
      if spans < opaque.count, opaque[spans].lowerBound <= index {
        index = max(index, opaque[spans].upperBound)
        spans += 1
        continue
      }
      let byte = bytes[index]
      if delimiters.contains(where: { $0.value == UInt32(byte) }) { return index }
      index += 1
    }
    return nil
  }

  func has(_ string: String, at start: Int) -> Bool { bytes.dropFirst(start).starts(with: string.utf8) }

  func split(_ range: Range<Int>, at delimiter: Unicode.Scalar) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = range.lowerBound
    while let end = first(of: delimiter, from: start, before: range.upperBound) {
      pieces.append(start..<end)
      start = end + 1
    }
    return pieces + [start..<range.upperBound]
  }

  /// A piece with its percent-encoding undone; marks are kept, and whole where something was undone.
  func decoded(_ range: Range<Int>, plus: Bool = false) -> Text {
    guard let piece = text.slice(range) else { return Text("") }
    let encoded = bytes[range].contains(UInt8(ascii: "%")) || (plus && bytes[range].contains(UInt8(ascii: "+")))
    guard encoded, !piece.hasOrigin else { return piece }
    return Text(percentDecoded(piece.string, plus: plus).text).markedWhole(like: piece)
  }
}

extension [Range<Int>] {
  /// Whether one of them, which stand in order, overlaps a range.
  func overlap(_ range: Range<Int>) -> Bool {
    let index = firstIndex(behind: range.lowerBound)
    return index < count && self[index].overlaps(range)
  }

  /// The first range in order that ends behind a position.
  fileprivate func firstIndex(behind position: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
