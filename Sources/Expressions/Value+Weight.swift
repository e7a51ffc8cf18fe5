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
    default: return weighs(more: Self.mostWeight)
    }
  }

  /// Whether it weighs more than that, or is deeper than a table of values may be; looks no further.
  package func weighs(more most: Int) -> Bool {
    var rest = most
    take(from: &rest, depth: most > Self.mostWeight ? Self.mostDepth + 2 : Self.mostDepth)
    return rest < 0
  }

  @inline(__always)
  fileprivate func take(from rest: inout Int, depth: Int) {
    rest = depth < 0 ? -1 : rest - 1
    guard rest >= 0 else { return }
    switch self {
    case .null, .bool, .int, .double, .timestamp, .duration, .optional(nil): break
    case .string(let text): text.take(from: &rest, depth: depth)
    case .list, .map, .optional: takeInside(from: &rest, depth: depth)
    }
  }

  private func takeInside(from rest: inout Int, depth: Int) {
    switch self {
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
    case .whole(let whole): whole.burden.isSmall
    case .mixed(let mixed): mixed.burden.isSmall
    }
  }

  /// Its bytes, and what its marks need beside them; no more than sixteen times what may be kept.
  var weight: Int {
    if case .plain(let string) = form { return string.utf8.count }
    let most = 16 * Value.mostWeight
    var rest = most
    take(from: &rest, depth: Value.mostDepth)
    return most - rest
  }

  fileprivate func take(from rest: inout Int, depth: Int) {
    switch form {
    case .plain(let string): rest -= string.utf8.count
    case .whole(let whole): whole.burden.take(from: &rest, depth: depth)
    case .mixed(let mixed): mixed.burden.take(from: &rest, depth: depth)
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
    case .derived(let derivation, let argument):
      var inner = Burden.none
      inner.add(argument)
      // What it was made of is kept with it. An encoding writes one byte as two, or even three; a digest has 43.
      let text = derivation == .s256 ? 43 : 64 + inner.weight
      (weight, depth) = (min(mark + text + inner.weight, Self.most), inner.depth + 1)
    }
  }

  /// Of the same origin under another mark; `nil` where that has to be counted anew.
  func marked(from isSecret: Bool, to willBe: Bool) -> Burden? {
    if isSecret == willBe { return self }
    if !willBe, weight == Self.most { return nil }
    return Burden(min(weight + (willBe ? 64 : -64), Self.most), depth)
  }

  /// Of a text with marks, and of what its fresh parts were made of.
  init(of string: String, _ spans: [Text.Span]) {
    var sum = Burden.of(string.utf8.count)
    for span in spans {
      switch span.kind {
      case .secret: sum = sum + .of(64)
      // Its text was counted.
      case .origin(.fresh), .origin(.identifier): sum = sum + .of(64)
      case .origin(let origin): sum = sum + Burden(of: origin, isSecret: false)
      case .digest(let text): sum = sum + Burden(of: .derived(.s256, .string(text)), isSecret: false)
      }
    }
    self = sum
  }

  /// Whether it is surely less than what may be kept.
  fileprivate var isSmall: Bool { weight < Value.mostWeight && depth < Value.mostDepth }

  fileprivate func take(from rest: inout Int, depth most: Int) { rest = depth > most ? -1 : rest - weight }

  private init(_ weight: Int, _ depth: Int) { (self.weight, self.depth) = (weight, depth) }

  /// More than may ever be kept; there is no need to count further.
  private static let most = 64 * Value.mostWeight
  fileprivate static let none = Burden(0, 0)

  fileprivate static func + (left: Burden, right: Burden) -> Burden {
    Burden(min(left.weight + right.weight, most), max(left.depth, right.depth))
  }

  fileprivate static func of(_ weight: Int) -> Burden { Burden(min(weight, most), 0) }

  private var inside: Burden { Burden(min(weight + 1, Self.most), depth + 1) }

  /// Adds what stands beside it.
  @inline(__always)
  private mutating func add(_ value: Value) {
    switch value {
    case .null, .bool, .int, .double, .timestamp, .duration, .optional(nil): self = self + .of(1)
    case .string(let text):
      switch text.form {
      case .plain(let string): self = self + .of(1 + string.utf8.count)
      case .whole(let whole): self = self + .of(1) + whole.burden
      case .mixed(let mixed): self = self + .of(1) + mixed.burden
      }
    case .list, .map, .optional: addInside(value)
    }
  }

  private mutating func addInside(_ value: Value) {
    switch value {
    case .list(let elements):
      var inner = Burden.none
      for index in elements.indices { inner.add(elements[index]) }
      self = self + inner.inside
    case .map(let map):
      var inner = Burden.none
      for index in map.entries.indices {
        inner.add(map.entries[index].key)
        inner.add(map.entries[index].value)
      }
      self = self + inner.inside
    case .optional(let value?):
      var inner = Burden.none
      inner.add(value)
      self = self + inner.inside
    default: self = self + .of(1)
    }
  }
}
