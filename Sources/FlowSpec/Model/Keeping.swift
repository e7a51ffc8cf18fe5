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

  /// Whether it surely keeps a value as it is, without a mark.
  package func keepsAsItIs(_ value: Value) -> Bool { field.secret == nil && surelyFits(value) }
}

/// A whole row that is written out in the document, member by member.
package final class RowTemplate: Sendable {
  package final class Cell: Sendable {
    package let keeping: Keeping
    /// `nil` where the row says nothing.
    package let value: ValueTemplate?

    init(_ keeping: Keeping, _ value: ValueTemplate?) {
      (self.keeping, self.value) = (keeping, value)
    }
  }

  /// One for each declared field: what is written, as it is written, then the others; all in declared order where that
  /// is the order of what is written.
  package let cells: [Cell]
  /// Where the field of each declared place stands among the cells; `nil` where they are in declared order.
  package let order: [Int]?
  /// The fields that are written, in declared order.
  package let given: [Int]
  /// What the names that are given weigh, and the row around them.
  package let weight: Int

  init(_ members: [FieldValue], of keepings: [Keeping]) {
    var templates: [Int: ValueTemplate] = [:]
    var written: [Int] = []
    for member in members {
      guard let field = keepings.firstIndex(where: { $0.field.name == member.name }) else { continue }
      templates[field] = member.value
      written.append(field)
    }
    given = written.sorted()
    let isOrdered = written == given
    let fields = isOrdered ? Array(keepings.indices) : written + keepings.indices.filter { templates[$0] == nil }
    cells = fields.map { Cell(keepings[$0], templates[$0]) }
    order = isOrdered ? nil : keepings.indices.map { field in fields.firstIndex(of: field) ?? field }
    weight = given.reduce(1) { $0 + 1 + keepings[$1].field.name.utf8.count }
  }
}
