import Expressions

/// How a key, or a field of a row, keeps what is set into it.
package final class Keeping: Sendable {
  package let field: ObjectType.Field
  /// What it is when nothing was set, as an entry of a row.
  package let initial: ValueMap.Entry

  init(_ field: ObjectType.Field, initial: Value) {
    self.field = field
    self.initial = ValueMap.Entry(key: .string(field.name), value: field.marked(initial))
  }
}
