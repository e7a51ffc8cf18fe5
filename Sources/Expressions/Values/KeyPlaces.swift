import JSONSyntax

/// Where the keys of a map stand, for one with so many that to look at each of them would take long.
///
/// They are compared as a map does, by content only.
struct KeyPlaces {
  private var texts: [ScalarString: Int] = [:]
  private var others: [Value: Int] = [:]

  /// Among so many, a key is found faster by looking at them.
  static let few = 16

  init(of map: ValueMap) {
    texts.reserveCapacity(map.count)
    for index in map.entries.indices { note(map.entries[index].key, at: index) }
  }

  subscript(key: Value) -> Int? {
    if case .string(let text) = key { texts[ScalarString(text.string)] } else { others[key] }
  }

  mutating func note(_ key: Value, at index: Int) {
    if case .string(let text) = key { texts[ScalarString(text.string)] = index } else { others[key] = index }
  }
}
