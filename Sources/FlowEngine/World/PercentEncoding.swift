import Expressions

/// Percent-encoding of RFC 3986 §2.1, and of forms.
package enum PercentEncoding {
  /// What is no valid encoding stays as it is; bytes that are no UTF-8 become U+FFFD.
  package static func decode(_ string: String, plus: Bool = false) -> String {
    let bytes = Array(string.utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = nibble(bytes[index + 1]),
        let low = nibble(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(plus && bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func nibble(_ byte: UInt8) -> UInt8? { UInt8(String(Unicode.Scalar(byte)), radix: 16) }

  /// A form as it travels, `a=1&b=2+3`: `application/x-www-form-urlencoded` as browsers write it (WHATWG URL §5.2) and
  /// RFC 6749 appendix B wants it.
  package static func form(_ fields: [NamedValue]) -> Text {
    var text = Text("")
    for (index, field) in fields.enumerated() {
      text.append(Text((index == 0 ? "" : "&") + inForm(field.name) + "="))
      text.append(field.value.asText?.mappingKnown(inForm) ?? Text(""))
    }
    return text
  }

  /// A blank is a plus, an asterisk stays and a tilde does not: all else is as in an address.
  private static func inForm(_ string: String) -> String {
    var encoded = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case " ": encoded += "+"
      case "*": encoded += "*"
      case "~": encoded += "%7E"
      default: encoded += percentEncoded(String(scalar))
      }
    }
    return encoded
  }
}
