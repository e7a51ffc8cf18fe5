import Expressions

extension Value {
  /// Makes it what a key of that type keeps; false when it is of another type.
  ///
  /// Null fits everything.
  package mutating func fit(_ type: ValueType) -> Bool {
    if case .optional = self { self = unwrapped }
    switch type {
    case .string: if case .string = self { return true }
    case .bool: if case .bool = self { return true }
    case .int: if case .int = self { return true }
    case .double:
      if case .double(let number) = self {
        // JSON, which a key is kept as, has no such number.
        if !number.isFinite { self = .null }
        return true
      }
      if case .int(let int) = self {
        self = .double(Double(int))
        return true
      }
    case .timestamp: if case .timestamp = self { return true }
    case .duration: if case .duration = self { return true }
    case .list: if case .list = self { return true }
    case .map, .object: if case .map = self { return true }
    case .optional(let inner): return fit(inner)
    case .dyn: return true
    case .null: break
    }
    return isNull
  }

  /// Peers send times as text or as numbers, and numbers as text.
  package func conversion(to needed: ValueType) -> String? {
    switch (needed, self) {
    case (.timestamp, .int):
      "now + seconds(…) is so many seconds from now, timestamp(…) so many after 1970-01-01T00:00:00Z"
    case (.duration, .int), (.duration, .double): "seconds(…) makes a duration of a number of seconds"
    case (.timestamp, .string), (.duration, .string), (.string, .int), (.string, .double), (.string, .bool),
      (.int, .string), (.double, .string), (.bool, .string):
      "\(needed.title)(…) makes \(needed.title.withArticle) of it"
    case (_, .null): "come here only where it is set, which present(…) tells, or give it an \"initial\""
    default: nil
    }
  }
}
