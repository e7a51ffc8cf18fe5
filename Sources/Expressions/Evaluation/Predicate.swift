/// What a value that a path leads to is asked.
enum Predicate: Sendable {
  /// That it is there at all.
  case isThere
  case isPresent
  case isNull(Bool)
  case equals(Value, Bool)

  @inline(__always)
  func holds(_ value: Value) -> Bool {
    switch self {
    case .isThere: true
    case .isPresent: value.isPresent
    case .isNull(let expected): value.isNull == expected
    case .equals(let other, let expected): value.isEqual(to: other) == expected
    }
  }
}
