import Expressions

extension Check {
  /// Headers that are read by a name with capitals: names of headers are the same however they are written (RFC 9110 §5.1),
  /// and expressions see them in lower case.
  static let headerNames: @Sendable (Examined) -> [Diagnostic] = { examined in
    var looked: Set<String> = []
    return examined.expressions.flatMap { placed in
      placed.expression.headersRead.filter { $0.name != $0.name.lowercased() && looked.insert($0.name).inserted }
        .map { name, part in
          Diagnostic(
            "header-name", "no header is ever found as \"\(name)\"", at: examined.site(of: part, in: placed),
            "is read here",
            help: "expressions see the names of headers in lower case: \"\(name.lowercased())\"")
        }
    }
  }
}

extension Expression {
  /// Names by which headers are selected, or looked for with `in`, and the parts that do.
  fileprivate var headersRead: [(name: String, part: String)] {
    let roots = ["response.headers", "request.headers"]
    let selected = readings.compactMap { reading -> (name: String, part: String)? in
      let path = roots.lazy.compactMap { MemberPath(reading.name, below: $0) }.first
      return if case .member(let name)? = path?.parts.first { (name, reading.name) } else { nil }
    }
    let sought = facts.written.filter { roots.contains($0.other) }.compactMap(\.value.text?.string)
    return selected + sought.map { ($0, $0) }
  }
}
