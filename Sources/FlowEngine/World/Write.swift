import Expressions
import FlowSpec

/// A place with its brackets evaluated, and what comes there; null restores.
struct Write {
  let place: Place
  /// Null where the place has none.
  let row: Value
  var value: Value
  /// Whether there never was a value: no row is made for it.
  var isClearing = false
  /// Whether the value is so large that its table has to be weighed.
  var isHeavy = false

  /// Puts the value where it belongs; what stood there is here then, unless it is a table's.
  @inline(__always)
  mutating func make(in slot: inout Value) {
    // A null unsets: the key is what it is when nothing was set.
    if place.isOfTable {
      makeInTable(&slot)
    } else {
      if value.isNull { value = place.declared.initial }
      swap(&slot, &value)
    }
  }

  /// What stands in a place of a table once it is written; null where nothing does.
  var settled: Value {
    if row.isNull { return place.declared.initial }
    return value.isNull && place.field != nil ? place.keeping.initial.value : value
  }

  private mutating func makeInTable(_ table: inout Value) {
    // A table as a whole is only ever restored.
    if row.isNull {
      table = place.declared.initial
      return
    }
    guard case .map(var rows) = table else { return }
    // It has one holder while it changes.
    table = .null
    if let field = place.field {
      put(field: field, in: &rows)
    } else {
      rows[row] = value.isNull ? nil : value
    }
    table = .map(rows)
  }

  /// Changes a field of a row, for which it is made when it is missing.
  private mutating func put(field: Int, in rows: inout ValueMap) {
    let known = rows.index(of: row)
    if isClearing, known == nil { return }
    let index = known ?? rows.append(.map(place.declared.newRow), at: row)
    if value.isNull { value = place.keeping.initial.value }
    rows.changeValue(at: index) { row in
      guard case .map(var fields) = row, fields.entries.indices.contains(field) else { return }
      row = .null
      fields.changeValue(at: field) { swap(&$0, &value) }
      row = .map(fields)
    }
  }
}
