/// Where the keys of a map stand, for one with so many that to look at each of them would take long.
struct KeyPlaces {
  private var places: [Key: Int] = [:]

  /// Among so many, a key is found faster by looking at them.
  static let few = 16

  init(of map: ValueMap) {
    places.reserveCapacity(map.count)
    for index in map.entries.indices { note(map.entries[index].key, at: index) }
  }

  subscript(key: Value) -> Int? { places[Key(value: key)] }

  mutating func note(_ key: Value, at index: Int) { places[Key(value: key)] = index }

  /// Compared as a map does, by content only.
  private struct Key: Hashable {
    let value: Value

    static func == (one: Key, other: Key) -> Bool {
      if case .string(let one) = one.value, case .string(let other) = other.value { return one.isSame(as: other) }
      return one.value == other.value
    }

    func hash(into hasher: inout Hasher) {
      guard case .string(let text) = value else { return value.hash(into: &hasher) }
      var string = text.string
      string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}
