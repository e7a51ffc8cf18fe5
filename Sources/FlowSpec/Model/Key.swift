import Expressions

package final class Key: Sendable {
  /// How many rows a table may come to hold.
  package static let mostRows = 10_000

  package let name: String
  /// The type of its rows; `nil` when it is no table.
  package let rowType: ObjectType?
  /// How expressions see it.
  package let field: ObjectType.Field
  /// For a table the rows that it starts with.
  package let initial: Value
  /// For a table, a new row: every declared field, in declared order.
  package let newRow: ValueMap
  /// How it keeps what is set, and for a table how each field of its rows does.
  package let keeping: Keeping
  package let rowKeepings: [Keeping]
  package let refs: [String]
  package let groups: [String]
  package let site: Site

  init(
    _ field: ObjectType.Field, rowType: ObjectType? = nil, initial: Value, rowInitials: [Value] = [],
    refs: [String], groups: [String], site: Site
  ) {
    (name, self.field, self.rowType, self.initial) = (field.name, field, rowType, initial)
    keeping = Keeping(field, initial: initial)
    rowKeepings = rowType.map { type in zip(type.fields, rowInitials).map { Keeping($0, initial: $1) } } ?? []
    newRow = ValueMap(distinct: rowKeepings.map(\.initial))
    (self.refs, self.groups, self.site) = (refs, groups, site)
  }

  package var isTable: Bool { rowType != nil }
}

package struct ConfigKey: Sendable {
  /// How expressions see it.
  package let field: ObjectType.Field
  package let value: Value
  let site: Site
  package var name: String { field.name }
  package var secret: Bool { field.secret != nil }
}
