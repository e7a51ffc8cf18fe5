import Expressions
import FlowSpec

extension Step {
  /// The value as its key keeps it: marked, whole numbers as double where the key is one; another type is an error.
  ///
  /// Only dynamic values can be of another type: the loader has checked all others.
  func fit(_ value: Value, to assignment: Assignment, key: Key) throws(Stop) -> Value {
    let place = assignment.place
    guard case .table(let row) = key.shape, place.row != nil else {
      return try fit(value, to: key.field, of: assignment)
    }
    if let field = place.field { return try fit(value, to: row.fields[field], of: assignment) }
    guard case .map(let given) = value.unwrapped else {
      if value.unwrapped.isNull { return .null }
      throw .failed(.wrongType(value, expected: place.type, source: source(of: assignment), site: assignment.site))
    }
    // A row as it is kept: every declared field, in declared order.
    var complete = key.newRow
    for field in row.fields.indices {
      guard let index = given.index(of: row.fields[field].name) else { continue }
      let fitted = try fit(given.entries[index].value, to: row.fields[field], of: assignment)
      if !fitted.isNull { complete.replaceValue(at: field, with: fitted) }
    }
    return .map(complete)
  }

  private func fit(_ value: Value, to field: ObjectType.Field, of assignment: Assignment) throws(Stop) -> Value {
    let site = assignment.site
    guard let fitted = value.fitted(to: field.type) else {
      throw .failed(.wrongType(value, expected: field.type, source: source(of: assignment), site: site))
    }
    if let allowed = field.allowed, let text = fitted.text, !allowed.contains(text.string) {
      throw .failed(.notOneOf(allowed, field: field.name, site: site))
    }
    if let secret = field.secret { return fitted.marked(secret: secret) }
    return fitted
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
  /// The value as a key of that type keeps it; `nil` when it is of another type.
  ///
  /// Null fits everything.
  package func fitted(to type: ValueType) -> Value? {
    if case .optional = self { return unwrapped.fitted(to: type) }
    switch type {
    case .string: if case .string = self { return self }
    case .bool: if case .bool = self { return self }
    case .int: if case .int = self { return self }
    case .double:
      if case .double = self { return self }
      if case .int(let int) = self { return .double(Double(int)) }
    case .timestamp: if case .timestamp = self { return self }
    case .duration: if case .duration = self { return self }
    case .list: if case .list = self { return self }
    case .map, .object: if case .map = self { return self }
    case .optional(let inner): return fitted(to: inner)
    case .dyn: return self
    case .null: break
    }
    return isNull ? self : nil
  }
}
