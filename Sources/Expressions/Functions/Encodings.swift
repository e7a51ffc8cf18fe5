import JSONSyntax

/// Base64 with the alphabet for URLs and file names and without padding (RFC 4648 §5).
package func base64URL(_ bytes: [UInt8]) -> String {
  String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { buffer in
    var count = 0
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let length = min(3, bytes.count - start)
      var bits: UInt32 = 0
      for index in 0..<3 { bits = bits << 8 | (index < length ? UInt32(bytes[start + index]) : 0) }
      for index in 0...length {
        buffer[count] = base64URLLetters[Int(bits >> UInt32(18 - 6 * index)) & 63]
        count += 1
      }
    }
    return count
  }
}

private let base64URLLetters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

/// The bytes that base64url stands for; `nil` when it is none.
///
/// Padding is refused, as JWTs have none.
package func bytes(ofBase64URL text: some StringProtocol) -> [UInt8]? {
  var result: [UInt8] = []
  var bits: UInt32 = 0
  var count = 0
  for byte in text.utf8 {
    guard let value = base64URLLetters.firstIndex(of: byte) else { return nil }
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
package func percentEncoded(_ text: String) -> String { percentEncoded(text, but: .unreserved) }

/// A segment of a path as it stands in an address.
package func pathEncoded(_ text: String) -> String { percentEncoded(text, but: .ofPath) }

/// What percent-encoding stands for (RFC 3986 §2.1), and whether all of it is valid: what is not stays as it is, and bytes
/// that are no UTF-8 become U+FFFD.
package func percentDecoded(_ string: String, plus: Bool = false) -> (text: String, isValid: Bool) {
  if !plus, !string.utf8.contains(UInt8(ascii: "%")) { return (string, true) }
  let bytes = Array(string.utf8)
  var (decoded, isValid, index) = ([UInt8](), true, 0)
  while index < bytes.count {
    if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = nibble(bytes[index + 1]),
      let low = nibble(bytes[index + 2])
    {
      decoded.append(high << 4 | low)
      index += 3
    } else {
      isValid = isValid && bytes[index] != UInt8(ascii: "%")
      decoded.append(plus && bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
      index += 1
    }
  }
  if let text = String(validating: decoded, as: UTF8.self) { return (text, isValid) }
  return (String(decoding: decoded, as: UTF8.self), false)
}

private func nibble(_ byte: UInt8) -> UInt8? { UInt8(String(Unicode.Scalar(byte)), radix: 16) }

extension String {
  /// Whether it is a segment that leads elsewhere, and cannot be sent as text: encoded it means the same (RFC 3986
  /// §6.2.2.3).
  package var isDotSegment: Bool { self == "." || self == ".." }
}

extension KeptBytes {
  package static let unreserved = KeptBytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
  /// What has no meaning of its own in a segment of a path stays, too (RFC 3986 §3.3).
  package static let ofPath = KeptBytes(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,:;=@")
  /// What may stand in the path and the query of an address that is written already, escapes included (RFC 3986 §2).
  package static let ofAddress = KeptBytes(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,:;=@/?%[]")
}
