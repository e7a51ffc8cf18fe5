/// Where each of many fresh values and identifiers stands among them: a table with thousands of rows makes as many.
struct MadePlaces {
  /// So many are found faster by looking at them.
  static let few = 32

  /// Of each its index, by what it is, at most half of them; -1 for none.
  ///
  /// Of no more than few it says nothing.
  private var places: [Int32] = []

  /// Adds the last of them.
  mutating func add(_ made: Pile<EncodedPart.Made>) {
    guard made.count > Self.few else { return }
    if made.count == Self.few + 1 || 2 * made.count > places.count {
      places = Array(repeating: -1, count: max(4 * Self.few, made.count == Self.few + 1 ? 0 : 2 * places.count))
      for index in made.indices { places[place(of: made[index], in: made)] = Int32(index) }
    } else {
      places[place(of: made[made.count - 1], in: made)] = Int32(made.count - 1)
    }
  }

  /// `nil` where it is none of them.
  func index(of sought: EncodedPart.Made, in made: Pile<EncodedPart.Made>) -> Int? {
    let index = places[place(of: sought, in: made)]
    return index < 0 ? nil : Int(index)
  }

  /// Where it stands, or would stand.
  private func place(of sought: EncodedPart.Made, in made: Pile<EncodedPart.Made>) -> Int {
    var place = Int(truncatingIfNeeded: (sought.word &* 0x9E37_79B9_7F4A_7C15) >> 32) & (places.count - 1)
    while places[place] >= 0, made[Int(places[place])] != sought { place = (place + 1) & (places.count - 1) }
    return place
  }
}
