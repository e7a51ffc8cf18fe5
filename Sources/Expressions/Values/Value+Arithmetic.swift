extension Value {
  static func arithmetic(
    _ sign: SyntaxNode.Operator, _ left: Value, _ right: Value, at range: Range<Int>
  ) throws(EvaluationError) -> Value {
    switch (sign, left, right) {
    case (.add, .int(let left), .int(let right)): try whole(left.addingReportingOverflow(right), at: range)
    case (.add, .double(let left), .double(let right)): .double(left + right)
    case (.add, .string(let left), .string(let right)): .string(left + right)
    case (.add, .list(let left), .list(let right)): .list(left + right)
    case (.add, .timestamp(let instant), .duration(let duration)),
      (.add, .duration(let duration), .timestamp(let instant)):
      try moved(instant, by: duration, at: range)
    case (.add, .duration(let left), .duration(let right)): try span(left + right, at: range)
    case (.subtract, .int(let left), .int(let right)): try whole(left.subtractingReportingOverflow(right), at: range)
    case (.subtract, .double(let left), .double(let right)): .double(left - right)
    case (.subtract, .timestamp(let instant), .duration(let duration)):
      try moved(instant, by: .zero - duration, at: range)
    case (.subtract, .timestamp(let left), .timestamp(let right)): try span(left.since(right), at: range)
    case (.subtract, .duration(let left), .duration(let right)): try span(left - right, at: range)
    case (.multiply, .int(let left), .int(let right)): try whole(left.multipliedReportingOverflow(by: right), at: range)
    case (.multiply, .double(let left), .double(let right)): .double(left * right)
    case (.divide, .int, .int(0)), (.remainder, .int, .int(0)):
      throw EvaluationError(
        code: "division-by-zero", message: sign == .divide ? "division by zero" : "modulus by zero", range: range)
    case (.divide, .int(let left), .int(let right)): try whole(left.dividedReportingOverflow(by: right), at: range)
    case (.divide, .double(let left), .double(let right)): .double(left / right)
    case (.remainder, .int(let left), .int(let right)):
      try whole(left.remainderReportingOverflow(dividingBy: right), at: range)
    default: throw .noOverload("\"\(sign.rawValue)\"", left, right, at: range)
    }
  }

  static func negate(_ value: Value, at range: Range<Int>) throws(EvaluationError) -> Value {
    switch value {
    case .int(let number): try whole(Int64(0).subtractingReportingOverflow(number), at: range)
    case .double(let number): .double(-number)
    default: throw .noOverload("\"-\"", value, at: range)
    }
  }

  /// A duration that fits CEL's range, which is that of nanoseconds in 64 bits.
  static func span(_ duration: Duration, at range: Range<Int>) throws(EvaluationError) -> Value {
    guard duration.isInRange else { throw .outOfRange("the duration, of more than 292 years,", at: range) }
    return .duration(duration)
  }

  private static func whole(
    _ result: (partialValue: Int64, overflow: Bool), at range: Range<Int>
  ) throws(EvaluationError) -> Value {
    if result.overflow { throw .overflow(at: range) }
    return .int(result.partialValue)
  }

  private static func moved(
    _ instant: Timestamp, by duration: Duration, at range: Range<Int>
  ) throws(EvaluationError) -> Value {
    guard let sum = instant.advanced(by: duration) else {
      throw .outOfRange("the timestamp, beyond the years 1 to 9999,", at: range)
    }
    return .timestamp(sum)
  }
}

extension Value {
  /// An order comparison; what is fresh has no known order.
  static func compare(
    _ left: Value, _ right: Value, _ sign: SyntaxNode.Operator, at range: Range<Int>
  ) throws(EvaluationError) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return sign.holds(left ? 1 : 0, right ? 1 : 0)
    case (.int(let left), .int(let right)): return sign.holds(left, right)
    case (.double(let left), .double(let right)): return sign.holds(left, right)
    // As doubles, as CEL's conformance cases ask for: near 2^63 different numbers are equal.
    case (.int(let left), .double(let right)): return sign.holds(Double(left), right)
    case (.double(let left), .int(let right)): return sign.holds(left, Double(right))
    case (.timestamp(let left), .timestamp(let right)): return sign.holds(left, right)
    case (.duration(let left), .duration(let right)): return sign.holds(left, right)
    case (.string(let left), .string(let right)):
      if left.hasOrigin || right.hasOrigin { throw .looksIntoFresh("\"\(sign.rawValue)\"", at: range) }
      return sign.holds(left.string.precedes(right.string) ? -1 : left.string.isSame(as: right.string) ? 0 : 1, 0)
    default: throw .noOverload("\"\(sign.rawValue)\"", left, right, at: range)
    }
  }

  /// `in` of a list or of a map's keys.
  static func contains(_ collection: Value, _ element: Value, at range: Range<Int>) throws(EvaluationError) -> Bool {
    var steps = 0
    return try contains(collection, element, &steps, at: range)
  }

  /// The same, counting as `celEquals` does what it goes through in a map, and in the elements of a list.
  static func contains(
    _ collection: Value, _ element: Value, _ steps: inout Int, at range: Range<Int>
  ) throws(EvaluationError) -> Bool {
    switch collection {
    case .list(let elements):
      for index in elements.indices where elements[index].isEqual(to: element, &steps) { return true }
      return false
    case .map(let map):
      let place = map.index(at: element)
      let keys = place ?? map.count
      steps += keys / 16 + element.textWeight / 8 * (1 + keys / 128)
      return place != nil
    default: throw .noOverload("\"in\"", element, collection, at: range)
    }
  }
}

extension ValueMap {
  /// Looks a key up as CEL does: a whole double finds an int.
  func index(at key: Value) -> Int? {
    guard case .double(let number) = key else { return index(of: key) }
    guard let whole = number.wholeNumber else { return nil }
    return index(of: .int(whole))
  }
}

extension SyntaxNode.Operator {
  /// What is not a number holds with nothing.
  fileprivate func holds<Ordered: Comparable>(_ left: Ordered, _ right: Ordered) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    default: left >= right
    }
  }
}
