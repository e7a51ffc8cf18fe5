import Expressions
import FlowSpec

extension Step {
  /// Puts what an actor's expressions read into the frame.
  mutating func look(as actor: Actor) {
    guard looking != actor else { return }
    looking = actor
    switch actor {
    case .app:
      frame.roots[Root.store.rawValue] = snapshot.app.store
      frame.roots[Root.memory.rawValue] = snapshot.app.run?.memory ?? []
      frame.roots[Root.config.rawValue] = snapshot.app.config
    case .exchange(let flight):
      guard let index = index(ofExchange: flight) else { return }
      frame.roots[Root.store.rawValue] = snapshot.services[snapshot.exchanges[index].service]
      frame.roots[Root.memory.rawValue] = snapshot.exchanges[index].run.memory
      frame.roots[Root.config.rawValue] = machine(of: actor).configValues
      frame.roots[Root.request.rawValue] = snapshot.exchanges[index].request
    case .service(let service):
      frame.roots[Root.store.rawValue] = snapshot.services[service]
      frame.roots[Root.memory.rawValue] = []
      // What a scenario gives reads the flow's config, for services too.
      frame.roots[Root.config.rawValue] = snapshot.app.config
    }
  }

  /// Lets go of what the actor may change.
  mutating func lookAway() {
    looking = nil
    frame.roots[Root.store.rawValue] = []
    frame.roots[Root.memory.rawValue] = []
  }

  /// What expressions read of the device; to be called when it changes.
  mutating func lookAtDevice() {
    let device = snapshot.device
    frame.roots[Root.device.rawValue] = [.bool(device.native), .bool(device.online), .string(device.platform)]
  }

  /// `now`; to be called when the clock moves.
  mutating func lookAtClock() { frame.roots[Root.now.rawValue] = [.timestamp(snapshot.now)] }

  mutating func evaluate(_ placed: PlacedExpression) throws(Stop) -> Value {
    do throws(EvaluationError) {
      return try placed.expression.evaluate(&frame)
    } catch {
      throw .failed(.evaluation(error, site: Site(of: error, in: placed)))
    }
  }

  /// `nil` when the template is absent.
  mutating func evaluate(_ placed: PlacedTemplate) throws(Stop) -> Value? {
    do throws(EvaluationError) {
      return try placed.template.evaluate(&frame)
    } catch {
      throw .failed(.evaluation(error, site: Site(of: error, in: placed)))
    }
  }

  /// The value of a template with its members; `nil` when it is absent.
  ///
  /// What is kept can so not grow step by step without bound.
  mutating func build(_ template: ValueTemplate) throws(Stop) -> Value? {
    if case .literal(let value) = template { return value }
    let value = try compose(template)
    if value?.isTooLarge == true { throw .failed(.valueTooLarge(site: template.site)) }
    return value
  }

  private mutating func compose(_ template: ValueTemplate) throws(Stop) -> Value? {
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
      for member in members {
        guard let value = try compose(member.value) else { continue }
        entries.append(ValueMap.Entry(key: .string(member.name), value: value))
      }
      return .map(ValueMap(distinct: entries))
    }
  }

  /// What stands in a path, a query, a header, a form: a scalar as text; `nil` when it is absent.
  mutating func text(_ template: ValueTemplate, site: Site) throws(Stop) -> Text? {
    guard let value = try build(template) else { return nil }
    return try text(value, site: site)
  }

  mutating func text(_ placed: PlacedTemplate) throws(Stop) -> Text? {
    guard let value = try evaluate(placed) else { return nil }
    return try text(value, site: placed.site)
  }

  func text(_ value: Value, site: Site) throws(Stop) -> Text {
    if let text = value.asText { return text }
    throw .failed(.textNeeded(value, site: site))
  }

  /// Fields by name as text, the absent ones dropped; `site` is of the object they stand in.
  mutating func texts(_ fields: [FieldValue], site: Site) throws(Stop) -> [NamedValue] {
    var values: [NamedValue] = []
    for field in fields {
      guard let text = try text(field.value, site: field.value.site ?? site) else { continue }
      values.append(NamedValue(name: field.name, value: .string(text)))
    }
    return values
  }

  /// Fields by name with their types kept, the absent ones dropped.
  mutating func values(_ fields: [FieldValue]) throws(Stop) -> [NamedValue] {
    var values: [NamedValue] = []
    for field in fields {
      guard let value = try build(field.value) else { continue }
      values.append(NamedValue(name: field.name, value: value))
    }
    return values
  }

  /// Whether a condition holds; `decisions` gets the lines that decided it.
  mutating func holds(_ condition: Condition, decisions: inout [Decision]) throws(Stop) -> Bool {
    switch condition {
    case .expression(let placed):
      let value = try evaluate(placed)
      guard case .bool(let holds) = value else {
        throw .failed(.conditionNotBool(value, site: placed.site))
      }
      if isRecording { decisions.append(decision(placed, holds: holds)) }
      return holds
    case .all(let conditions):
      return try decide(conditions, until: false, decisions: &decisions)
    case .any(let conditions):
      return try decide(conditions, until: true, decisions: &decisions)
    case .not(let condition):
      return try !holds(condition, decisions: &decisions)
    }
  }

  /// Looks at conditions in order until one answers `answer`; that one alone has then decided.
  private mutating func decide(
    _ conditions: [Condition], until answer: Bool, decisions: inout [Decision]
  ) throws(Stop) -> Bool {
    var collected: [Decision] = []
    for condition in conditions {
      var own: [Decision] = []
      if try holds(condition, decisions: &own) == answer {
        decisions += own
        return answer
      }
      collected += own
    }
    decisions += collected
    return !answer
  }

  private mutating func decision(_ placed: PlacedExpression, holds: Bool) -> Decision {
    var readings: [NamedValue] = []
    readings.reserveCapacity(placed.expression.readings.count)
    for reading in placed.expression.readings {
      guard let value = reading.evaluate(&frame), !value.isTable else { continue }
      readings.append(NamedValue(name: reading.name, value: value))
    }
    return Decision(line: placed.expression.source, holds: holds, readings: readings, refs: placed.refs)
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
    let value = unwrapped
    return value.text ?? value.scalarText.map { Text($0) }
  }

  /// Rows by key: too much to show where only one of them was asked for.
  fileprivate var isTable: Bool {
    guard case .map(let rows) = self, !rows.isEmpty else { return false }
    return rows.entries.allSatisfy { if case .map = $0.value { true } else { false } }
  }
}
