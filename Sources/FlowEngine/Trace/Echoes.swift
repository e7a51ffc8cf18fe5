import Expressions
import JSONSyntax

extension String {
  /// As what a peer may say it back: as it is, in an address, a form, HTML, JSON or JSON inside of JSON, in hexadecimal
  /// digits, or in base64 wherever it begins there, without the letters that say something of what stands around it.
  var echoes: Set<String> {
    let bytes = Array(utf8)
    let hexadecimal = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let percent = [percentEncoded(self), pathEncoded(self), PercentEncoding.inForm(self)]
    var all = Set([self, inHTML, hexadecimal, hexadecimal.uppercased()] + percent)
    for json in [inJSON, inJSON.inASCII(uppercase: false), inJSON.inASCII(uppercase: true)] {
      for json in [json, json.replacing("/", with: "\\/")] { all.formUnion([json, json.inJSON]) }
    }
    all.formUnion(percent.map(\.withLowerCaseEscapes))
    let whole = base64URL(bytes)
    let middles = (0..<3).map { offset in
      base64URL(Array(repeating: 0, count: offset) + bytes).dropFirst(offset == 0 ? 0 : offset + 1)
        .dropLast((offset + bytes.count) % 3 == 0 ? 0 : 1)
    }
    for base64 in [whole[...]] + middles {
      all.insert(String(base64))
      all.insert(String(base64.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }))
    }
    return all
  }

  private var inHTML: String {
    let escapes: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    return unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
  }

  private var inJSON: String {
    var writer = JSONWriter()
    writer.string(self)
    return String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
  }

  /// `\u00e4` for `ä`, as many write JSON; in UTF-16 (RFC 8259 section 7).
  private func inASCII(uppercase: Bool) -> String {
    utf16.map { unit in
      if unit < 0x80 { return String(UnicodeScalar(UInt8(unit))) }
      let digits = String(unit, radix: 16, uppercase: uppercase)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// `%2f` for `%2F`.
  private var withLowerCaseEscapes: String {
    let pieces = split(separator: "%", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(String(pieces.first ?? "")) {
      $0 + "%" + $1.prefix(2).lowercased() + $1.dropFirst(2)
    }
  }
}
