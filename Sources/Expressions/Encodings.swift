/// Base64 with the alphabet for URLs and file names and without padding (RFC 4648 §5).
package func base64URL(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  var result: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    bits <<= UInt32(8 * (3 - group.count))
    for index in 0...group.count { result.append(alphabet[Int(bits >> UInt32(18 - 6 * index)) & 63]) }
  }
  return String(decoding: result, as: UTF8.self)
}

/// The bytes that base64url stands for; `nil` when it is none.
///
/// Padding is refused, as JWTs have none.
package func bytes(ofBase64URL text: some StringProtocol) -> [UInt8]? {
  var result: [UInt8] = []
  var bits: UInt32 = 0
  var count = 0
  for byte in text.utf8 {
    let value: UInt8
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): value = 62
    case UInt8(ascii: "_"): value = 63
    default: return nil
    }
    bits = bits << 6 | UInt32(value)
    count += 6
    if count >= 8 {
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }
  return count == 6 ? nil : result
}

/// Percent-encodes everything but RFC 3986's unreserved characters (§2.3).
package func percentEncoded(_ text: String) -> String { percentEncoded(text, keeping: "-.~") }

/// A segment of a path as it stands in an address: what has no meaning of its own there stays (RFC 3986 §3.3).
package func pathEncoded(_ text: String) -> String { percentEncoded(text, keeping: "-.~!$&'()*+,;=:@") }

private func percentEncoded(_ text: String, keeping signs: String) -> String {
  let hexadecimal = Array("0123456789ABCDEF".utf8)
  var result: [UInt8] = []
  for byte in text.utf8 {
    if Lexer.startsName(byte) || Lexer.isDigit(byte) || signs.utf8.contains(byte) {
      result.append(byte)
    } else {
      result.append(contentsOf: [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]])
    }
  }
  return String(decoding: result, as: UTF8.self)
}
