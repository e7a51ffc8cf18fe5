extension Value {
  /// What `==` means in an expression (CEL specification, "Equality"): numbers by value across int and double, strings by
  /// Unicode scalars, collections by content, never an error.
  package func celEquals(_ other: Value) -> Bool {
    var steps = 0
    return celEquals(other, &steps)
  }

  /// The same; adds how many elements and entries were gone through, at any depth, to `steps`, and of their texts the
  /// eighth part of the bytes.
  func celEquals(_ other: Value, _ steps: inout Int) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.int(let left), .double(let right)): Double(left) == right
    case (.double(let left), .int(let right)): left == Double(right)
    case (.string(let left), .string(let right)): Value.areSame(left, right, &steps)
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.duration(let left), .duration(let right)): left == right
    case (.list(let left), .list(let right)):
      left.count == right.count && Value.areEqual(left, right, &steps)
    case (.map(let left), .map(let right)):
      left.count == right.count && Value.areEqual(left, right, &steps)
    case (.optional(nil), .optional(nil)): true
    case (.optional(let left?), .optional(let right?)): left.celEquals(right, &steps)
    default: false
    }
  }

  /// The same, written into whoever asks: most are numbers and short texts, and need not be taken out of where they stand.
  @inline(__always)
  func isEqual(to other: Value) -> Bool {
    var steps = 0
    return isEqual(to: other, &steps)
  }

  /// The same, counting as `celEquals` does.
  @inline(__always)
  func isEqual(to other: Value, _ steps: inout Int) -> Bool {
    switch (self, other) {
    case (.int(let left), .int(let right)): return left == right
    case (.string(let left), .string(let right)):
      if case .plain(let left) = left.form, case .plain(let right) = right.form {
        steps += left.length / 8
        return left.isSame(as: right)
      }
      return Value.areSame(left, right, &steps)
    default: return celEquals(other, &steps)
    }
  }

  private static func areSame(_ left: Text, _ right: Text, _ steps: inout Int) -> Bool {
    steps += left.weight / 8
    return left.isSame(as: right)
  }

  private static func areEqual(_ left: [Value], _ right: [Value], _ steps: inout Int) -> Bool {
    for index in left.indices {
      steps += 1
      guard left[index].celEquals(right[index], &steps) else { return false }
    }
    return true
  }

  private static func areEqual(_ left: ValueMap, _ right: ValueMap, _ steps: inout Int) -> Bool {
    var places: KeyPlaces?
    for index in left.entries.indices {
      let entry = left.entries[index]
      steps += 1
      // Most have their keys in the same order.
      var other = right.entries[index]
      if !other.key.celEquals(entry.key, &steps) {
        if places == nil, right.count > KeyPlaces.few {
          places = KeyPlaces(of: right)
          steps += right.count
        }
        guard let place = places.map({ $0[entry.key] }) ?? right.index(of: entry.key) else { return false }
        other = right.entries[place]
      }
      guard other.value.celEquals(entry.value, &steps) else { return false }
    }
    return true
  }

  /// Of what is no text nothing.
  var textWeight: Int { if case .string(let text) = self { text.weight } else { 0 } }
}
