extension Value {
  /// The most that one value may weigh where it is kept or sent.
  package static let mostWeight = 1 << 20

  /// As deep as a document may be: whatever looks through a value recurses, and stacks are small on some threads.
  fileprivate static let mostDepth = 128

  /// Whether it weighs more than a value may, or is deeper; looks no further than that.
  package var isTooLarge: Bool {
    switch self {
    case .null, .bool, .int, .double, .timestamp, .duration, .optional(nil): return false
    case .string(let text) where text.isSmall: return false
    default:
      var rest = Self.mostWeight
      take(from: &rest, depth: Self.mostDepth)
      return rest < 0
    }
  }

  fileprivate func take(from rest: inout Int, depth: Int) {
    rest = depth < 0 ? -1 : rest - 1
    guard rest >= 0 else { return }
    switch self {
    case .string(let text): text.take(from: &rest, depth: depth)
    case .list(let elements):
      for index in elements.indices where rest >= 0 { elements[index].take(from: &rest, depth: depth - 1) }
    case .map(let map):
      for index in map.entries.indices where rest >= 0 {
        map.entries[index].key.take(from: &rest, depth: depth)
        map.entries[index].value.take(from: &rest, depth: depth - 1)
      }
    case .optional(let value?): value.take(from: &rest, depth: depth - 1)
    default: break
    }
  }
}

extension Text {
  /// Whether it is surely much smaller than what may be kept.
  fileprivate var isSmall: Bool {
    switch form {
    case .plain(let string): string.utf8.count < Value.mostWeight
    case .whole(let whole): whole.origin.isMade
    case .mixed: false
    }
  }

  /// Its bytes, and what its marks need beside them; no more than sixteen times what may be kept.
  var weight: Int {
    let most = 16 * Value.mostWeight
    var rest = most
    take(from: &rest, depth: Value.mostDepth)
    return most - rest
  }

  fileprivate func take(from rest: inout Int, depth: Int) {
    switch form {
    case .plain(let string): rest -= string.utf8.count
    case .whole(let whole):
      rest -= whole.secret == nil ? 64 : 128
      whole.origin.take(from: &rest, depth: depth)
    case .mixed(let mixed): rest -= mixed.string.utf8.count + 64 * mixed.spans.count
    }
  }
}

extension Origin {
  /// Not made of other values; names are short, as an expression is no longer than may be kept.
  fileprivate var isMade: Bool {
    switch self {
    case .fresh, .identifier: true
    case .derived: false
    }
  }

  /// About the bytes of its text, which is not made for this.
  fileprivate func take(from rest: inout Int, depth: Int) {
    guard depth >= 0, rest >= 0 else {
      rest = -1
      return
    }
    switch self {
    case .fresh(let name, _, _), .identifier(let name, _): rest -= max(43, name.utf8.count + 8)
    case .derived(.s256, _): rest -= 43
    case .derived(_, let arguments):
      rest -= 64
      let before = rest
      for argument in arguments where rest >= 0 { argument.take(from: &rest, depth: depth - 1) }
      // An encoding writes one byte as two, or even three.
      rest -= before - rest
    }
  }
}
