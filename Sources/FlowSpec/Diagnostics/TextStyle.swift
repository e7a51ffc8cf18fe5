/// How words stand out: with colours on a terminal, not at all elsewhere.
package enum TextStyle: Sendable, Hashable {
  case plain, coloured

  /// By the codes that a terminal takes (ECMA-48 §8.3.117).
  package enum Emphasis: String, Sendable {
    case none = ""
    case faint = "2"
    case strong = "1"
    case good = "1;32"
    case bad = "31"
  }

  package func styled(_ text: String, _ emphasis: Emphasis) -> String { styled(text, code: emphasis.rawValue) }

  func styled(_ text: String, code: String) -> String {
    self == .plain || text.isEmpty || code.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  /// What stands before and behind a text that is not empty.
  package func opening(_ emphasis: Emphasis) -> String {
    self == .plain || emphasis == .none ? "" : "\u{1B}[\(emphasis.rawValue)m"
  }

  package func closing(_ emphasis: Emphasis) -> String { self == .plain || emphasis == .none ? "" : "\u{1B}[0m" }

  package func strong(_ text: String) -> String { styled(text, .strong) }
  package func faint(_ text: String) -> String { styled(text, .faint) }
  package func good(_ text: String) -> String { styled(text, .good) }
  package func bad(_ text: String) -> String { styled(text, .bad) }
}
