/// What shows of a text that is fresh from end to end without making it, which takes long.
extension Text {
  package enum Outline: Sendable {
    /// As long as the base64url of a SHA-256.
    case digest
    /// Begins as every JWT of a simulated service does.
    case token

    package func fits(_ string: String) -> Bool {
      switch self {
      case .digest: string.utf8.count == Origin.length
      // All but few texts have another first letter.
      case .token:
        string.utf8.first == UInt8(ascii: "e") && string.utf8.starts(with: JSONWebToken.header.utf8)
      }
    }
  }

  /// `nil` where the text has to be made to tell.
  package var outline: Outline? {
    guard case .whole(let whole) = form else { return nil }
    switch whole.origin {
    case .fresh(let name, let number, .simulated):
      // There is room for the number behind such a name.
      return name.utf8.count <= 32 && number < 1_000_000 ? .digest : nil
    case .fresh(_, _, .live), .derived(.s256, _): return .digest
    case .derived(.jwt, _): return .token
    case .identifier, .derived: return nil
    }
  }

  /// Whether two texts with one outline read differently, as far as that shows without making them.
  package func surelyDiffers(from other: Text) -> Bool {
    switch (form, other.form) {
    case (.plain(let left), .plain(let right)): !left.isSame(as: right)
    case (.whole(let left), .whole(let right)): left.origin.surelyDiffers(from: right.origin)
    default: false
    }
  }
}

extension Origin {
  fileprivate func surelyDiffers(from other: Origin) -> Bool {
    switch (self, other) {
    case (.fresh, .fresh): self != other
    case (.fresh, .derived(.s256, _)), (.derived(.s256, _), .fresh): true
    case (.derived(.s256, let left), .derived(.s256, let right)), (.derived(.jwt, let left), .derived(.jwt, let right)):
      left.surelyDiffers(from: right)
    default: false
    }
  }
}

extension Value {
  fileprivate func surelyDiffers(from other: Value) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.surelyDiffers(from: right)
    case (.int(let left), .int(let right)): left != right
    case (.map(let left), .map(let right)):
      left.count != right.count
        || zip(left.entries, right.entries).contains {
          $0.key.surelyDiffers(from: $1.key) || $0.value.surelyDiffers(from: $1.value)
        }
    default: false
    }
  }
}
