import Expressions
import FlowSpec

/// A place with its brackets evaluated, and what comes there; null restores.
struct Write {
  let place: Place
  let row: Value?
  var value: Value
  /// Whether there never was a value: no row is made for it.
  var isClearing = false
  /// Whether the value is so large that its table has to be weighed.
  var isHeavy = false

  /// As a trace shows it: `users[ada].status`.
  var path: Change.Path {
    let field = place.field.flatMap { place.declared.rowType?.fields[$0].name }
    return Change.Path(key: place.declared.name, row: row?.text, field: field)
  }

  /// Puts the value where it belongs; what stood there is here then.
  @inline(__always)
  mutating func make(in slot: inout Value) {
    // A null unsets: the key is what it is when nothing was set.
    if place.isOfTable {
      makeInTable(&slot)
    } else if value.isNull {
      slot = place.declared.initial
    } else {
      swap(&slot, &value)
    }
  }

  private mutating func makeInTable(_ table: inout Value) {
    let key = place.declared
    guard let row else {
      table = value.isNull ? key.initial : key.completed(value)
      return
    }
    guard case .map(var rows) = table else { return }
    // It has one holder while it changes.
    table = .null
    if let field = place.field {
      put(field: field, of: row, in: &rows)
    } else {
      rows[row] = value.isNull ? nil : value
    }
    table = .map(rows)
  }

  /// Changes a field of a row, for which it is made when it is missing.
  private func put(field: Int, of row: Value, in rows: inout ValueMap) {
    let key = place.declared
    guard key.rowInitials.indices.contains(field) else { return }
    let known = rows.index(of: row)
    if isClearing, known == nil { return }
    let new = value.isNull ? key.rowInitials[field] : value
    let index = known ?? rows.append(.map(key.newRow), at: row)
    rows.changeValue(at: index) { row in
      guard case .map(var fields) = row, let index = key.index(of: field, in: fields) else { return }
      row = .null
      fields.replaceValue(at: index, with: new)
      row = .map(fields)
    }
  }
}

extension Key {
  /// Rows as the key keeps them: with all their fields.
  fileprivate func completed(_ value: Value) -> Value {
    guard case .map(let rows) = value else { return value }
    return .map(rows.mapValues { completed(row: $0) })
  }

  func index(of field: Int, in row: ValueMap) -> Int? {
    guard let rowType else { return nil }
    return row.index(of: rowType.fields[field].name, near: field)
  }

  /// A row as it is kept: every declared field, in declared order.
  private func completed(row: Value) -> Value {
    guard let rowType, case .map(let given) = row else { return row }
    var complete = newRow
    for index in rowType.fields.indices {
      guard let value = given[rowType.fields[index].name], !value.isNull else { continue }
      complete.replaceValue(at: index, with: rowType.fields[index].marked(value))
    }
    return .map(complete)
  }
}
