import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  mutating func write(_ name: StaticString, _ value: Value, to line: inout JSONLine) {
    line.name(name)
    write(value, to: &line)
  }

  mutating func write(_ name: StaticString, _ text: Text, to line: inout JSONLine) {
    line.name(name)
    aliases.write(text, to: &line)
  }

  /// An object of named values, nothing when there is none.
  ///
  /// What stands under one name several times becomes a list.
  mutating func write(_ name: StaticString, _ values: [NamedValue], to line: inout JSONLine) {
    guard !values.isEmpty else { return }
    line.name(name)
    let areDistinct = values.areSurelyDistinct
    for index in values.indices {
      let name = values[index].name
      if !areDistinct, values[..<index].contains(where: { $0.name == name }) { continue }
      line.raw(index == 0 ? "{" : ",")
      line.string(name)
      line.raw(":")
      if !areDistinct, values[(index + 1)...].contains(where: { $0.name == name }) {
        write(.list(values.filter { $0.name == name }.map(\.value)), to: &line)
      } else {
        write(values[index].value, to: &line)
      }
    }
    line.raw("}")
  }

  mutating func write(_ value: Value, to line: inout JSONLine) {
    switch value {
    case .null, .optional(nil): line.raw("null")
    case .bool(let bool): line.raw(bool ? "true" : "false")
    case .int(let int): line.int(int)
    case .double(let double): line.double(double)
    case .string(let text): aliases.write(text, to: &line)
    case .timestamp(let timestamp): line.string(timestamp.text)
    case .duration(let duration): line.string(duration.text)
    case .optional(let value?): write(value, to: &line)
    case .list(let elements):
      line.raw("[")
      for index in elements.indices {
        if index > 0 { line.raw(",") }
        write(elements[index], to: &line)
      }
      line.raw("]")
    case .map(let map): write(map, to: &line)
    }
  }

  private mutating func write(_ map: ValueMap, to line: inout JSONLine) {
    line.raw("{")
    for index in map.entries.indices {
      if index > 0 { line.raw(",") }
      switch map.entries[index].key {
      case .string(let text): aliases.write(text, to: &line)
      case .int(let int): line.string("\(int)")
      case .bool(let bool): line.string("\(bool)")
      default: preconditionFailure("The key of a map is a string, a whole number or a bool.")
      }
      line.raw(":")
      if case .string(let key) = map.entries[index].key, words.secrets.hides(key.plain ?? key.string, between: hiding) {
        write(map.entries[index].value.veiled(as: key.string), to: &line)
      } else {
        write(map.entries[index].value, to: &line)
      }
    }
    line.raw("}")
  }
}

extension [NamedValue] {
  /// Whether no two have one name, as far as that shows at a glance: by lengths and last bytes, of ASCII alone.
  fileprivate var areSurelyDistinct: Bool {
    var seen: UInt64 = 0
    for index in indices {
      let bit = self[index].name.distinction
      guard seen & bit == 0, self[index].name.isOfASCII else { return false }
      seen |= bit
    }
    return true
  }
}
