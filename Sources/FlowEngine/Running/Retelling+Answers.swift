import Expressions
import FlowSpec

/// Answers that no model gave, without what is secret in them.
extension Retelling {
  /// An answer as a fault writes it.
  mutating func json(_ answer: Response, to flight: Flight, in snapshot: Snapshot) -> String {
    var step = FlowEngine.Step(world: world, snapshot: snapshot, isRecording: false)
    var parts = answer.parts
    step.mark(&parts, of: flight)
    let body: [(name: String, json: String)] =
      switch parts.body {
      case .json(let value):
        [("json", shown(value, named: "secret", by: world.secrets(of: flight.request.service)).asTemplateJSON)]
      case .text(let text): [("text", quoted(hidden(text, named: "secret").string.asTemplate))]
      case .form, nil: []
      }
    return object([("status", "\(answer.status)")] + body)
  }

  /// A value with stand-ins for what is secret in it, and 0 and false for numbers and bools, which carry no mark; a JWT of
  /// a model is one still, that says the same.
  private mutating func shown(
    _ value: Value, named name: String, by names: SecretNames, isSecret: Bool = false
  ) -> Value {
    switch value {
    case .string(let text):
      let token = text.token { shown(names.marked($0), named: name, by: names, isSecret: isSecret) }
      return .string(token.map { Text($0) } ?? hidden(text, named: name))
    case .list(let elements): return .list(elements.map { shown($0, named: name, by: names, isSecret: isSecret) })
    case .map(let map):
      let entries = map.entries.map { entry in
        let name = entry.key.text.flatMap { $0.isSecret ? nil : $0.string } ?? name
        let isSecret = isSecret || names.hides(member: entry.key)
        let key = entry.key.text.map { Value.string(hidden($0, named: "key")) } ?? entry.key
        return NamedValue(key: key, value: shown(entry.value, named: name, by: names, isSecret: isSecret))
      }
      return .map(ValueMap(distinct: entries))
    case .int, .double, .bool: return isSecret && !Value.ofAllTypes.contains(value) ? value.blank : value
    default: return value
    }
  }
}

extension Value {
  fileprivate var blank: Value {
    switch self {
    case .int: .int(0)
    case .double: .double(0)
    default: .bool(false)
    }
  }
}
