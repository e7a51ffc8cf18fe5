/// Where the characters of a decoded JSON string stand in its document, escapes considered.
package struct StringTokenOffsets: Sendable {
  /// The document offset of every byte of the decoded string, and of its end.
  private let offsets: [Int]

  /// Reads the token again; `range` is a string that the parser accepted, quotes included.
  package init(ofStringToken range: Range<Int>, in bytes: [UInt8]) {
    var offsets: [Int] = []
    var position = range.lowerBound + 1
    let end = max(position, range.upperBound - 1)
    while position < end {
      let start = position
      let width: Int
      if bytes[position] == UInt8(ascii: "\\") {
        (width, position) = Self.escape(at: position, end: end, in: bytes)
      } else {
        (width, position) = (1, position + 1)
      }
      for _ in 0..<width { offsets.append(start) }
    }
    offsets.append(end)
    self.offsets = offsets
  }

  /// The document's range for a range of UTF-8 offsets in the decoded string; offsets beyond it count as its end.
  package func documentRange(_ decoded: Range<Int>) -> Range<Int> {
    documentOffset(decoded.lowerBound)..<documentOffset(decoded.upperBound)
  }

  package func documentOffset(_ decoded: Int) -> Int { offsets[min(max(decoded, 0), offsets.count - 1)] }

  /// How many bytes an escape stands for, and where it ends.
  private static func escape(at start: Int, end: Int, in bytes: [UInt8]) -> (width: Int, end: Int) {
    guard start + 6 <= end, bytes[start + 1] == UInt8(ascii: "u") else { return (1, min(start + 2, end)) }
    let digits = String(decoding: bytes[(start + 2)..<(start + 6)], as: UTF8.self)
    let unit = UInt16(digits, radix: 16) ?? 0
    if let scalar = Unicode.Scalar(unit) { return (UTF8.width(scalar), start + 6) }
    return (4, min(start + 12, end))
  }
}
