import Expressions

/// What a real peer may say back of what it was told, to be looked for in its answers.
struct Echoes: Sendable {
  /// In bytes: what is shorter is not looked for, since it may well stand elsewhere by chance.
  static let leastLength = 6
  /// How many bytes are compared for each byte of a text: a secret may be long, and begin wherever the text goes on.
  private static let mostCompared = 32

  /// How many contents are looked for, and how many bytes they may have: a peer decides how much of it is secret.
  private static let (mostContents, mostBytes) = (4096, 4 << 20)

  /// By how they begin, longest first; `nil` once there are too many, and nothing that a text says is shown any more.
  private var known: [UInt64: [(content: [UInt8], alias: String, isNumber: Bool)]]? = [:]
  /// Which bytes any of them begins with.
  private var firstBytes = [Bool](repeating: false, count: 256)
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
    firstBytes[Int(beginning >> UInt64(8 * (Self.leastLength - 1)))] = true
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
    guard let byte = said.first, !Self.endsLine(byte) else { return nil }
    let escape = Escape(said)
    // A line may end in it, and not before it.
    if escape?.lineEnd != nil { return nil }
    if begins(byte), let beginning = Self.beginning(of: said),
      let found = first(of: beginning, in: said, isInNumber, &left)
    {
      return found
    }
    // Most texts say by their first byte that none begins there, and need not be decoded.
    guard begins(escape?.firstByte ?? byte) else { return nil }
    // The first escape stands within so many bytes, if there is one.
    let near = said.prefix(2 * Self.leastLength)
    guard near.contains(where: Escape.begins) else { return nil }
    // What a pair says begins behind its backslash too.
    let (beginning, hasBackslash) = Self.beginning(ofEscaped: said, readsPairs: false)
    if let found = beginning.flatMap({ first(of: $0, in: said, isInNumber, &left) }) { return found }
    guard hasBackslash, byte != UInt8(ascii: "\\") else { return nil }
    return Self.beginning(ofEscaped: said, readsPairs: true).number
      .flatMap { first(of: $0, in: said, isInNumber, &left) }
  }

  private func begins(_ byte: UInt8) -> Bool { firstBytes[Int(byte == UInt8(ascii: " ") ? UInt8(ascii: "+") : byte)] }

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
    var beginning = Beginning()
    for byte in bytes.prefix(2 * leastLength) where beginning.isComplete(with: byte) { return beginning.number }
    return nil
  }

  /// The same of what a text says, and whether a backslash stands there, which is taken for that of JSON, or of a quoted
  /// pair.
  private static func beginning(
    ofEscaped said: ArraySlice<UInt8>, readsPairs: Bool
  ) -> (number: UInt64?, hasBackslash: Bool) {
    var (beginning, rest, count, hasBackslash) = (Beginning(), said, 0, false)
    while count < 2 * leastLength, let first = rest.first {
      if first == UInt8(ascii: "\\") { hasBackslash = true }
      let escape = Escape.begins(first) ? (readsPairs ? Escape(pair: rest) : nil) ?? Escape(rest) : nil
      let bytes = escape?.bytes ?? Escape.Bytes(first)
      for byte in bytes.prefix(2 * leastLength - count) where beginning.isComplete(with: byte) {
        return (beginning.number, hasBackslash)
      }
      count += bytes.count
      rest = rest.dropFirst(escape?.count ?? 1)
    }
    return (nil, hasBackslash)
  }

  /// What a content is without escapes of its own.
  private static func unescaped(_ said: ArraySlice<UInt8>) -> [UInt8] {
    var (bytes, rest): ([UInt8], _) = ([], said)
    while let byte = rest.first {
      let escape = Escape(rest)
      bytes += escape?.bytes ?? Escape.Bytes(byte)
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
      if left >= 0, rest.first == expected, !Escape.begins(expected) {
        sought = sought.dropFirst()
        rest = rest.dropFirst()
        continue
      }
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

  static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

/// The first bytes of something, put together one after the other.
private struct Beginning {
  private(set) var number: UInt64 = 0
  private var count = 0

  /// Takes a byte; `true` once there are enough of them.
  mutating func isComplete(with byte: UInt8) -> Bool {
    if Echoes.endsLine(byte) { return false }
    number = number << 8 | UInt64(byte == UInt8(ascii: " ") ? UInt8(ascii: "+") : byte)
    count += 1
    return count == Echoes.leastLength
  }
}
