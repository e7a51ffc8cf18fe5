import Expressions

/// How a key, or a field of a row, keeps what is set into it.
package final class Keeping: Sendable {
  package let field: ObjectType.Field
  /// What it is when nothing was set, as an entry of a row.
  package let initial: ValueMap.Entry
  /// Whether it holds what has no declared type.
  package let isJSON: Bool

  init(_ field: ObjectType.Field, initial: Value) {
    self.field = field
    isJSON = [.dyn, .list(.dyn), .map(key: .string, value: .dyn)].contains(field.type)
    self.initial = ValueMap.Entry(key: .string(field.name), value: field.marked(initial))
  }
}
