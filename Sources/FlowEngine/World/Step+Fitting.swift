import Expressions
import FlowSpec

extension Step {
  /// Makes a value what its key keeps: marked, whole numbers as double where the key is one; another type is an error.
  ///
  /// Only dynamic values can be of another type: the loader has checked all others.
  mutating func fit(_ value: inout Value, to assignment: Assignment) throws(Stop) {
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
  private func fitRow(_ value: inout Value, to assignment: Assignment) throws(Stop) {
    let key = assignment.place.declared
    value = value.unwrapped
    if value.isNull { return }
    guard let row = key.rowType, case .map(let given) = value else {
      throw wrongType(value, expected: assignment.place.type, in: assignment)
    }
    var complete = key.newRow
    for index in row.fields.indices {
      guard let place = given.index(of: row.fields[index].name, near: index) else { continue }
      var fitted = given.entries[place].value
      let type = row.fields[index].type
      guard fitted.fit(type) else { throw wrongType(fitted, expected: type, in: assignment) }
      if let allowed = row.fields[index].allowed, let text = fitted.text, !allowed.contains(text.string) {
        throw .failed(.notOneOf(allowed, field: row.fields[index].name, site: assignment.site))
      }
      if let secret = row.fields[index].secret { fitted.mark(secret: secret) }
      if !fitted.isNull { complete.replaceValue(at: index, with: fitted) }
    }
    value = .map(complete)
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
