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
  package let help: String?
  package let related: Related?

  init(
    _ code: String, _ message: String, at range: Range<Int>, label: String, help: String? = nil,
    related: (range: Range<Int>, label: String)? = nil
  ) {
    (self.code, self.message, self.range, self.label, self.help) = (code, message, range, label, help)
    self.related = related.map { Related(range: $0.range, label: $0.label) }
  }
}
