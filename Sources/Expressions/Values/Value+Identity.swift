/// Finds out at once that two values are equal, where one was copied from the other.
extension Value {
  /// True only for equal values; false where that does not show without looking through them.
  package func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.list(let left), .list(let right)): left.isIdentical(to: right)
    case (.map(let left), .map(let right)): left.entries.isIdentical(to: right.entries)
    default: false
    }
  }
}

extension Text {
  /// The string, when nothing in it is marked and it comes from nothing; else `nil`.
  @inlinable
  package var plain: String? { if case .plain(let plain) = form { plain.string } else { nil } }

  /// True only for equal texts; false where that does not show at once.
  func isIdentical(to other: Text) -> Bool {
    switch (form, other.form) {
    // `==` holds letters equal that are composed and decomposed, which are two texts.
    case (.plain(let left), .plain(let right)): left.isSame(as: right)
    case (.whole(let left), .whole(let right)): left === right
    case (.mixed(let left), .mixed(let right)): left === right
    default: false
    }
  }
}

extension Array {
  /// Whether both are one buffer, and so equal; false for equal arrays that were made apart.
  @inlinable
  package func isIdentical(to other: [Element]) -> Bool {
    withUnsafeBufferPointer { mine in
      other.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress && mine.count == $0.count }
    }
  }
}
