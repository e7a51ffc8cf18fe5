extension Value {
  /// The most that one value may weigh where it is kept or sent.
  package static let mostWeight = 1 << 20

  /// Whether it weighs more than a limit; looks no further than that.
  package func isHeavier(than limit: Int) -> Bool {
    var rest = limit
    take(from: &rest)
    return rest < 0
  }

  private func take(from rest: inout Int) {
    rest -= 1
    switch self {
    case .string(let text): rest -= text.weight
    case .list(let elements): for element in elements where rest >= 0 { element.take(from: &rest) }
    case .map(let map):
      for entry in map.entries where rest >= 0 {
        entry.key.take(from: &rest)
        entry.value.take(from: &rest)
      }
    case .optional(let value?): value.take(from: &rest)
    default: break
    }
  }
}

extension Text {
  /// Its bytes, and what its marks need beside them.
  var weight: Int { string.utf8.count + 64 * spans.count }
}
