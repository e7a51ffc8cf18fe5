import Expressions

extension Value {
  /// The value as it arrives in a JSON body: instants and durations are text there, and names are strings; what only
  /// a simulated peer could read would fail with the real one.
  var onTheWire: Value {
    switch self {
    case .null, .bool, .int, .double, .string: self
    case .timestamp, .duration: .string(scalarText ?? Text(""))
    case .optional(let inner): inner?.onTheWire ?? .null
    case .list(let elements): .list(elements.map(\.onTheWire))
    case .map(let map): .map(Self.object(map))
    }
  }

  private static func object(_ map: ValueMap) -> ValueMap {
    var object = ValueMap()
    for entry in map.entries { object[.string(entry.key.scalarText ?? Text(""))] = entry.value.onTheWire }
    return object
  }
}
