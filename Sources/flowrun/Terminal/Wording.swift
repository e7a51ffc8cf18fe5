import Expressions
import FlowSpec

/// A count with its noun: `1 error`, `2 errors`.
func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

/// What was meant by a name that nothing has: the nearest, else all that there are.
func likely(_ name: String, among names: [String]) -> String {
  suggestion(for: name, among: names) ?? (names.isEmpty ? "it has none" : "it has \(names.listed)")
}
