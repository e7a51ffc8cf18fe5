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
    // A table as a whole is only ever restored.
    guard let row else {
      table = key.initial
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
  func index(of field: Int, in row: ValueMap) -> Int? {
    isTable ? row.index(of: rowNames[field], near: field) : nil
  }
}
