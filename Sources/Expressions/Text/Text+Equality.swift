extension String {
  /// Equality by Unicode scalars, as CEL has it; `==` holds composed and decomposed letters equal.
  @inline(__always)
  package func isSame(as other: String) -> Bool { utf8.count == other.utf8.count && isSame(asOfItsLength: other) }

  private func isSame(asOfItsLength other: String) -> Bool {
    // `==` compares memory where both are ASCII, and then it has said all.
    self == other && (utf8Span.isKnownASCII || utf8.elementsEqual(other.utf8))
  }

  /// Whether `==` holds nothing else equal to it: it is ASCII, without "K", ";" and "`", for which letters beyond it stand.
  var isEqualToItselfAlone: Bool {
    var text = self
    return text.withUTF8 { $0.allSatisfy { $0 < 0x80 && $0 != 0x4B && $0 != 0x3B && $0 != 0x60 } }
  }

  /// Whether another is somewhere in it, by Unicode scalars; `contains` compares letter by letter, and takes a hundred times
  /// as long.
  func holds(_ other: String) -> Bool {
    var (whole, part) = (self, other)
    return whole.withUTF8 { whole in part.withUTF8 { whole.holds($0) } }
  }

  /// Order by Unicode scalars, which is that of the UTF-8 bytes.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func holds(_ part: Self) -> Bool {
    guard let first = part.first else { return true }
    guard count >= part.count else { return false }
    for start in 0...(count - part.count) where self[start] == first {
      if self[start..<(start + part.count)].elementsEqual(part) { return true }
    }
    return false
  }
}

extension Text {
  @usableFromInline
  package static func == (left: Text, right: Text) -> Bool {
    switch (left.form, right.form) {
    case (.plain(let left), .plain(let right)): left.isSame(as: right)
    case (.whole(let left), .whole(let right)):
      left === right
        || (left.digest == right.digest && left.secret == right.secret && left.origin == right.origin)
    case (.mixed(let left), .mixed(let right)):
      left === right || (left.string.isSame(as: right.string) && left.spans == right.spans)
    default: false
    }
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    switch form {
    case .plain(let plain): hasher.combine(plain.string)
    case .whole(let whole):
      hasher.combine(whole.secret)
      hasher.combine(whole.digest)
    case .mixed(let mixed):
      hasher.combine(mixed.string)
      hasher.combine(mixed.spans)
    }
  }

  /// Whether the strings are equal, whatever marks them.
  package func isSame(as other: Text) -> Bool {
    switch (form, other.form) {
    case (.plain(let left), .plain(let right)): left.isSame(as: right)
    case (.whole(let left), .whole(let right)):
      left === right || left.origin.isSame(as: right.origin)
    case (.plain(let plain), _): other.isSame(as: plain.string)
    case (_, .plain(let plain)): isSame(as: plain.string)
    default: string.isSame(as: other.string)
    }
  }

  func isSame(as other: String) -> Bool {
    switch form {
    case .plain(let plain): plain.string.isSame(as: other)
    case .whole(let whole): whole.origin.mayHave(length: other.utf8.count) && whole.origin.string.isSame(as: other)
    case .mixed(let mixed): mixed.string.isSame(as: other)
    }
  }

  /// Whether it may have so many bytes of UTF-8, as far as that shows without making what is fresh in it.
  package func mayHave(length: Int) -> Bool {
    switch form {
    case .plain(let plain): plain.length == length
    case .whole(let whole): whole.origin.mayHave(length: length)
    case .mixed(let mixed): mixed.string.utf8.count == length
    }
  }
}

extension Origin {
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .fresh(let name, let number, _), .identifier(let name, let number, _):
      hasher.combine(name)
      hasher.combine(number)
    case .derived(let derivation, let argument):
      hasher.combine(derivation)
      // A JWT has many members, and few look alike: going through them costs more than it tells apart.
      if case .string(let text) = argument { hasher.combine(text) }
    }
  }

  /// Alike for equal origins, and for few others.
  var digest: Int {
    switch self {
    case .fresh(let name, let number, _): name.utf8.count &* 31 &+ number
    case .identifier(let name, let number, _): ~(name.utf8.count &* 31 &+ number)
    case .derived(let derivation, let argument): ((derivation == .jwt ? 7 : 11) &* 1_000_003) ^ argument.digest
    }
  }

  package static func == (left: Origin, right: Origin) -> Bool {
    switch (left, right) {
    case (.fresh(let name, let number, let seed), .fresh(let otherName, let otherNumber, let otherSeed)),
      (.identifier(let name, let number, let seed), .identifier(let otherName, let otherNumber, let otherSeed)):
      number == otherNumber && name == otherName && seed == otherSeed
    case (.derived(let derivation, let argument), .derived(let otherDerivation, let otherArgument)):
      derivation == otherDerivation && argument == otherArgument
    default: false
    }
  }

  /// Whether two origins give one text, without making it where that shows.
  fileprivate func isSame(as other: Origin) -> Bool {
    switch (self, other) {
    case (.fresh, .fresh), (.identifier, .identifier): self == other
    default: self == other || string.isSame(as: other.string)
    }
  }
}

extension Value {
  /// Of what is fresh in it, as far down as a map of it goes.
  fileprivate var digest: Int {
    switch self {
    case .string(let text): text.digest
    case .map(let map):
      map.entries.indices.reduce(map.count) { ($0 &* 1_000_003) ^ (map.entries[$1].value.text?.digest ?? 0) }
    default: 0
    }
  }
}

extension Text {
  fileprivate var digest: Int {
    switch form {
    case .plain(let plain): plain.length
    case .whole(let whole): whole.digest
    case .mixed(let mixed): mixed.string.utf8.count
    }
  }

  /// What an origin is found by, whatever else marks its text.
  @usableFromInline
  package struct OriginKey: Equatable, Sendable {
    @usableFromInline let whole: Whole

    @usableFromInline
    init(_ whole: Whole) { self.whole = whole }

    @usableFromInline
    package static func == (left: OriginKey, right: OriginKey) -> Bool {
      left.whole === right.whole
        || (left.whole.digest == right.whole.digest && left.whole.origin == right.whole.origin)
    }

    /// Alike for equal keys.
    @inlinable package var digest: Int { whole.digest }

    package var text: Text { Text(whole) }

    /// What the text is, a secret first.
    package var kind: Span.Kind { whole.secret.map { .secret(name: $0) } ?? .origin(whole.origin) }

    /// Whether it is not shown: a secret is not, nor what is fresh or derived; an identifier is.
    package var isHidden: Bool {
      if whole.secret == nil, case .identifier = whole.origin { false } else { true }
    }
  }

  /// `nil` unless it is one origin from end to end.
  @inlinable
  package var originKey: OriginKey? { if case .whole(let whole) = form { OriginKey(whole) } else { nil } }
}
