extension Function {
  static let conversions: [Function] =
    typeConversions + [
      Function("seconds", [[.int, .double]], .duration, Traits(showsText: true, readsWritten: true)) {
        arguments, range throws(EvaluationError) in
        switch arguments[0] {
        case .int(let seconds): return try Value.span(.seconds(seconds), at: range)
        case .double(let seconds):
          let nanoseconds = seconds * 1e9 + (seconds < 0 ? -0.5 : 0.5)
          guard nanoseconds.magnitude < 9_223_372_036_854_775_808 else {
            throw .outOfRange("the duration, of more than 292 years,", at: range)
          }
          return .duration(.nanoseconds(Int64(nanoseconds)))
        default: throw .noOverload("seconds", arguments[0], at: range)
        }
      },
      Function("dyn", [.any], .dyn, Traits(freshness: .asFirst, handsOn: true)) { arguments, _ in arguments[0] },
    ]

  /// `duration('60s')`, which `expired` calls, too.
  static let duration = Function(
    "duration", [[.duration, .string]], .duration,
    Traits(looks: .intoFirst, showsText: true, readsWritten: true, help: ValueType.duration.conversion)
  ) { arguments, range throws(EvaluationError) in
    if case .duration = arguments[0] { return arguments[0] }
    return .duration(try parsed(arguments[0], "duration", at: range) { Duration(celText: $0) })
  }

  /// Those that make a value of the type of their name: each has a test beside it.
  static let typeConversions: [Function] = [
    Function(
      "int", [[.int, .double, .string, .timestamp]], .int,
      Traits(looks: .intoFirst, showsText: true, needsForInstants: .epochSeconds)
    ) { arguments, range throws(EvaluationError) in
      switch arguments[0] {
      case .int: return arguments[0]
      case .double(let number):
        guard number > -9_223_372_036_854_775_808, number < 9_223_372_036_854_775_808 else {
          throw .outOfRange("the int, beyond 64 bits,", at: range)
        }
        return .int(Int64(number))
      case .timestamp(let instant): return .int(instant.seconds)
      default: return .int(try parsed(arguments[0], "int", at: range) { Int64($0) })
      }
    },
    Function("double", [[.int, .double, .string]], .double, Traits(looks: .intoFirst, showsText: true)) {
      arguments, range throws(EvaluationError) in
      switch arguments[0] {
      case .int(let number): return .double(Double(number))
      case .double: return arguments[0]
      default: return .double(try parsed(arguments[0], "double", at: range) { Double(celText: $0) })
      }
    },
    Function("bool", [[.bool, .string]], .bool, Traits(looks: .intoFirst, showsText: true)) {
      arguments, range throws(EvaluationError) in
      if case .bool = arguments[0] { return arguments[0] }
      return .bool(
        try parsed(arguments[0], "bool", at: range) { text in
          switch text {
          case "1", "t", "true", "TRUE", "True": true
          case "0", "f", "false", "FALSE", "False": false
          default: nil
          }
        })
    },
    Function("string", [.scalar], .string, Traits(freshness: .asFirst, segment: .ofArguments, handsOn: true)) {
      arguments, range throws(EvaluationError) in
      if case .string = arguments[0] { return arguments[0] }
      guard let text = arguments[0].scalarText else { throw .noOverload("string", arguments[0], at: range) }
      return .string(text)
    },
    Function(
      "timestamp", [[.timestamp, .string, .int]], .timestamp,
      Traits(looks: .intoFirst, showsText: true, readsWritten: true)
    ) { arguments, range throws(EvaluationError) in
      switch arguments[0] {
      case .timestamp: return arguments[0]
      case .int(let seconds):
        guard let instant = Timestamp(seconds: seconds) else {
          throw .outOfRange("the timestamp, beyond the years 1 to 9999,", at: range)
        }
        return .timestamp(instant)
      default: return .timestamp(try parsed(arguments[0], "timestamp", at: range) { Timestamp(text: $0) })
      }
    },
    duration,
  ]

  private static func parsed<Result>(
    _ value: Value, _ type: String, at range: Range<Int>, _ parse: (String) -> Result?
  ) throws(EvaluationError) -> Result {
    guard case .string(let text) = value else { throw .noOverload(type, value, at: range) }
    if text.hasOrigin { throw .looksIntoFresh(type, at: range) }
    if text.isKnownSecret { throw .losesMark(type, at: range) }
    guard let result = parse(text.string) else { throw .noConversion(to: type, at: range) }
    return result
  }
}
