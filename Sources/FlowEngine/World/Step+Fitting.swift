import Expressions
import FlowSpec

extension Step {
  /// The value of an assignment as its key keeps it, and whether what was given for it is so large that its table has to be
  /// weighed; `nil` when it is absent.
  mutating func value(of assignment: Assignment) throws(Stop) -> (value: Value, isHeavy: Bool)? {
    if let members = assignment.row { return try row(members, for: assignment) }
    guard var value = try build(assignment.value) else { return nil }
    let isHeavy = assignment.place.isOfTable && value.weighs(more: Bounds.heavyValue)
    try fit(&value, to: assignment)
    return (value, isHeavy)
  }

  /// A whole row that is written out, built as it is kept: every declared field, in declared order.
  private mutating func row(
    _ members: [(field: Int, value: ValueTemplate)], for assignment: Assignment
  ) throws(Stop) -> (Value, isHeavy: Bool) {
    let key = assignment.place.declared
    var row = key.newRow
    for (field, template) in members {
      guard let value = try compose(template), !value.isNull else { continue }
      row.replaceValue(at: field, with: value)
    }
    var isHeavy = Value.map(row).weighs(more: Bounds.heavyValue)
    if isHeavy || Value.map(row).isTooLarge {
      // What the other fields begin with is not given, and does not count.
      let given = Value.map(ValueMap(distinct: members.map { row.entries[$0.field] }))
      if given.isTooLarge { throw .failed(.valueTooLarge(site: assignment.value.site)) }
      isHeavy = given.weighs(more: Bounds.heavyValue)
    }
    // Of several that do not fit the first in declared order is told, as for a row that is made elsewhere.
    for field in assignment.rowFields where !assignment.takesAsItIs(row.entries[field].value, field: field) {
      var value = row.entries[field].value
      try fit(&value, toField: field, of: assignment)
      row.replaceValue(at: field, with: value)
    }
    return (.map(row), isHeavy)
  }

  /// Makes a value what its key keeps: marked, whole numbers as double where the key is one; another type is an error.
  ///
  /// Only dynamic values can be of another type: the loader has checked all others.
  private mutating func fit(_ value: inout Value, to assignment: Assignment) throws(Stop) {
    let place = assignment.place
    if place.isWholeRow { return try fitRow(&value, to: assignment) }
    guard value.fit(place.type) else { throw wrongType(value, expected: place.type, in: assignment) }
    if let allowed = place.allowed, let text = value.text, !allowed.contains(text.string) {
      let field = place.field.flatMap { place.declared.rowType?.fields[$0] } ?? place.declared.field
      throw .failed(.notOneOf(allowed, field: field.name, site: assignment.site))
    }
    if let secret = place.secret { value.mark(secret: secret) }
  }

  /// A row as it is kept: every declared field, in declared order.
  private mutating func fitRow(_ value: inout Value, to assignment: Assignment) throws(Stop) {
    let key = assignment.place.declared
    value = value.unwrapped
    if value.isNull { return }
    guard let row = key.rowType, case .map(let given) = value else {
      throw wrongType(value, expected: assignment.place.type, in: assignment)
    }
    var complete = key.newRow
    for index in row.fields.indices {
      guard var fitted = given[row.fields[index].name] else { continue }
      try fit(&fitted, toField: index, of: assignment)
      if !fitted.isNull { complete.replaceValue(at: index, with: fitted) }
    }
    value = .map(complete)
  }

  private mutating func fit(_ value: inout Value, toField index: Int, of assignment: Assignment) throws(Stop) {
    guard let row = assignment.place.declared.rowType else { return }
    let type = row.fields[index].type
    guard value.fit(type) else { throw wrongType(value, expected: type, in: assignment) }
    if let allowed = row.fields[index].allowed, let text = value.text, !allowed.contains(text.string) {
      throw .failed(.notOneOf(allowed, field: row.fields[index].name, site: assignment.site))
    }
    if let secret = row.fields[index].secret { value.mark(secret: secret) }
  }

  private func wrongType(_ value: Value, expected: ValueType, in assignment: Assignment) -> Stop {
    .failed(.wrongType(value, expected: expected, source: source(of: assignment), site: assignment.site))
  }

  /// The member that a value was read from, and the peer that answered it.
  private func source(of assignment: Assignment) -> String? {
    guard case .template(let placed) = assignment.value,
      let member = placed.template.expressions.first?.readings.first?.name
    else { return nil }
    guard member.hasPrefix("response."), let peer else { return "\"\(member)\"" }
    return "\"\(member)\" of \(flow.participants[peer].name)"
  }
}

extension Assignment {
  /// Whether a field of the row keeps a value without a change or a question.
  fileprivate func takesAsItIs(_ value: Value, field: Int) -> Bool {
    guard let type = place.declared.rowType, type.fields[field].secret == nil, type.fields[field].allowed == nil else {
      return false
    }
    switch (type.fields[field].type, value) {
    case (.string, .string), (.bool, .bool), (.int, .int), (.timestamp, .timestamp), (.duration, .duration): return true
    default: return false
    }
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
