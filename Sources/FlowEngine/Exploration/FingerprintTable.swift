/// Which number each fingerprint has; a table with open places, at most three quarters full.
struct FingerprintTable {
  private struct Place {
    var fingerprint = Fingerprint(first: 0, second: 0)
    /// -1 where there is none.
    var number: Int32 = -1
  }

  /// As many as a power of two.
  private var places = Array(repeating: Place(), count: 1024)
  private var count = 0

  /// The number of a fingerprint, `nil` when it was not added.
  subscript(_ fingerprint: Fingerprint) -> Int? {
    let number = places[index(of: fingerprint)].number
    return number < 0 ? nil : Int(number)
  }

  /// Adds a fingerprint that is not there yet.
  mutating func add(_ fingerprint: Fingerprint, number: Int) {
    if 4 * count >= 3 * places.count { grow() }
    places[index(of: fingerprint)] = Place(fingerprint: fingerprint, number: Int32(number))
    count += 1
  }

  /// Shows all of them, in an order that says nothing.
  func visit(_ body: (Fingerprint, _ number: Int) -> Void) {
    for place in places where place.number >= 0 { body(place.fingerprint, Int(place.number)) }
  }

  /// Where it stands, or would stand: a fingerprint says by itself where to begin.
  private func index(of fingerprint: Fingerprint) -> Int {
    var index = Int(truncatingIfNeeded: fingerprint.first) & (places.count - 1)
    while places[index].number >= 0, places[index].fingerprint != fingerprint {
      index = (index + 1) & (places.count - 1)
    }
    return index
  }

  private mutating func grow() {
    var old = Array(repeating: Place(), count: 2 * places.count)
    swap(&old, &places)
    for place in old where place.number >= 0 { places[index(of: place.fingerprint)] = place }
  }
}
