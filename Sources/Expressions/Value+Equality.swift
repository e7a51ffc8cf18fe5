extension Value {
  /// What `==` means in an expression (CEL specification, "Equality"): numbers by value across int and double, strings by
  /// Unicode scalars, collections by content, never an error.
  package func celEquals(_ other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.int(let left), .double(let right)): Double(left) == right
    case (.double(let left), .int(let right)): left == Double(right)
    case (.string(let left), .string(let right)): left.isSame(as: right)
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.duration(let left), .duration(let right)): left == right
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.celEquals($1) }
    case (.map(let left), .map(let right)): Value.areEqual(left, right)
    case (.optional(nil), .optional(nil)): true
    case (.optional(let left?), .optional(let right?)): left.celEquals(right)
    default: false
    }
  }

  /// The same, written into whoever asks: most are numbers and short texts, and need not be taken out of where they stand.
  @inline(__always)
  func isEqual(to other: Value) -> Bool {
    switch (self, other) {
    case (.int(let left), .int(let right)): return left == right
    case (.string(let left), .string(let right)):
      if case .plain(let left) = left.form, case .plain(let right) = right.form { return left.isSame(as: right) }
      return left.isSame(as: right)
    default: return celEquals(other)
    }
  }

  private static func areEqual(_ left: ValueMap, _ right: ValueMap) -> Bool {
    guard left.count == right.count else { return false }
    return left.entries.indices.allSatisfy { index in
      let entry = left.entries[index]
      // Most have their keys in the same order.
      let other = right.entries[index]
      let value = other.key.celEquals(entry.key) ? other.value : right[entry.key]
      return value?.celEquals(entry.value) ?? false
    }
  }
}
