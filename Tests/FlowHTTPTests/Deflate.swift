/// Compressed bodies, made by hand (RFC 1951, RFC 1952).
enum Deflate {
  private static let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  /// A text in one stored block, so many times over.
  static func gzip(_ text: String, times: Int = 1) -> [UInt8] {
    (0..<times).reduce(Array(text.utf8)) { bytes, _ in
      let (count, sum) = (UInt16(bytes.count), checksum(bytes))
      return gzipHead + [1] + [count, ~count].flatMap(littleEndian) + bytes
        + [sum, UInt32(count)].flatMap(littleEndian)
    }
  }

  /// A little over `count` zeros in a thousandth of the room; nothing behind them, not even the end.
  static func zeros(_ count: Int) -> [UInt8] {
    var bits: [Bool] = []
    // The last block, with fixed codes; the literal 0; then "258 bytes, from 1 byte ago" again and again.
    bits += [true, true, false] + code(0b0011_0000, 8)
    let again = code(0b1100_0101, 8) + code(0, 5)
    // Thirteen bits eight times are thirteen bytes.
    let unit = (0..<8).flatMap { _ in again }
    let lead = (0..<5).flatMap { _ in again }
    bits += lead
    let start = bytes(Array(bits.prefix(bits.count / 8 * 8)))
    let shift = bits.count % 8
    let period = bytes(Array((bits.suffix(shift) + unit).prefix(104)))
    var all = gzipHead + start
    for _ in 0..<(count / (258 * 8) + 1) { all += period }
    return all
  }

  /// Codes stand with their most significant bit first.
  private static func code(_ value: Int, _ count: Int) -> [Bool] {
    (0..<count).reversed().map { value >> $0 & 1 == 1 }
  }

  /// The first bit is the lowest of its byte.
  private static func bytes(_ bits: [Bool]) -> [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 | (bits[start + $1] ? 1 << $1 : 0) }
    }
  }

  private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
  }
}
