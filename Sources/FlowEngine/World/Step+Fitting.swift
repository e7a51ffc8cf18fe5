import Expressions
import FlowSpec

extension Step {
  /// What an assignment is about to write; `nil` when its value is absent.
  mutating func write(of assignment: Assignment) throws(Stop) -> Write? {
    let row = assignment.place.row == nil ? Value.null : try row(of: assignment.place)
    if !assignment.members.isEmpty { return try write(assignment, at: row) }
    guard var value = try build(assignment.value) else { return nil }
    let isHeavy = assignment.place.isOfTable && value.weighs(more: Bounds.heavyValue)
    if assignment.place.isWholeRow {
      try fitRow(&value, to: assignment)
    } else {
      try fit(&value, as: assignment.place.keeping, from: assignment.value, at: assignment.site)
    }
    return Write(place: assignment.place, row: row, value: value, isHeavy: isHeavy)
  }

  /// A row that is written out, put together as it is kept: every declared field, in declared order.
  private mutating func write(_ assignment: Assignment, at row: Value) throws(Stop) -> Write {
    let key = assignment.place.declared
    var (entries, absent) = (key.newRow.entries, [] as [Int])
    for index in assignment.members.indices {
      let field = assignment.members[index].field
      guard let value = try compose(assignment.members[index].value) else {
        absent.append(field)
        continue
      }
      entries[field].value = value
    }
    var isHeavy = Value.map(ValueMap(distinct: entries)).weighs(more: Bounds.heavyValue)
    if isHeavy {
      // What the other fields begin with is not given, and does not count.
      let given = assignment.members.map(\.field).filter { !absent.contains($0) }.map { entries[$0] }
      let value = Value.map(ValueMap(distinct: given))
      if value.isTooLarge { throw .failed(.valueTooLarge(site: assignment.value.site)) }
      isHeavy = value.weighs(more: Bounds.heavyValue)
    }
    for index in entries.indices {
      try fit(
        &entries[index].value, as: key.rowKeepings[index],
        from: assignment.members.first { $0.field == index }?.value ?? assignment.value, at: assignment.site)
      if entries[index].value.isNull { entries[index].value = key.rowKeepings[index].initial.value }
    }
    return Write(place: assignment.place, row: row, value: .map(ValueMap(distinct: entries)), isHeavy: isHeavy)
  }

  /// A row as it is kept: every declared field, in declared order.
  private mutating func fitRow(_ value: inout Value, to assignment: Assignment) throws(Stop) {
    let key = assignment.place.declared
    value = value.unwrapped
    if value.isNull { return }
    guard case .map(let given) = value else {
      throw wrongType(value, expected: assignment.place.type, from: assignment.value, at: assignment.site)
    }
    var complete = key.newRow
    for (index, keeping) in key.rowKeepings.enumerated() {
      guard var fitted = given[keeping.field.name] else { continue }
      try fit(&fitted, as: keeping, from: assignment.value, member: keeping.field.name, at: assignment.site)
      if !fitted.isNull { complete.replaceValue(at: index, with: fitted) }
    }
    value = .map(complete)
  }

  /// Makes a value what its key or field keeps; `member` is of the value that the template gives.
  @inline(__always)
  private mutating func fit(
    _ value: inout Value, as keeping: Keeping, from template: @autoclosure () -> ValueTemplate, member: String? = nil,
    at site: Site
  ) throws(Stop) {
    try fit(&value, as: keeping.field, from: template(), member: member, at: site)
    // What an app keeps is written as JSON for its next launch; what a model keeps never is, and goes into `jwt` as it is.
    if keeping.isJSON, looking == .app, let name = value.becomeJSON() {
      throw .failed(.repeatedName(name, site: template().site ?? site))
    }
  }

  /// Makes a value what is declared: marked, whole numbers as double where it is one; another type is an error.
  ///
  /// Only dynamic values can be of another type: the loader has checked all others.
  @inline(__always)
  mutating func fit(
    _ value: inout Value, as field: ObjectType.Field, from template: @autoclosure () -> ValueTemplate,
    member: String? = nil, at site: Site
  ) throws(Stop) {
    guard value.fit(field.type) else {
      throw wrongType(value, expected: field.type, from: template(), member: member, at: site)
    }
    if let allowed = field.allowed, let text = value.text, !field.allows(text) {
      throw .failed(.notOneOf(allowed, field: field, site: site))
    }
    if let secret = field.secret { value.mark(secret: secret) }
  }

  /// The same of what stands in a message, at its own place; what is written out without a template has been checked.
  mutating func fit(_ value: inout Value, as field: ObjectType.Field, from template: ValueTemplate) throws(Stop) {
    if let site = template.site {
      try fit(&value, as: field, from: template, at: site)
    } else if let secret = field.secret {
      value.mark(secret: secret)
    }
  }

  private mutating func wrongType(
    _ value: Value, expected: ValueType, from template: ValueTemplate, member: String? = nil, at site: Site
  ) -> Stop {
    .failed(.wrongType(value, expected: expected, source: source(of: template, member: member), site: site))
  }

  /// The member that a value was read from, and the peer that answered it.
  private mutating func source(of template: ValueTemplate, member inside: String?) -> String? {
    guard case .template(let placed) = template, let expression = placed.template.expressions.first,
      let member = expression.readings.first?.name
    else { return nil }
    var source = "\"\(member)\""
    if let inside { source = expression.isSelected ? "\"\(member).\(inside)\"" : "\"\(inside)\" of \(source)" }
    if member.hasPrefix("response."), let peer { source += " of \(flow.participants[peer].name)" }
    // Of what is made of a member, such as a claim, the member itself may well be of the right type.
    return expression.isSelected ? source : "\"\(expression.source)\", made of \(source),"
  }
}

extension ObjectType {
  /// Values of its fields, with empty lists and maps, which are never null, where there are none.
  func filled(_ values: [Value]) -> [Value] {
    var values = values
    for index in values.indices where values[index].isNull && index < fields.count {
      values[index] = fields[index].type.unset
    }
    return values
  }
}
