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
    case .whole(let whole): whole.burden.weight < Value.mostWeight && whole.burden.depth < Value.mostDepth
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
      rest -= whole.burden.weight
      if whole.burden.depth > depth { rest = -1 }
    case .mixed(let mixed): rest -= mixed.string.utf8.count + 64 * mixed.spans.count
    }
  }
}

/// What a text that is one origin weighs, and how many values stand in one another in it.
struct Burden: Sendable {
  let weight: Int
  let depth: Int

  /// About the bytes of its text, which is not made for this.
  init(of origin: Origin, isSecret: Bool) {
    let mark = isSecret ? 128 : 64
    switch origin {
    case .fresh(let name, _, _), .identifier(let name, _):
      (weight, depth) = (mark + max(43, name.utf8.count + 8), 0)
    case .derived(.s256, _): (weight, depth) = (mark + 43, 0)
    case .derived(_, let arguments):
      var inner = Burden.none
      for argument in arguments { inner = inner + argument.burden }
      // An encoding writes one byte as two, or even three.
      (weight, depth) = (min(mark + 64 + 2 * inner.weight, Self.most), inner.depth + 1)
    }
  }

  private init(_ weight: Int, _ depth: Int) { (self.weight, self.depth) = (weight, depth) }

  /// More than may ever be kept; there is no need to count further.
  private static let most = 64 * Value.mostWeight
  fileprivate static let none = Burden(0, 0)

  fileprivate static func + (left: Burden, right: Burden) -> Burden {
    Burden(min(left.weight + right.weight, most), max(left.depth, right.depth))
  }

  fileprivate static func of(_ weight: Int) -> Burden { Burden(min(weight, most), 0) }

  fileprivate var inside: Burden { Burden(min(weight + 1, Self.most), depth + 1) }
}

extension Value {
  fileprivate var burden: Burden {
    switch self {
    case .string(let text):
      switch text.form {
      case .plain(let string): .of(1 + string.utf8.count)
      case .whole(let whole): whole.burden + .of(1)
      case .mixed(let mixed): .of(1 + mixed.string.utf8.count + 64 * mixed.spans.count)
      }
    case .list(let elements): elements.indices.reduce(Burden.none) { $0 + elements[$1].burden }.inside
    case .map(let map):
      map.entries.indices.reduce(Burden.none) { $0 + map.entries[$1].key.burden + map.entries[$1].value.burden }.inside
    case .optional(let value?): value.burden.inside
    default: .of(1)
    }
  }
}
