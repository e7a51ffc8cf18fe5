/// Why a text is no JSON: the first thing that is wrong.
package struct JSONSyntaxError: Error, Sendable, Hashable {
  /// A second place that belongs to the problem, such as the bracket that is never closed.
  package struct Related: Sendable, Hashable {
    package let range: Range<Int>
    package let label: String
  }

  /// Kebab-case: `trailing-comma`, `unclosed`, `invalid-escape`.
  package let code: String
  /// What stands there and what was expected; stands alone.
  package let message: String
  /// UTF-8 byte offsets in the document; empty at its end.
  package let range: Range<Int>
  /// A few words for beside the caret.
  package let label: String
  package var help: String?
  package var related: Related?

  init(_ code: String, _ message: String, at range: Range<Int>, label: String, help: String? = nil) {
    (self.code, self.message, self.range, self.label, self.help) = (code, message, range, label, help)
  }

  func related(to range: Range<Int>, _ label: String) -> JSONSyntaxError {
    var copy = self
    copy.related = Related(range: range, label: label)
    return copy
  }
}
