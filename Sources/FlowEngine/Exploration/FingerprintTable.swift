/// Which number each fingerprint has, by order of adding; a table with open places, at most half full.
struct FingerprintTable {
  private var all: [Fingerprint] = []
  /// Numbers, -1 where there is none; as many as a power of two.
  private var places = Array(repeating: Int32(-1), count: 1024)

  /// The number of a fingerprint, `nil` when it was not added.
  subscript(_ fingerprint: Fingerprint) -> Int? {
    let found = places[place(of: fingerprint)]
    return found < 0 ? nil : Int(found)
  }

  /// Adds a fingerprint that is not there yet.
  mutating func add(_ fingerprint: Fingerprint) {
    if 2 * all.count >= places.count { grow() }
    places[place(of: fingerprint)] = Int32(all.count)
    all.append(fingerprint)
  }

  /// Where it stands, or would stand: a fingerprint says by itself where to begin.
  private func place(of fingerprint: Fingerprint) -> Int {
    var place = Int(truncatingIfNeeded: fingerprint.first) & (places.count - 1)
    while places[place] >= 0, all[Int(places[place])] != fingerprint { place = (place + 1) & (places.count - 1) }
    return place
  }

  private mutating func grow() {
    places = Array(repeating: -1, count: 2 * places.count)
    for number in all.indices { places[place(of: all[number])] = Int32(number) }
  }
}
