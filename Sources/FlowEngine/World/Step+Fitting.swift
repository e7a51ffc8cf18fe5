import Expressions
import FlowSpec

extension Step {
  /// The value as its key keeps it: marked, whole numbers as double where the key is one; another type is an error.
  ///
  /// Only dynamic values can be of another type: the loader has checked all others.
  func fit(_ value: Value, to assignment: Assignment, as actor: Actor) throws(Stop) -> Value {
    let place = assignment.place
    let key = key(of: place, as: actor)
    guard case .table(let row) = key.shape, place.row != nil else {
      return try fit(value, to: key.field, of: assignment)
    }
    if let field = place.field { return try fit(value, to: row.fields[field], of: assignment) }
    guard case .map(var fields) = value.unwrapped else {
      if value.unwrapped.isNull { return .null }
      throw .failed(.wrongType(value, expected: place.type, source: source(of: assignment), site: assignment.site))
    }
    for field in row.fields.indices {
      guard let index = fields.index(of: row.fields[field].name) else { continue }
      fields.replaceValue(
        at: index, with: try fit(fields.entries[index].value, to: row.fields[field], of: assignment))
    }
    return .map(fields)
  }

  private func fit(_ value: Value, to field: ObjectType.Field, of assignment: Assignment) throws(Stop) -> Value {
    let site = assignment.site
    guard let fitted = value.fitted(to: field.type) else {
      throw .failed(.wrongType(value, expected: field.type, source: source(of: assignment), site: site))
    }
    if let allowed = field.allowed, let text = fitted.text, !allowed.contains(text.string) {
      throw .failed(.notOneOf(allowed, field: field.name, site: site))
    }
    return field.secret.map { fitted.marked(secret: $0) } ?? fitted
  }

  /// The member that a value was read from, and the peer that answered it.
  private func source(of assignment: Assignment) -> String? {
    guard case .template(let placed) = assignment.value,
      let member = placed.template.expressions.first?.readings.first?.name
    else { return nil }
    guard member.hasPrefix("response."), let peer else { return "\"\(member)\"" }
    return "\"\(member)\" of \(flow.participants[peer].name)"
  }

  func key(of place: Place, as actor: Actor) -> Key {
    let machine = machine(of: actor)
    return place.area == .store ? machine.store[place.key] : machine.memory[place.key]
  }
}

extension Value {
  /// The value as a key of that type keeps it; `nil` when it is of another type.
  ///
  /// Null fits everything.
  package func fitted(to type: ValueType) -> Value? {
    switch (unwrapped, type) {
    case (.null, _), (.bool, .bool), (.int, .int), (.double, .double), (.string, .string), (.timestamp, .timestamp),
      (.duration, .duration), (.list, .list), (.map, .map), (.map, .object), (_, .dyn):
      unwrapped
    case (.int(let int), .double): .double(Double(int))
    case (_, .optional(let inner)): fitted(to: inner)
    default: nil
    }
  }
}
