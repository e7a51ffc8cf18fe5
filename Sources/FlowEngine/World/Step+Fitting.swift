import Expressions
import FlowSpec

extension Step {
  /// What an assignment is about to write; `nil` when its value is absent.
  mutating func write(of assignment: Assignment) throws(Stop) -> Write? {
    let row = assignment.place.row == nil ? Value.null : try row(of: assignment.place)
    if let template = assignment.row { return try write(template, at: row, of: assignment) }
    if !assignment.place.isOfTable || assignment.minted != nil {
      guard let value = try value(of: assignment) else { return nil }
      return Write(place: assignment.place, row: row, value: value)
    }
    guard var value = try build(assignment.value) else { return nil }
    let isHeavy = value.weighs(more: Bounds.heavyValue)
    if assignment.place.isWholeRow {
      try fitRow(&value, to: assignment)
    } else {
      try fit(&value, as: assignment.place.keeping, of: assignment)
    }
    return Write(place: assignment.place, row: row, value: value, isHeavy: isHeavy)
  }

  /// What an assignment gives a key or a field, as that keeps it; `nil` when it is absent.
  @inline(__always)
  mutating func value(of assignment: Assignment) throws(Stop) -> Value? {
    if let call = assignment.minted {
      return .string(frame.mint.make(call, secret: assignment.place.keeping.field.secret))
    }
    guard var value = try build(assignment.value) else { return nil }
    try fit(&value, as: assignment.place.keeping, of: assignment)
    return value
  }

  /// A whole row that is written out, built as it is kept: every declared field, in declared order.
  private mutating func write(
    _ template: RowTemplate, at row: consuming Value, of assignment: Assignment
  ) throws(Stop) -> Write {
    var entries: [ValueMap.Entry] = []
    entries.reserveCapacity(template.cells.count)
    // What the other fields begin with is not given, and does not count.
    var (rest, keepsAll) = (Bounds.heavyValue - template.weight, true)
    for index in template.cells.indices {
      if try !fill(template.cells[index], of: &entries, from: &rest) { keepsAll = false }
    }
    if let order = template.order { entries = order.map { entries[$0] } }
    if rest < 0, Value.map(ValueMap(distinct: template.given.map { entries[$0] })).isTooLarge {
      throw .failed(.valueTooLarge(site: assignment.value.site))
    }
    // Of several that do not fit the first in declared order is told, as for a row that is made elsewhere.
    for field in template.given where !keepsAll {
      try fit(&entries[field].value, as: assignment.place.declared.rowKeepings[field], of: assignment)
    }
    return Write(
      place: assignment.place, row: row, value: .map(ValueMap(distinct: consume entries)), isHeavy: rest < 0)
  }

  /// Adds a cell; false where what it is given has to be fitted yet.
  @inline(never)
  private mutating func fill(
    _ cell: RowTemplate.Cell, of entries: inout [ValueMap.Entry], from rest: inout Int
  ) throws(Stop) -> Bool {
    if let given = cell.value {
      let value = try compose(given) ?? .null
      if !value.isNull {
        let fits = cell.keeping.keepsAsItIs(value)
        value.takeAsMember(from: &rest)
        entries.append(ValueMap.Entry(key: cell.keeping.initial.key, value: consume value))
        return fits
      }
      cell.keeping.initial.value.takeAsMember(from: &rest)
    }
    entries.append(cell.keeping.initial)
    return true
  }

  /// A row as it is kept: every declared field, in declared order.
  private mutating func fitRow(_ value: inout Value, to assignment: Assignment) throws(Stop) {
    let key = assignment.place.declared
    value = value.unwrapped
    if value.isNull { return }
    guard case .map(let given) = value else {
      throw wrongType(value, expected: assignment.place.type, in: assignment)
    }
    var complete = key.newRow
    for (index, keeping) in key.rowKeepings.enumerated() {
      guard var fitted = given[keeping.field.name] else { continue }
      try fit(&fitted, as: keeping, of: assignment)
      if !fitted.isNull { complete.replaceValue(at: index, with: fitted) }
    }
    value = .map(complete)
  }

  /// Makes a value what its key or field keeps: marked, whole numbers as double where it is one; another type is an error.
  ///
  /// Only dynamic values can be of another type: the loader has checked all others.
  mutating func fit(_ value: inout Value, as keeping: Keeping, of assignment: Assignment) throws(Stop) {
    if !keeping.surelyFits(value) {
      let field = keeping.field
      guard value.fit(field.type) else { throw wrongType(value, expected: field.type, in: assignment) }
      if let allowed = field.allowed, let text = value.text, !allowed.contains(text.string) {
        throw .failed(.notOneOf(allowed, field: field.name, site: assignment.site))
      }
    }
    if let secret = keeping.field.secret { value.mark(secret: secret) }
  }

  private mutating func wrongType(_ value: Value, expected: ValueType, in assignment: Assignment) -> Stop {
    .failed(.wrongType(value, expected: expected, source: source(of: assignment), site: assignment.site))
  }

  /// The member that a value was read from, and the peer that answered it.
  private mutating func source(of assignment: Assignment) -> String? {
    guard case .template(let placed) = assignment.value,
      let member = placed.template.expressions.first?.readings.first?.name
    else { return nil }
    guard member.hasPrefix("response."), let peer else { return "\"\(member)\"" }
    return "\"\(member)\" of \(flow.participants[peer].name)"
  }
}

extension Value {
  /// Makes it what a key of that type keeps; false when it is of another type.
  ///
  /// Null fits everything.
  package mutating func fit(_ type: ValueType) -> Bool {
    if case .optional = self { self = unwrapped }
    switch type {
    case .string: if case .string = self { return true }
    case .bool: if case .bool = self { return true }
    case .int: if case .int = self { return true }
    case .double:
      if case .double = self { return true }
      if case .int(let int) = self {
        self = .double(Double(int))
        return true
      }
    case .timestamp: if case .timestamp = self { return true }
    case .duration: if case .duration = self { return true }
    case .list: if case .list = self { return true }
    case .map, .object: if case .map = self { return true }
    case .optional(let inner): return fit(inner)
    case .dyn: return true
    case .null: break
    }
    return isNull
  }
}
