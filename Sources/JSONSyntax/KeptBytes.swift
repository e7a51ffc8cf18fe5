/// The bytes of ASCII that stay as they are where all others are percent-encoded (RFC 3986 §2.1).
package struct KeptBytes: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  package init(_ kept: StaticString) {
    for index in 0..<kept.utf8CodeUnitCount {
      let byte = kept.utf8Start[index]
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
  }

  @inline(__always)
  package func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 != 0
  }
}

/// A text with all but what is kept percent-encoded.
package func percentEncoded(_ text: String, but kept: KeptBytes) -> String {
  var (text, encoded) = (text, GrowingBytes())
  text.withUTF8 { utf8 in
    _ = encoded.write(atMost: 3 * utf8.count) { end in
      end.append(utf8, percentEncodedBut: kept)
      return true
    }
  }
  return String(decoding: encoded.all, as: UTF8.self)
}

extension GrowingBytes.End {
  mutating func append(_ text: UnsafeBufferPointer<UInt8>, percentEncodedBut kept: KeptBytes) {
    for byte in text {
      if kept.contains(byte) {
        append(byte)
      } else {
        append(UInt8(ascii: "%"))
        append(Self.hexadecimalDigit(byte >> 4))
        append(Self.hexadecimalDigit(byte & 15))
      }
    }
  }

  private static func hexadecimalDigit(_ nibble: UInt8) -> UInt8 {
    (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10) + nibble
  }
}
