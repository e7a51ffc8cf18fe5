import Expressions
import FlowSpec

/// Answers that no model gave, without what is secret in them.
extension Retelling {
  /// An answer as a fault writes it.
  mutating func json(_ answer: Response, to flight: Flight, in snapshot: Snapshot) -> String {
    var step = FlowEngine.Step(world: world, snapshot: snapshot, isRecording: false)
    var parts = answer.parts
    step.mark(&parts, of: flight)
    var members = [(name: "status", json: "\(answer.status)")]
    let headers = parts.headers.filter { $0.value.text != nil }.map { header in
      (header.name, hidden(header.value.text ?? Text(""), named: header.name))
    }
    if !headers.isEmpty {
      members.append(("headers", object(headers.map { ($0, quoted($1.string.asTemplate)) })))
    }
    switch parts.body {
    case .json(let value):
      var shown = ShownAnswer(names: world.secrets(of: flight.request.service))
      shown.collect(value, isSecret: false)
      members.append(("json", shown.shown(value, named: "secret", isSecret: false, &self).asTemplateJSON))
    case .text(let text): members.append(("text", quoted(hidden(text, named: "secret").string.asTemplate)))
    case .form, nil: break
    }
    return object(members)
  }
}

/// The JSON of an answer, of which some is secret.
private struct ShownAnswer {
  let names: SecretNames
  /// Numbers that are secret where they stand, and long enough for it to be no chance where they stand elsewhere.
  var numbers: Set<String> = []

  /// Notes the numbers that are secret by what they are called.
  mutating func collect(_ value: Value, isSecret: Bool) {
    switch value {
    case .list(let elements): for element in elements { collect(element, isSecret: isSecret) }
    case .map(let map):
      for entry in map.entries { collect(entry.value, isSecret: isSecret || names.hides(member: entry.key)) }
    case .int, .double: if isSecret, let text = value.longNumber { numbers.insert(text) }
    default: break
    }
  }

  /// A value with stand-ins for what is secret in it, and 0 and false for numbers and bools, which carry no mark.
  ///
  /// A JWT in which something is made for it is one still, that says the same otherwise.
  func shown(_ value: Value, named name: String, isSecret: Bool, _ retelling: inout Retelling) -> Value {
    switch value {
    case .string(let text):
      let token = text.token { shown(names.marked($0), named: name, isSecret: isSecret, &retelling) }
      return .string(token.map { Text($0) } ?? retelling.hidden(text, named: name))
    case .list(let elements):
      return .list(elements.map { shown($0, named: name, isSecret: isSecret, &retelling) })
    case .map(let map):
      let entries = map.entries.map { entry in
        let name = entry.key.text.flatMap { $0.isSecret ? nil : $0.string } ?? name
        let isSecret = isSecret || names.hides(member: entry.key)
        let key = entry.key.text.map { Value.string(retelling.hidden($0, named: "key")) } ?? entry.key
        return NamedValue(key: key, value: shown(entry.value, named: name, isSecret: isSecret, &retelling))
      }
      return .map(ValueMap(distinct: entries))
    case .int: return isSecret || value.longNumber.map(numbers.contains) == true ? .int(0) : value
    case .double: return isSecret || value.longNumber.map(numbers.contains) == true ? .double(0) : value
    case .bool: return isSecret ? .bool(false) : value
    default: return value
    }
  }
}

extension Value {
  /// A number as it is written, where that is long enough to be known elsewhere.
  fileprivate var longNumber: String? {
    scalarText.flatMap { $0.utf8.count < Echoes.leastLength ? nil : $0 }
  }
}
