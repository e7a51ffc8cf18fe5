import Expressions
import JSONSyntax

/// What loading gave: the value when nothing was wrong enough to stop it, and everything that was found.
package struct Checked<Value: Sendable>: Sendable {
  /// `nil` exactly when `diagnostics` holds an error.
  package let value: Value?
  package let diagnostics: [Diagnostic]
}

/// Reads the documents that another one names; the caller decides where from.
package protocol DocumentReader {
  /// `nil` when there is no such document.
  mutating func read(_ path: String) -> [UInt8]?
}
