extension Function {
  static let strings: [Function] = [
    Function("contains", [.string, .string], .bool, Traits(looks: .intoTexts, compares: true)) {
      arguments, range throws(EvaluationError) in
      let (text, other) = try texts("contains", arguments, at: range)
      return .bool(try text.contains(other, at: range))
    },
    Function("startsWith", [.string, .string], .bool, Traits(looks: .intoComparedEnd, compares: true)) {
      arguments, range throws(EvaluationError) in
      let (text, other) = try texts("startsWith", arguments, at: range)
      return .bool(try text.hasPrefix(other, at: range))
    },
    Function("endsWith", [.string, .string], .bool, Traits(looks: .intoComparedEnd, compares: true)) {
      arguments, range throws(EvaluationError) in
      let (text, other) = try texts("endsWith", arguments, at: range)
      return .bool(try text.hasSuffix(other, at: range))
    },
    Function("split", [.string, .string, .int], required: 2, .list(.string), Traits(looks: .intoTexts)) {
      arguments, range throws(EvaluationError) in
      let (text, other) = try texts("split", arguments, at: range)
      let limit = try whole("split", arguments, 2, or: -1, at: range)
      return .list(try text.split(other, limit: limit, at: range))
    },
    Function("join", [.list, .string], required: 1, .string, Traits(freshness: .part), join),
    Function("trim", [.string], .string, Traits(looks: .intoEnds)) { arguments, range throws(EvaluationError) in
      .string(try text("trim", arguments[0], at: range).trimmed(at: range))
    },
    Function("lowerAscii", [.string], .string, Traits(looks: .intoFirst)) {
      arguments, range throws(EvaluationError) in
      try changed("lowerAscii", arguments[0], at: range) { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    },
    Function("upperAscii", [.string], .string, Traits(looks: .intoFirst)) {
      arguments, range throws(EvaluationError) in
      try changed("upperAscii", arguments[0], at: range) { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    },
    Function("replace", [.string, .string, .string, .int], required: 3, .string, Traits(looks: .intoTexts)) {
      arguments, range throws(EvaluationError) in
      let (text, old) = try texts("replace", arguments, at: range)
      let new = try Function.text("replace", arguments[2], at: range)
      let limit = try whole("replace", arguments, 3, or: -1, at: range)
      return .string(try text.replacing(old, by: new, limit: limit, at: range))
    },
    Function("substring", [.string, .int, .int], required: 2, .string, Traits(looks: .intoEnds)) {
      arguments, range throws(EvaluationError) in
      let text = try text("substring", arguments[0], at: range)
      let start = try whole("substring", arguments, 1, or: 0, at: range)
      let end = arguments.count > 2 ? try whole("substring", arguments, 2, or: 0, at: range) : nil
      return .string(try text.substring(from: start, to: end, at: range))
    },
  ]

  private static let join: Body = { arguments, range throws(EvaluationError) in
    guard case .list(let elements) = arguments[0] else { throw .noOverload("join", arguments[0], at: range) }
    let separator = arguments.count > 1 ? try text("join", arguments[1], at: range) : Text("")
    var result = TextBuilder()
    for (index, element) in elements.enumerated() {
      if index > 0 { result.append(separator) }
      result.append(try text("join", element, at: range))
    }
    return .string(result.text)
  }

  static func text(_ name: String, _ value: Value, at range: Range<Int>) throws(EvaluationError) -> Text {
    guard case .string(let text) = value else { throw .noOverload(name, value, at: range) }
    return text
  }

  private static func texts(
    _ name: String, _ arguments: Arguments, at range: Range<Int>
  ) throws(EvaluationError) -> (Text, Text) {
    guard case .string(let first) = arguments[0], case .string(let second) = arguments[1] else {
      throw .noOverload(name, arguments[0], arguments[1], at: range)
    }
    return (first, second)
  }

  private static func whole(
    _ name: String, _ arguments: Arguments, _ index: Int, or absent: Int, at range: Range<Int>
  ) throws(EvaluationError) -> Int {
    guard index < arguments.count else { return absent }
    guard case .int(let number) = arguments[index] else { throw .noOverload(name, arguments[index], at: range) }
    return Int(number)
  }

  private static func changed(
    _ name: String, _ value: Value, at range: Range<Int>, _ change: (UInt8) -> UInt8
  ) throws(EvaluationError) -> Value {
    let text = try text(name, value, at: range)
    if text.hasOrigin { throw .looksIntoFresh(name, at: range) }
    return .string(Text(String(decoding: text.string.utf8.map(change), as: UTF8.self)).markedWhole(like: text))
  }
}
