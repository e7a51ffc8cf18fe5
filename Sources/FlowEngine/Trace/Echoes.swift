import Expressions

/// What a real peer may say back of what it was told, to be looked for in its answers.
struct Echoes: Sendable {
  /// In bytes, no more than a number has: what is shorter is not looked for.
  static let leastLength = 6
  /// How many bytes are compared for each byte of a text: a secret may be long, and begin wherever the text goes on.
  private static let mostCompared = 32

  /// How many contents are looked for, and how many bytes they may have: a peer decides how much of it is secret.
  private static let (mostContents, mostBytes) = (4096, 4 << 20)

  /// By how they begin, longest first; `nil` once there are too many, and nothing that a text says is shown any more.
  private var known: [UInt64: [(content: [UInt8], alias: String, isNumber: Bool)]]? = [:]
  private var (contentsLeft, bytesLeft) = (mostContents, mostBytes)

  /// Adds a content as it is, without escapes of its own, in small letters as hosts are written, in hexadecimal digits, and
  /// in base64 wherever it begins there, without the letters that say something of what stands around it.
  mutating func add(_ content: String, _ alias: String) {
    let bytes = Array(content.utf8)
    guard bytes.count >= Self.leastLength, known != nil else { return }
    contentsLeft -= 1
    bytesLeft -= bytes.count
    guard contentsLeft >= 0, bytesLeft >= 0 else {
      known = nil
      return
    }
    let hexadecimal = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let base64 = (0..<3).map { offset in
      base64URL(Array(repeating: 0, count: offset) + bytes).dropFirst(offset == 0 ? 0 : offset + 1)
        .dropLast((offset + bytes.count) % 3 == 0 ? 0 : 1)
    }
    var forms = Set([content, content.lowercased(), hexadecimal, hexadecimal.uppercased(), base64URL(bytes)])
    for base64 in base64 { forms.formUnion([String(base64), String(base64.map(Self.inOldBase64))]) }
    forms.insert(String(base64URL(bytes).map(Self.inOldBase64)))
    let isNumber = bytes.count < AliasTable.unguessableLength && bytes.allSatisfy(\.isDigit)
    for form in Set(forms.map { Array($0.utf8) } + [Self.unescaped(bytes[...])]) {
      add(form, alias, isNumber: isNumber && form == bytes)
    }
  }

  private static func inOldBase64(_ letter: Character) -> Character {
    letter == "-" ? "+" : letter == "_" ? "/" : letter
  }

  private mutating func add(_ content: [UInt8], _ alias: String, isNumber: Bool) {
    let content = Array(content.drop(while: Self.endsLine))
    guard let beginning = Self.beginning(of: content[...]) else { return }
    let longer = known?[beginning]?.lastIndex { $0.content.count >= content.count }
    known?[beginning, default: []].insert((content, alias, isNumber), at: longer.map { $0 + 1 } ?? 0)
  }

  /// What is said in a text, however its characters are escaped, in order: where, and its alias; `nil` for its end where
  /// to look further takes too long.
  func echoes(in said: [UInt8]) -> [(place: Range<Int>, alias: String?)] {
    if known == nil { return said.count < Self.leastLength ? [] : [(said.indices, nil)] }
    var echoes: [(place: Range<Int>, alias: String?)] = []
    var (index, left) = (0, Self.mostCompared * (said.count + 64))
    while index < said.count {
      let found = first(in: said[index...], isInNumber: Self.isNumber(endingAt: index, of: said), &left)
      if left < 0 { return echoes + [(index..<said.count, nil)] }
      if let found { echoes.append((index..<(index + found.count), found.alias)) }
      index += found?.count ?? 1
    }
    return echoes
  }

  /// Whether a digit stands before a place that is no part of an escape.
  private static func isNumber(endingAt end: Int, of said: [UInt8]) -> Bool {
    end > 0 && said[end - 1].isDigit && !said[max(0, end - 6)..<end].contains(where: Escape.begins)
  }

