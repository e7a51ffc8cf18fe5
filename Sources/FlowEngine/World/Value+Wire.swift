import Expressions

extension Value {
  /// The value as it arrives in a JSON body: instants and durations are text there, and names are strings; what only
  /// a simulated peer could read would fail with the real one.
  var onTheWire: Value {
    if isOnTheWire { return self }
    return switch self {
    case .null, .bool, .int, .double, .string: self
    case .timestamp, .duration: .string(asText ?? Text(""))
    case .optional(let inner): inner?.onTheWire ?? .null
    case .list(let elements): .list(elements.map(\.onTheWire))
    case .map(let map): .map(Self.object(map))
    }
  }

  /// Whether there is nothing in it that arrives as something else.
  private var isOnTheWire: Bool {
    switch self {
    case .null, .bool, .int, .double, .string: true
    case .timestamp, .duration, .optional: false
    case .list(let elements): !elements.indices.contains { !elements[$0].isOnTheWire }
    case .map(let map): Self.areOnTheWire(map.entries)
    }
  }

  private static func areOnTheWire(_ entries: [ValueMap.Entry]) -> Bool {
    for index in entries.indices {
      guard case .string = entries[index].key, entries[index].value.isOnTheWire else { return false }
    }
    return true
  }

  private static func object(_ map: ValueMap) -> ValueMap {
    var object = ValueMap()
    for entry in map.entries { object[.string(entry.key.asText ?? Text(""))] = entry.value.onTheWire }
    return object
  }

  /// A text of an address as a declared field reads it; null when it is none of its type.
  package func read(as type: ValueType) -> Value {
    switch type {
    case .bool: read { ["true": .bool(true), "false": .bool(false)][$0] }
    case .int: read { Int64($0).map { .int($0) } }
    case .double: read { Double($0).map { .double($0) } }
    case .timestamp: read { Timestamp(text: $0).map { .timestamp($0) } }
    case .duration: read { Duration(celText: $0, allowingDays: true).map { .duration($0) } }
    default: self
    }
  }

  private func read(_ parse: (String) -> Value?) -> Value {
    guard let text = text?.string else { return self }
    return parse(text) ?? .null
  }
}
