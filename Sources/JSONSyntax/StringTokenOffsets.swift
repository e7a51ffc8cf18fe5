/// Where the characters of a decoded JSON string stand in its document, escapes considered.
package struct StringTokenOffsets: Sendable {
  /// The document offset of every byte of the decoded string, and of its end.
  private let offsets: [Int]

  /// Reads the token again; `range` is a string that the parser accepted, quotes included.
  package init(ofStringToken range: Range<Int>, in bytes: [UInt8]) {
    var offsets: [Int] = []
    let end = max(range.lowerBound + 1, range.upperBound - 1)
    var reader = JSONReader(bytes: bytes, within: range.lowerBound + 1..<end, purpose: .written, maximumDepth: 0)
    while let byte = reader.byte {
      let start = reader.position
      let scalar = byte == UInt8(ascii: "\\") ? try? reader.readEscape(openedAt: start) : nil
      if scalar == nil { reader.position = start + 1 }
      offsets += repeatElement(start, count: scalar.map(UTF8.width) ?? 1)
    }
    offsets.append(end)
    self.offsets = offsets
  }

  /// The document's range for a range of UTF-8 offsets in the decoded string; offsets beyond it count as its end.
  package func documentRange(_ decoded: Range<Int>) -> Range<Int> {
    documentOffset(decoded.lowerBound)..<documentOffset(decoded.upperBound)
  }

  package func documentOffset(_ decoded: Int) -> Int { offsets[min(max(decoded, 0), offsets.count - 1)] }
}
