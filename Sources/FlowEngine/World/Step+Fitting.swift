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
    for (index, field) in row.fields.enumerated() {
      guard var fitted = given[field.name] else { continue }
      guard fitted.fit(field.type) else { throw wrongType(fitted, expected: field.type, in: assignment) }
      if let allowed = field.allowed, let text = fitted.text, !allowed.contains(text.string) {
        throw .failed(.notOneOf(allowed, field: field.name, site: assignment.site))
      }
      if !fitted.isNull { complete.replaceValue(at: index, with: field.marked(fitted)) }
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
    switch (self, type) {
    case (.string, .string), (.bool, .bool), (.int, .int), (.double, .double), (.timestamp, .timestamp),
      (.duration, .duration), (.list, .list), (.map, .map), (.map, .object), (.null, _):
      return true
    case (.int(let int), .double):
      self = .double(Double(int))
      return true
    case (.optional, _):
      self = unwrapped
      return fit(type)
    case (_, .optional(let inner)): return fit(inner)
    case (_, .dyn): return true
    default: return false
    }
  }
}
