extension Lexer {
  struct StringPrefix {
    var isRaw = false
    var isBytes = false
    /// Quote and letters before it.
    var quote: UInt8
    var letters: Int
    var isTriple: Bool
  }

  /// What starts a string here, `nil` when none does.
  func stringPrefix() -> StringPrefix? {
    var (isRaw, isBytes, letters) = (false, false, 0)
    while letters < 2, let byte = byte(ahead: letters) {
      let letter = byte | 0x20
      let isR = letter == UInt8(ascii: "r") && !isRaw
      let isB = letter == UInt8(ascii: "b") && !isBytes && !isRaw
      guard isR || isB else { break }
      isRaw = isRaw || isR
      isBytes = isBytes || isB
      letters += 1
    }
    guard let quote = byte(ahead: letters), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
      return nil
    }
    let isTriple = byte(ahead: letters + 1) == quote && byte(ahead: letters + 2) == quote
    return StringPrefix(isRaw: isRaw, isBytes: isBytes, quote: quote, letters: letters, isTriple: isTriple)
  }

  mutating func string(_ prefix: StringPrefix) throws(ExpressionProblem) -> Token.Kind {
    let start = position
    let quotes = prefix.isTriple ? 3 : 1
    position += prefix.letters + quotes
    var scalars = ""
    var chunk = position
    while let byte = byte() {
      if byte == prefix.quote, closes(prefix) {
        scalars += text(chunk..<position)
        position += quotes
        return prefix.isBytes ? .outside("a bytes literal") : .string(scalars)
      }
      if byte == UInt8(ascii: "\\"), !prefix.isRaw {
        scalars += text(chunk..<position)
        let scalar = try escape(isBytes: prefix.isBytes)
        scalars.unicodeScalars.append(scalar)
        chunk = position
      } else if !prefix.isTriple, byte == 0x0A || byte == 0x0D {
        break
      } else {
        position += 1
      }
    }
    throw .syntax("a string does not end", at: start..<position, label: "the closing quote is missing")
  }

  private func closes(_ prefix: StringPrefix) -> Bool {
    !prefix.isTriple || (byte(ahead: 1) == prefix.quote && byte(ahead: 2) == prefix.quote)
  }

  private mutating func escape(isBytes: Bool) throws(ExpressionProblem) -> Unicode.Scalar {
    let start = position
    guard let letter = byte(ahead: 1) else {
      throw .syntax("a string does not end", at: start..<(start + 1), label: "the closing quote is missing")
    }
    position += 2
    switch letter {
    case UInt8(ascii: "a"): return "\u{07}"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "v"): return "\u{0B}"
    case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
      return Unicode.Scalar(letter)
    case UInt8(ascii: "x"), UInt8(ascii: "X"): return try scalar(digits: 2, radix: 16, from: start)
    case UInt8(ascii: "u") where !isBytes: return try scalar(digits: 4, radix: 16, from: start)
    case UInt8(ascii: "U") where !isBytes: return try scalar(digits: 8, radix: 16, from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      position -= 1
      return try scalar(digits: 3, radix: 8, from: start)
    default:
      throw .syntax(
        "a string has an escape that CEL does not know", at: start..<position, label: "no escape",
        help: "a backslash itself is written \"\\\\\"")
    }
  }

  private mutating func scalar(digits: Int, radix: Int, from start: Int) throws(ExpressionProblem) -> Unicode.Scalar {
    let end = min(position + digits, bytes.count)
    let digitsText = text(position..<end)
    guard end == position + digits, digitsText.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let code = UInt32(digitsText, radix: radix), let scalar = Unicode.Scalar(code)
    else {
      throw .syntax("a string has an escape that is no character", at: start..<end, label: "no character")
    }
    position = end
    return scalar
  }

  mutating func number() throws(ExpressionProblem) -> Token.Kind {
    let start = position
    if byte() == UInt8(ascii: "0"), byte(ahead: 1) == UInt8(ascii: "x") {
      position += 2
      while let byte = byte(), byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20) {
        position += 1
      }
      guard position > start + 2 else {
        throw .syntax(
          "a number has no digits", at: start..<position, label: "digits are missing",
          help: "behind \"0x\" stand digits of base 16: 0x1F")
      }
      return try whole(digits: text((start + 2)..<position), radix: 16, from: start)
    }
    skipDigits()
    var isDouble = false
    if byte() == UInt8(ascii: "."), byte(ahead: 1)?.isDigit == true {
      isDouble = true
      position += 1
      skipDigits()
    }
    if let e = byte(), e | 0x20 == UInt8(ascii: "e") {
      let isSigned = byte(ahead: 1) == UInt8(ascii: "+") || byte(ahead: 1) == UInt8(ascii: "-")
      if byte(ahead: isSigned ? 2 : 1)?.isDigit == true {
        isDouble = true
        position += isSigned ? 2 : 1
        skipDigits()
      }
    }
    guard isDouble else { return try whole(digits: text(start..<position), radix: 10, from: start) }
    guard let value = Double(text(start..<position)), value.isFinite else {
      throw .syntax("a number is too large for a double", at: start..<position, label: "too large")
    }
    return .double(value)
  }

  private mutating func skipDigits() {
    while let byte = byte(), byte.isDigit { position += 1 }
  }

  private mutating func whole(digits: String, radix: Int, from start: Int) throws(ExpressionProblem) -> Token.Kind {
    if let suffix = byte(), suffix | 0x20 == UInt8(ascii: "u") {
      position += 1
      return .outside("an unsigned integer")
    }
    guard let value = UInt64(digits, radix: radix) else {
      throw .syntax("a number is too large for an int", at: start..<position, label: "too large")
    }
    return .int(value)
  }
}
