import Expressions
import FlowSpec

extension Step {
  mutating func evaluate(_ placed: PlacedExpression) throws(Stop) -> Value {
    do throws(EvaluationError) {
      return try placed.expression.evaluate(&frame)
    } catch {
      throw .failed(.evaluation(error, at: Site(of: error, in: placed), in: flow))
    }
  }

  /// `nil` when the template is absent.
  mutating func evaluate(_ placed: PlacedTemplate) throws(Stop) -> Value? {
    do throws(EvaluationError) {
      return try placed.template.evaluate(&frame)
    } catch {
      throw .failed(.evaluation(error, at: Site(of: error, in: placed), in: flow))
    }
  }

  /// The value of a template with its members; `nil` when it is absent.
  ///
  /// What is kept can so not grow step by step without bound.
  mutating func build(_ template: ValueTemplate) throws(Stop) -> Value? {
    if case .literal(let literal) = template { return literal }
    guard let value = try compose(template) else { return nil }
    if value.isTooLarge { throw .failed(.valueTooLarge(site: template.site)) }
    return value
  }

  mutating func compose(_ template: ValueTemplate) throws(Stop) -> Value? {
    switch template {
    case .literal(let value): return value
    case .template(let placed): return try evaluate(placed)
    case .list(let elements):
      var values: [Value] = []
      for element in elements { if let value = try compose(element) { values.append(value) } }
      return .list(values)
    case .object(let members):
      var entries: [ValueMap.Entry] = []
      entries.reserveCapacity(members.count)
      for index in members.indices {
        guard let value = try compose(members[index].value) else { continue }
        entries.append(ValueMap.Entry(key: members[index].key, value: consume value))
      }
      return .map(ValueMap(distinct: entries))
    }
  }

  /// What stands in a path, a query, a header, a form: a scalar as text; `nil` when it is absent.
  mutating func text(_ placed: PlacedTemplate) throws(Stop) -> Text? { try textValue(placed)?.text }

  private mutating func textValue(_ placed: PlacedTemplate) throws(Stop) -> Value? {
    if let literal = placed.literal { return literal }
    guard let value = try evaluate(placed) else { return nil }
    if value.isTooLarge { throw .failed(.valueTooLarge(site: placed.site)) }
    if case .string = value { return value }
    return .string(try text(value, site: placed.site))
  }

  func text(_ value: Value, site: Site) throws(Stop) -> Text {
    if let text = value.asText { return text }
    throw .failed(.textNeeded(value, site: site))
  }

  /// Fields by name as text, the absent ones dropped; `site` is of the object they stand in.
  mutating func texts(_ fields: [FieldValue], site: Site) throws(Stop) -> [NamedValue] {
    var values: [NamedValue] = []
    try add(fields, to: &values, site: site)
    return values
  }

  /// The same behind others.
  mutating func add(_ fields: [FieldValue], to values: inout [NamedValue], site: Site) throws(Stop) {
    guard !fields.isEmpty else { return }
    values.reserveCapacity(values.count + fields.count)
    for index in fields.indices {
      switch fields[index].value {
      case .literal(.string(let text)): values.append(NamedValue(key: fields[index].key, value: .string(text)))
      case .template(let placed):
        guard let value = try textValue(placed) else { continue }
        values.append(NamedValue(key: fields[index].key, value: value))
      case let template:
        guard let value = try build(template) else { continue }
        let text = try text(value, site: template.site ?? site)
        values.append(NamedValue(key: fields[index].key, value: .string(text)))
      }
    }
  }

  /// Fields by name with their types kept, the absent ones dropped.
  mutating func values(_ fields: [FieldValue]) throws(Stop) -> [NamedValue] {
    guard !fields.isEmpty else { return [] }
    var values: [NamedValue] = []
    values.reserveCapacity(fields.count)
    for index in fields.indices {
      guard let value = try declaredValue(fields[index]) else { continue }
      values.append(NamedValue(key: fields[index].key, value: value))
    }
    return values
  }

  /// What comes into a field, as it is declared there; `nil` when it is absent.
  mutating func declaredValue(_ field: FieldValue) throws(Stop) -> Value? {
    guard var value = try build(field.value) else { return nil }
    if let declared = field.declared { try fit(&value, as: declared, from: field.value) }
    switch value {
    case .map, .list: if let site = field.value.site { try refuseRepeatedNames(in: value, site: site) }
    default: break
    }
    return value
  }

  /// What is told as it is becomes JSON in a trace, and names in an app.
  private func refuseRepeatedNames(in value: Value, site: Site) throws(Stop) {
    var json = value
    if let name = json.becomeJSON() { throw .failed(.repeatedName(name, site: site)) }
  }

  /// Fields that nobody is told: only what is wrong in them counts.
  mutating func check(_ fields: [FieldValue]) throws(Stop) {
    for index in fields.indices { _ = try declaredValue(fields[index]) }
  }

  /// Whether a condition holds.
  mutating func holds(_ condition: Condition) throws(Stop) -> Bool {
    switch condition {
    case .expression(let placed): return try isTrue(placed)
    case .all(let conditions):
      for condition in conditions where try !holds(condition) { return false }
      return true
    case .any(let conditions):
      for condition in conditions where try holds(condition) { return true }
      return false
    case .not(let condition): return try !holds(condition)
    }
  }

  /// The same of one line.
  mutating func isTrue(_ placed: PlacedExpression) throws(Stop) -> Bool {
    do throws(EvaluationError) {
      if let holds = try placed.expression.isTrue(&frame) { return holds }
    } catch { throw .failed(.evaluation(error, at: Site(of: error, in: placed), in: flow)) }
    throw .failed(.conditionNotBool(try evaluate(placed), site: placed.site))
  }
}

extension ValueTemplate {
  /// Where it is written, or the first template in it; `nil` where there is none.
  var site: Site? {
    switch self {
    case .literal: nil
    case .template(let placed): placed.site
    case .list(let elements): elements.lazy.compactMap(\.site).first
    case .object(let members): members.lazy.compactMap(\.value.site).first
    }
  }
}

extension Value {
  /// A scalar as it stands in text; `nil` for null, lists, maps and absent optionals.
  package var asText: Text? {
    if case .string(let text) = self { return text }
    let value = unwrapped
    return value.text ?? value.scalarText.map { Text($0) }
  }
}
