extension Value {
  /// The most that one value may weigh where it is kept or sent.
  package static let mostWeight = 1 << 20

  /// As deep as a document may be: whatever looks through a value recurses, and stacks are small on some threads.
  package static let mostDepth = 128

  /// Whether it weighs more than a value may, or is deeper.
  package var isTooLarge: Bool {
    switch self {
    case .null, .bool, .int, .double, .timestamp, .duration, .optional(nil): return false
    case .string(let text) where text.isSmall: return false
    default: return weighs(more: Self.mostWeight)
    }
  }

  /// About its bytes.
  package var weight: Int { Burden(of: self).weight }

  /// Whether it weighs more than that, or is deeper than a table of values may be.
  package func weighs(more most: Int) -> Bool {
    let burden = Burden(of: self)
    return burden.weight > most || burden.depth > (most > Self.mostWeight ? Self.mostDepth + 2 : Self.mostDepth)
  }
}

extension Text {
  /// Whether it is surely no larger than what may be kept; a text that stands alone is counted to the byte.
  fileprivate var isSmall: Bool {
    switch form {
    case .plain(let plain): plain.length <= Value.mostWeight
    case .whole(let whole): whole.burden.isSmall
    case .mixed(let mixed): mixed.burden.isSmall
    }
  }

  /// Its bytes, and what its marks need beside them; no more than sixteen times what may be kept.
  var weight: Int {
    switch form {
    case .plain(let plain): plain.length
    case .whole(let whole): min(whole.burden.weight, 16 * Value.mostWeight)
    case .mixed(let mixed): min(mixed.burden.weight, 16 * Value.mostWeight)
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
    case .fresh(let name, _, _), .identifier(let name, _, _):
      (weight, depth) = (mark + max(43, name.utf8.count + 8), 0)
    case .derived(let derivation, let argument):
      let inner = Burden(of: argument)
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
      case .secret, .kept: sum = sum + .of(64)
      // Its text was counted.
      case .origin(.fresh), .origin(.identifier): sum = sum + .of(64)
      case .origin(let origin): sum = sum + Burden(of: origin, isSecret: false)
      case .digest(let text): sum = sum + Burden(of: .derived(.s256, .string(text)), isSecret: false)
      }
    }
    self = sum
  }

  /// Whether it is no more than what may be kept.
  fileprivate var isSmall: Bool { weight <= Value.mostWeight && depth <= Value.mostDepth }

  fileprivate init(of value: Value) {
    self = .none
    add(value)
  }

  private init(_ weight: Int, _ depth: Int) { (self.weight, self.depth) = (weight, depth) }

  /// More than may ever be kept; there is no need to count further.
  private static let most = 64 * Value.mostWeight
  fileprivate static let none = Burden(0, 0)

  fileprivate static func + (left: Burden, right: Burden) -> Burden {
    Burden(min(left.weight + right.weight, most), max(left.depth, right.depth))
  }

  fileprivate static func of(_ weight: Int) -> Burden { Burden(min(weight, most), 0) }

  /// Of what it stands in; nothing makes it no deeper.
  private var inside: Burden { Burden(min(weight + 1, Self.most), weight == 0 ? 0 : depth + 1) }

  /// Adds what stands beside it.
  @inline(__always)
  private mutating func add(_ value: Value) {
    switch value {
    case .null, .bool, .int, .double, .timestamp, .duration, .optional(nil): self = self + .of(1)
    case .string(let text):
      switch text.form {
      case .plain(let plain): self = self + .of(1 + plain.length)
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
      self = self + Burden(of: value).inside
    default: self = self + .of(1)
    }
  }
}
