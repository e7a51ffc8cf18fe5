import Expressions
import JSONSyntax

/// Percent-encoding of forms.
package enum PercentEncoding {
  /// A form as it travels, `a=1&b=2+3`: `application/x-www-form-urlencoded` as browsers write it (WHATWG URL §5.2) and
  /// RFC 6749 appendix B wants it.
  package static func form(_ fields: [NamedValue]) -> Text {
    var text = TextBuilder()
    for (index, field) in fields.enumerated() {
      text.append((index == 0 ? "" : "&") + inForm(field.name) + "=")
      if let value = field.value.asText { text.append(value.mappingKnown(inForm)) }
    }
    return text.text
  }

  /// A blank is a plus, an asterisk stays and a tilde does not: all else is as in an address.
  private static func inForm(_ string: String) -> String {
    percentEncoded(string, but: bytesOfForm).replacing(" ", with: "+")
  }

  private static let bytesOfForm = KeptBytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._* ")
}
