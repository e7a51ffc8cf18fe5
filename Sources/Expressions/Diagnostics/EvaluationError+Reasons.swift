extension EvaluationError {
  /// The message names kinds of values, never values, which may be secret.
  static func noOverload(_ what: String, _ values: Value..., at range: Range<Int>) -> EvaluationError {
    let kinds = values.map(\.shape.title).joined(separator: " and ")
    return EvaluationError(
      code: "no-such-overload", message: "\(what) does not work on \(kinds)", range: range, help: help(for: values))
  }

  /// What makes a duration of a number, as help where one meets a time.
  static let durationOfNumber = "seconds(…) or duration('60s') makes a duration of a number"

  private static func help(for values: [Value]) -> String? {
    let shapes = values.map(\.shape)
    guard shapes.contains(.timestamp) || shapes.contains(.duration) else { return nil }
    if shapes.contains(.int) || shapes.contains(.double) { return durationOfNumber }
    return shapes.contains(.string) ? "timestamp(…) and duration(…) read a text" : nil
  }

  /// What makes an optional, as help where one is needed.
  static let makesOptional = "a.?b and a[?k] give optionals"

  static func noOptional(_ what: String, _ value: Value, at range: Range<Int>) -> EvaluationError {
    EvaluationError(
      code: "no-such-overload", message: "\(what) does not work on \(value.kindName), but on an optional", range: range,
      help: makesOptional)
  }

  static func overflow(at range: Range<Int>) -> EvaluationError {
    EvaluationError(code: "overflow", message: "the result does not fit 64 bits", range: range)
  }

  static func outOfRange(_ what: String, at range: Range<Int>) -> EvaluationError {
    EvaluationError(code: "out-of-range", message: "\(what) is out of range", range: range)
  }

  static func noSuchKey(_ title: String, at range: Range<Int>, help: String? = nil) -> EvaluationError {
    EvaluationError(code: "no-such-key", message: "there is no \(title)", range: range, help: help)
  }

  static func noConversion(to type: String, at range: Range<Int>) -> EvaluationError {
    EvaluationError(code: "no-conversion", message: "the value cannot be converted to \(type)", range: range)
  }

  /// `behind` is how much is known in front of it, in scalars.
  static func looksIntoFresh(_ what: String, at range: Range<Int>, behind known: Int = 0) -> EvaluationError {
    EvaluationError(
      code: "looks-into-fresh",
      message: "\(what) looks into a value of fresh or newId, of which nothing is known before it is made",
      range: range,
      help: known == 0
        ? nil : "of what stands in front of it, startsWith(…) says what it is, and substring(\(known)) takes it off")
  }

  static func losesMark(_ function: String, at range: Range<Int>) -> EvaluationError {
    EvaluationError(
      code: "secret-without-text",
      message: "\(function)() would show a secret: only strings carry the mark of a secret", range: range)
  }

  static func tooLarge(at range: Range<Int>) -> EvaluationError {
    EvaluationError(
      code: "value-too-large",
      message: "a value of more than \(Value.mostWeight) bytes, or of more than 128 levels, would be made", range: range
    )
  }

  static func tooCostly(at range: Range<Int>) -> EvaluationError {
    EvaluationError(
      code: "too-costly",
      message: "this step's expressions evaluate more than \(Frame.usualBudget) parts, go through more than 64 MB, "
        + "or look at more than \(128 * Frame.usualBudget) keys",
      range: range)
  }
}
