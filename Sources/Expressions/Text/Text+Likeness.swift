// What shows of a text that is fresh from end to end without making it, which takes long.

extension String {
  /// Whether it may be fresh, a digest or a token; few others look like them.
  package var looksMade: Bool {
    // All but few texts have another first letter than a token.
    utf8.count == Origin.length || utf8.first == UInt8(ascii: "e") && utf8.starts(with: JSONWebToken.header.utf8)
  }
}

extension Text.OriginKey {
  /// Whether `looksMade` holds for its text.
  package var looksMade: Bool {
    switch whole.origin {
    // There is room for the number behind such a name.
    case .fresh(let name, let number, .simulated): name.utf8.count <= 32 && number < 1_000_000
    case .fresh, .derived(.s256, _), .derived(.jwt, _): true
    case .identifier, .derived: false
    }
  }

  /// Whether it was drawn: any other text that looks made is another.
  package var isDrawn: Bool { if case .fresh = whole.origin { true } else { false } }

  /// Whether the texts of two different keys that look made read differently, as far as that shows.
  package func surelyDiffers(from other: Text.OriginKey) -> Bool {
    guard case .derived(let function, let left) = whole.origin,
      case .derived(let otherFunction, let right) = other.whole.origin
    else { return true }
    return function != otherFunction || left.surelyDiffers(from: right)
  }

  fileprivate func surelyReadsOther(than other: Text.OriginKey) -> Bool {
    self != other && looksMade && other.looksMade && surelyDiffers(from: other)
  }
}

extension Value {
  fileprivate func surelyDiffers(from other: Value) -> Bool {
    switch (self, other) {
    case (.int(let left), .int(let right)): left != right
    case (.map(let left), .map(let right)):
      left.count != right.count
        || zip(left.entries, right.entries).contains {
          $0.key.surelyDiffers(from: $1.key) || $0.value.surelyDiffers(from: $1.value)
        }
    case (.string(let left), .string(let right)):
      switch (left.form, right.form) {
      case (.plain(let left), .plain(let right)): !left.isSame(as: right)
      case (.whole(let left), .whole(let right)):
        Text.OriginKey(left).surelyReadsOther(than: Text.OriginKey(right))
      default: false
      }
    default: false
    }
  }
}
