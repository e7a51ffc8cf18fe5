import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  mutating func write(_ name: StaticString, _ value: Value) {
    line.name(name)
    write(value)
  }

  mutating func write(_ name: StaticString, _ text: Text) {
    line.name(name)
    aliases.write(text, to: &line)
  }

  /// An object of named values, nothing when there is none.
  ///
  /// What stands under one name several times becomes a list.
  mutating func write(_ name: StaticString, _ values: [NamedValue]) {
    guard !values.isEmpty else { return }
    line.name(name)
    line.beginObject()
    let areDistinct = values.areSurelyDistinct
    for index in values.indices {
      let name = values[index].name
      if !areDistinct, values[..<index].contains(where: { $0.name == name }) { continue }
      line.name(name)
      if !areDistinct, values[(index + 1)...].contains(where: { $0.name == name }) {
        write(.list(values.filter { $0.name == name }.map(\.value)))
      } else {
        write(values[index].value)
      }
    }
    line.endObject()
  }

  mutating func write(_ value: Value) {
    switch value {
    case .null, .optional(nil): line.null()
    case .bool(let bool): line.bool(bool)
    case .int(let int): line.int(int)
    case .double(let double): line.double(double)
    case .string(let text): aliases.write(text, to: &line)
    case .timestamp(let timestamp): line.string(timestamp.text)
    case .duration(let duration): line.string(duration.text)
    case .optional(let value?): write(value)
    case .list(let elements):
      line.beginArray()
      for element in elements { write(element) }
      line.endArray()
    case .map(let map):
      line.beginObject()
      for entry in map.entries {
        writeName(entry.key)
        if !hidden.isEmpty, let name = entry.key.text?.string, hidden.contains(name) {
          write(entry.value.veiled(as: name))
        } else {
          write(entry.value)
        }
      }
      line.endObject()
    }
  }

  private mutating func writeName(_ key: Value) {
    switch key {
    case .string(let text):
      aliases.writeName(text, to: &line)
    case .int(let int): line.name("\(int)")
    case .bool(let bool): line.name("\(bool)")
    default: preconditionFailure("The key of a map is a string, a whole number or a bool.")
    }
  }
}

extension [NamedValue] {
  /// Whether no two have one name, as far as that shows at a glance: by lengths and last bytes, of ASCII alone.
  fileprivate var areSurelyDistinct: Bool {
    var seen: UInt64 = 0
    for index in indices {
      guard let bit = self[index].name.distinction, seen & bit == 0 else { return false }
      seen |= bit
    }
    return true
  }
}

extension String {
  /// One of 64 bits; `nil` where it is not of ASCII, since then names that differ in their bytes may be equal.
  fileprivate var distinction: UInt64? {
    let utf8 = utf8
    guard let last = utf8.last, utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return 1 << ((utf8.count &* 7 &+ Int(last)) & 63)
  }
}
