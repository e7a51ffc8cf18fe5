/// How words stand out: with colours on a terminal, not at all elsewhere.
package enum TextStyle: Sendable, Hashable {
  case plain, coloured

  enum Emphasis {
    case none, faint, strong, good, bad, remark
  }

  func styled(_ text: String, _ emphasis: Emphasis) -> String {
    self == .plain || text.isEmpty ? text : opening(emphasis) + text + closing(emphasis)
  }

  /// What stands before and behind a text that is not empty.
  func opening(_ emphasis: Emphasis) -> String {
    guard self == .coloured, let code = emphasis.code else { return "" }
    return "\u{1B}[\(code)m"
  }

  func closing(_ emphasis: Emphasis) -> String { self == .coloured && emphasis.code != nil ? "\u{1B}[0m" : "" }

  package func strong(_ text: String) -> String { styled(text, .strong) }
  package func faint(_ text: String) -> String { styled(text, .faint) }
  package func good(_ text: String) -> String { styled(text, .good) }
  package func bad(_ text: String) -> String { styled(text, .bad) }
}

extension TextStyle.Emphasis {
  fileprivate var code: String? {
    switch self {
    case .none: nil
    case .faint: "2"
    case .strong: "1"
    case .good: "1;32"
    case .bad: "31"
    case .remark: "36"
    }
  }
}
