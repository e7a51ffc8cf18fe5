/// A document's bytes, and where its lines are.
package struct SourceText: Sendable {
  /// A place as people count it: both from 1, columns in characters.
  package struct Position: Sendable, Hashable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
      (self.line, self.column) = (line, column)
    }
  }

  package let bytes: [UInt8]
  /// Offsets of the first byte of each line; never empty.
  private let lineStarts: [Int]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
    lineStarts = starts
  }

  /// The place of a byte; one beyond the end counts as the end.
  package func position(of offset: Int) -> Position {
    let offset = min(max(offset, 0), bytes.count)
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let before = lineStarts[low]..<offset
    // Nobody counts characters in a line of megabytes; scalars are counted much faster.
    let column = before.count < 10_000 ? text(in: before).count : bytes[before].count(where: { $0 & 0xC0 != 0x80 })
    return Position(line: low + 1, column: column + 1)
  }

  /// The bytes of a line, counted from 1, without its end.
  package func lineRange(_ number: Int) -> Range<Int> {
    guard lineStarts.indices.contains(number - 1) else { return bytes.count..<bytes.count }
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }

  /// The text of a range; what is no UTF-8 is shown as the replacement character.
  package func text(in range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }
}
