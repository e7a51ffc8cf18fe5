extension JSONReader {
  /// Reads a number, which starts with a digit or a minus sign.
  mutating func readNumber() throws(JSONSyntaxError) -> JSONNode.Kind {
    let start = position
    if byte == UInt8(ascii: "-") { position += 1 }
    let firstDigit = position
    try readDigits(from: start, after: "\"-\"")
    if bytes[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 {
      throw JSONSyntaxError(
        "leading-zero", "a number starts with a zero that means nothing", at: firstDigit..<(firstDigit + 1),
        label: "remove this zero", help: "remove it, or put the number in double quotes if its zeros count")
    }
    var isWhole = true
    if byte == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      try readDigits(from: start, after: "the decimal point")
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      isWhole = false
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      try readDigits(from: start, after: "the exponent sign")
    }
    if let byte, Self.isWordByte(byte) { throw glued(from: start) }
    return try number(start..<position, isWhole: isWhole)
  }

  private mutating func readDigits(from start: Int, after what: String) throws(JSONSyntaxError) {
    let first = position
    while let byte, Self.isDigit(byte) { position += 1 }
    guard position > first else {
      if let problem = noSuchNumber(from: start) { throw problem }
      throw JSONSyntaxError(
        "invalid-number", "a digit was expected after \(what) of a number", at: start..<position,
        label: "the number is incomplete", help: Self.howNumbersAre)
    }
  }

  private func glued(from start: Int) -> JSONSyntaxError {
    let end = bytes[position...].prefix(40).prefix(while: Self.isWordByte).endIndex
    return JSONSyntaxError(
      "invalid-number", "what begins as a number is no JSON number", at: start..<end, label: "no JSON number",
      help: Self.howNumbersAre)
  }

  /// What other languages write for what is infinite or no number stands at the position, its sign at the start.
  ///
  /// The word is not quoted: it is not told from a part of a secret.
  func noSuchNumber(from start: Int) -> JSONSyntaxError? {
    guard ["NaN", "Infinity", "nan", "inf"].contains(wordHere) else { return nil }
    return JSONSyntaxError(
      "invalid-number", "a word stands for a number that JSON does not have", at: start..<rangeHere.upperBound,
      label: "no JSON number", help: "JSON has no such number: null can stand for none")
  }

  static let howNumbersAre = "JSON numbers are decimal: -12, 0.5, 1e3; what is no number stands in double quotes"

  private func number(_ range: Range<Int>, isWhole: Bool) throws(JSONSyntaxError) -> JSONNode.Kind {
    let text = String(decoding: bytes[range], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .int(value) }
    if isWhole, purpose == .document { return .wholeNumberTooLarge }
    let value = Double(text) ?? .infinity
    if value.isInfinite, purpose == .document {
      throw JSONSyntaxError(
        "number-out-of-range", "a number is larger than a 64-bit floating-point number can be", at: range,
        label: "too large")
    }
    return .double(value)
  }
}
