extension Value {
  static func add(_ left: Value, _ right: Value, at range: Range<Int>) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)): try whole(left.addingReportingOverflow(right), at: range)
    case (.double(let left), .double(let right)): .double(left + right)
    case (.string(let left), .string(let right)): .string(left + right)
    case (.list(let left), .list(let right)): .list(left + right)
    case (.timestamp(let instant), .duration(let duration)), (.duration(let duration), .timestamp(let instant)):
      try moved(instant, by: duration, at: range)
    case (.duration(let left), .duration(let right)): try span(left + right, at: range)
    default: throw .noOverload("\"+\"", left, right, at: range)
    }
  }

  static func subtract(_ left: Value, _ right: Value, at range: Range<Int>) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)): try whole(left.subtractingReportingOverflow(right), at: range)
    case (.double(let left), .double(let right)): .double(left - right)
    case (.timestamp(let instant), .duration(let duration)): try moved(instant, by: .zero - duration, at: range)
    case (.timestamp(let left), .timestamp(let right)): try span(left.since(right), at: range)
    case (.duration(let left), .duration(let right)): try span(left - right, at: range)
    default: throw .noOverload("\"-\"", left, right, at: range)
    }
  }

  static func multiply(_ left: Value, _ right: Value, at range: Range<Int>) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)): try whole(left.multipliedReportingOverflow(by: right), at: range)
    case (.double(let left), .double(let right)): .double(left * right)
    default: throw .noOverload("\"*\"", left, right, at: range)
    }
  }

  static func divide(_ left: Value, _ right: Value, at range: Range<Int>) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int, .int(0)): throw EvaluationError(code: "division-by-zero", message: "division by zero", range: range)
    case (.int(let left), .int(let right)): try whole(left.dividedReportingOverflow(by: right), at: range)
    case (.double(let left), .double(let right)): .double(left / right)
    default: throw .noOverload("\"/\"", left, right, at: range)
    }
  }

  static func remainder(_ left: Value, _ right: Value, at range: Range<Int>) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.int, .int(0)): throw EvaluationError(code: "division-by-zero", message: "modulus by zero", range: range)
    case (.int(let left), .int(let right)): try whole(left.remainderReportingOverflow(dividingBy: right), at: range)
    default: throw .noOverload("\"%\"", left, right, at: range)
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
    guard let order = order(left, right) else { throw .noOverload("\"\(sign.rawValue)\"", left, right, at: range) }
    if left.text?.isFresh == true || right.text?.isFresh == true {
      throw .looksIntoFresh("\"\(sign.rawValue)\"", at: range)
    }
    return switch sign {
    case .less: order == .less
    case .lessOrEqual: order == .less || order == .equal
    case .greater: order == .greater
    default: order == .greater || order == .equal
    }
  }

  /// `in` of a list or of a map's keys.
  static func contains(_ collection: Value, _ element: Value, at range: Range<Int>) throws(EvaluationError) -> Bool {
    switch collection {
    case .list(let elements):
      for index in elements.indices where elements[index].isEqual(to: element) { return true }
      return false
    case .map(let map): return map.index(at: element) != nil
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