  /// What is said where a text begins: its alias, and how many bytes say it.
  ///
  /// A short number in a longer one is chance: of `123456` a telephone number may well have all digits.
  private func first(
    in said: ArraySlice<UInt8>, isInNumber: Bool, _ left: inout Int
  ) -> (alias: String, count: Int)? {
    // A line may end in it, and not before it.
    guard let byte = said.first, !Self.endsLine(byte), !Escape.begins(byte) || Escape(said)?.lineEnd == nil else {
      return nil
    }
    if let beginning = Self.beginning(of: said), let found = first(of: beginning, in: said, isInNumber, &left) {
      return found
    }
    // The first escape stands within so many bytes, if there is one.
    guard said.prefix(2 * Self.leastLength).contains(where: Escape.begins) else { return nil }
    // What a pair says begins behind its backslash too.
    for readsPairs in said.first == UInt8(ascii: "\\") ? [false] : [false, true] {
      let unescaped = Self.unescaped(said, most: 2 * Self.leastLength, readsPairs: readsPairs)
      let beginning = Self.beginning(of: unescaped[...])
      if let found = beginning.flatMap({ first(of: $0, in: said, isInNumber, &left) }) { return found }
    }
    return nil
  }

  private func first(
    of beginning: UInt64, in said: ArraySlice<UInt8>, _ isInNumber: Bool, _ left: inout Int
  ) -> (alias: String, count: Int)? {
    for (content, alias, isNumber) in known?[beginning] ?? [] where left >= 0 && !(isNumber && isInNumber) {
      guard let count = Self.count(of: content, in: said, &left) else { continue }
      if !isNumber || said.dropFirst(count).first?.isDigit != true { return (alias, count) }
    }
    return nil
  }

  /// The first bytes as one number, without line ends, a space as the `+` that a form has for it; `nil` where there are too
  /// few.
  private static func beginning(of bytes: ArraySlice<UInt8>) -> UInt64? {
    var (number, count): (UInt64, Int) = (0, 0)
    for byte in bytes.prefix(2 * leastLength) where !endsLine(byte) {
      number = number << 8 | UInt64(byte == UInt8(ascii: " ") ? UInt8(ascii: "+") : byte)
      count += 1
      if count == leastLength { return number }
    }
    return nil
  }

  /// No longer than it takes to have so many bytes; a backslash is taken for that of JSON, or of a quoted pair.
  private static func unescaped(_ said: ArraySlice<UInt8>, most: Int = .max, readsPairs: Bool = false) -> [UInt8] {
    var (bytes, rest): ([UInt8], _) = ([], said)
    while bytes.count < most, let byte = rest.first {
      let escape = (readsPairs ? Escape(pair: rest) : nil) ?? Escape(rest)
      bytes += escape?.bytes ?? [byte]
      rest = rest.dropFirst(escape?.count ?? 1)
    }
    return bytes
  }

  /// How many bytes say the content; `nil` where something else is said.
  ///
  /// Lines may end in it, as they do in base64 (RFC 2045, section 6.8).
  private static func count(of content: [UInt8], in said: ArraySlice<UInt8>, _ left: inout Int) -> Int? {
    var (sought, rest) = (content[...], said)
    while let expected = sought.first {
      left -= 1
      let escape = Escape(rest)
      if let escape, sought.starts(with: escape.bytes) {
        sought = sought.dropFirst(escape.bytes.count)
        rest = rest.dropFirst(escape.count)
      } else if let pair = Escape(pair: rest), sought.starts(with: pair.bytes) {
        sought = sought.dropFirst()
        rest = rest.dropFirst(pair.count)
      } else if left >= 0, let byte = escape?.lineEnd ?? rest.first, endsLine(byte),
        byte == 0x0D ? expected != 0x0D : !endsLine(expected)
      {
        rest = rest.dropFirst(escape?.count ?? 1)
      } else {
        guard left >= 0, let byte = rest.popFirst(),
          byte == expected || byte == UInt8(ascii: "+") && expected == UInt8(ascii: " ")
        else { return nil }
        sought = sought.dropFirst()
      }
    }
    return said.count - rest.count
  }

