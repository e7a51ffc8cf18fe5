import Expressions

/// Aliases of texts that are one origin from end to end, found by its digest without hashing.
struct OriginTable: Sendable {
  private(set) var entries: [(key: Text.OriginKey, alias: String)] = []
  /// From the place of its digest on which entry it is, at most half of them; -1 for none.
  private var places = [Int](repeating: -1, count: 64)

  subscript(key: Text.OriginKey) -> String? {
    let place = place(of: key)
    return places[place] < 0 ? nil : entries[places[place]].alias
  }

  /// Where it stands, or would stand.
  private func place(of key: Text.OriginKey) -> Int {
    var place = key.digest & (places.count - 1)
    while places[place] >= 0, entries[places[place]].key != key { place = (place + 1) & (places.count - 1) }
    return place
  }

  /// Adds one that is not there; gives its index.
  mutating func add(_ alias: String, for key: Text.OriginKey) -> Int {
    if entries.isEmpty { entries.reserveCapacity(32) }
    entries.append((key, alias))
    if 2 * entries.count > places.count {
      places = Array(repeating: -1, count: 4 * places.count)
      for index in entries.indices { places[place(of: entries[index].key)] = index }
    } else {
      places[place(of: key)] = entries.count - 1
    }
    return entries.count - 1
  }
}
