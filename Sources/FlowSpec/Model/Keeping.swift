import Expressions

/// How a key, or a field of a row, keeps what is set into it.
package final class Keeping: Sendable {
  package let field: ObjectType.Field
  /// What it is when nothing was set, as an entry of a row.
  package let initial: ValueMap.Entry
  private let shape: Shape

  private enum Shape {
    case string, bool, int, timestamp, duration, other
  }

  init(_ field: ObjectType.Field, initial: Value) {
    self.field = field
    self.initial = ValueMap.Entry(key: .string(field.name), value: field.marked(initial))
    shape =
      switch field.type {
      case .string: field.allowed == nil ? .string : .other
      case .bool: .bool
      case .int: .int
      case .timestamp: .timestamp
      case .duration: .duration
      default: .other
      }
  }

  /// Whether a value surely fits without a change; of others that has to be looked up.
  package func surelyFits(_ value: Value) -> Bool {
    switch (shape, value) {
    case (.string, .string), (.bool, .bool), (.int, .int), (.timestamp, .timestamp), (.duration, .duration): true
    default: false
    }
  }
}