  fileprivate static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

/// A character that does not stand as it is: `%2F`, `\u002f`, `\/`, `&#x2F;`, `&quot;`; in JSON inside of JSON there are more
/// backslashes, and `%252F` is encoded twice.
private struct Escape {
  let bytes: [UInt8]
  /// How many bytes say it.
  let count: Int

  /// As many as JSON takes that is inside of JSON five times over.
  private static let mostBackslashes = 31
  /// How often a character is percent-encoded at most.
  private static let mostPercents = 16
  private static let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
  private static let inJSON: [UInt8: UInt8] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  /// The byte that it says, when that ends a line.
  var lineEnd: UInt8? { bytes.count == 1 && Echoes.endsLine(bytes[0]) ? bytes[0] : nil }

  static func begins(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\\")
  }

  /// `nil` where no escape begins.
  init?(_ said: ArraySlice<UInt8>) {
    switch said.first {
    case UInt8(ascii: "%"): self.init(percent: said.dropFirst())
    case UInt8(ascii: "&"): self.init(entity: said.dropFirst().prefix(10))
    case UInt8(ascii: "\\"): self.init(backslashes: said)
    default: return nil
    }
  }

  /// A character of a quoted string in a header, with a backslash before it (RFC 9110, section 5.6.4).
  init?(pair said: ArraySlice<UInt8>) {
    guard said.first == UInt8(ascii: "\\"), let byte = said.dropFirst().first else { return nil }
    (bytes, count) = ([byte], 2)
  }

  private init?(percent said: ArraySlice<UInt8>) {
    // What is looked for may begin at each of them: a peer could make that take for ever.
    var digits = said.prefix(2 * Self.mostPercents)
    while digits.starts(with: "25".utf8), Self.number(digits.dropFirst(2).prefix(2), digits: 2) != nil {
      digits = digits.dropFirst(2)
    }
    guard let byte = Self.number(digits.prefix(2), digits: 2) else { return nil }
    (bytes, count) = ([UInt8(byte)], digits.startIndex - said.startIndex + 3)
  }

  private init?(entity said: ArraySlice<UInt8>) {
    guard let end = said.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: said[..<end], as: UTF8.self)
    count = name.utf8.count + 2
    if let text = Self.named[name] {
      bytes = Array(text.utf8)
    } else {
      let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
      guard name.hasPrefix("#"),
        let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10),
        let scalar = Unicode.Scalar(number)
      else { return nil }
      bytes = Array(String(scalar).utf8)
    }
  }

  private init?(backslashes said: ArraySlice<UInt8>) {
    let backslashes = said.prefix(Self.mostBackslashes).prefix { $0 == UInt8(ascii: "\\") }.count
    let rest = said.dropFirst(backslashes)
    if rest.first == UInt8(ascii: "u"), let unit = Self.number(rest.dropFirst().prefix(4), digits: 4) {
      let second = rest.dropFirst(5 + backslashes)
      if UTF16.isLeadSurrogate(UInt16(unit)), second.first == UInt8(ascii: "u"),
        let other = Self.number(second.dropFirst().prefix(4), digits: 4)
      {
        bytes = Array(String(decoding: [UInt16(unit), UInt16(other)], as: UTF16.self).utf8)
        count = 2 * (backslashes + 5)
      } else {
        (bytes, count) = (Array(String(decoding: [UInt16(unit)], as: UTF16.self).utf8), backslashes + 5)
      }
    } else if let letter = rest.first.flatMap({ Self.inJSON[$0] }) {
      (bytes, count) = ([letter], backslashes + 1)
    } else if backslashes > 1 {
      (bytes, count) = ([UInt8(ascii: "\\")], 2)
    } else {
      return nil
    }
  }

  /// What so many hexadecimal digits say.
  private static func number(_ bytes: ArraySlice<UInt8>, digits: Int) -> UInt32? {
    guard bytes.count == digits, bytes.first != UInt8(ascii: "+"), bytes.first != UInt8(ascii: "-") else { return nil }
    return UInt32(String(decoding: bytes, as: UTF8.self), radix: 16)
  }
}
