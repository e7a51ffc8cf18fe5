/// Which characters stand for themselves in a part of a URL (RFC 3986); the others are percent-encoded as UTF-8.
package enum PercentEncoding: Sendable, Hashable {
  /// §3.3 `pchar`.
  case pathSegment
  /// §3.4, without what separates names and values in a form: `& = + ;`.
  case query

  package func encode(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if allows(byte) {
        result.append(byte)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result.append(contentsOf: (digits.utf8.count == 1 ? "%0" : "%").utf8)
        result.append(contentsOf: digits.utf8)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func allows(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default:
      switch self {
      case .pathSegment: "-._~!$&'()*+,;=:@".utf8.contains(byte)
      case .query: "-._~!$'()*,:@/?".utf8.contains(byte)
      }
    }
  }
}
