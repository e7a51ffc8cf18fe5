/// A character that does not stand as it is: `%2F`, `\u002f`, `\/`, `&#x2F;`, `&quot;`; in JSON inside of JSON there are more
/// backslashes, and `%252F` is encoded twice.
struct Escape {
  /// What it says: the few bytes of one character, which take no room of their own.
  struct Bytes: RandomAccessCollection {
    private var packed: UInt32 = 0
    private(set) var count = 0

    init(_ bytes: some Sequence<UInt8>) {
      for byte in bytes {
        packed |= UInt32(byte) << (8 * count)
        count += 1
      }
    }

    init(_ byte: UInt8) { (packed, count) = (UInt32(byte), 1) }

    init(_ scalar: Unicode.Scalar) { self.init(String(scalar).utf8) }

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> (8 * index)) }
  }

  let bytes: Bytes
  /// How many bytes say it.
  let count: Int

  /// As many as JSON takes that is inside of JSON five times over.
  private static let mostBackslashes = 31
  /// How often a character is percent-encoded at most.
  private static let mostPercents = 16
  private static let named: [([UInt8], UInt8)] = [
    ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
  ].map { (name: String, byte: Unicode.Scalar) in (Array(name.utf8), UInt8(ascii: byte)) }

  /// The byte that it says, when that ends a line.
  var lineEnd: UInt8? { bytes.count == 1 && Echoes.endsLine(bytes[0]) ? bytes[0] : nil }

  static func begins(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\\")
  }

  /// The first of the bytes that it says.
  var firstByte: UInt8 { bytes[0] }

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
    (bytes, count) = (Bytes(byte), 2)
  }

  private init?(percent said: ArraySlice<UInt8>) {
    // What is looked for may begin at each of them: a peer could make that take for ever.
    var digits = said.prefix(2 * Self.mostPercents)
    while digits.starts(with: "25".utf8), Self.number(digits.dropFirst(2).prefix(2), digits: 2) != nil {
      digits = digits.dropFirst(2)
    }
    guard let byte = Self.number(digits.prefix(2), digits: 2) else { return nil }
    (bytes, count) = (Bytes(UInt8(byte)), digits.startIndex - said.startIndex + 3)
  }

  private init?(entity said: ArraySlice<UInt8>) {
    guard let end = said.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = said[..<end]
    count = name.count + 2
    if let (_, byte) = Self.named.first(where: { name.elementsEqual($0.0) }) {
      bytes = Bytes(byte)
    } else {
      guard name.first == UInt8(ascii: "#") else { return nil }
      let isHexadecimal = name.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
      let digits = name.dropFirst(isHexadecimal ? 2 : 1)
      guard let scalar = Self.number(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init) else {
        return nil
      }
      bytes = Bytes(scalar)
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
        bytes = Bytes(String(decoding: [UInt16(unit), UInt16(other)], as: UTF16.self).utf8)
        count = 2 * (backslashes + 5)
      } else {
        (bytes, count) = (Bytes(Unicode.Scalar(unit) ?? "\u{FFFD}"), backslashes + 5)
      }
    } else if let byte = rest.first.flatMap(Self.inJSON) {
      (bytes, count) = (Bytes(byte), backslashes + 1)
    } else if backslashes > 1 {
      (bytes, count) = (Bytes(UInt8(ascii: "\\")), 2)
    } else {
      return nil
    }
  }

  /// What a letter says behind a backslash in JSON, or the character itself.
  private static func inJSON(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// What so many hexadecimal digits say.
  private static func number(_ bytes: ArraySlice<UInt8>, digits: Int) -> UInt32? {
    bytes.count == digits ? number(bytes, radix: 16) : nil
  }

  /// `nil` where one is no digit, there is none, or there are too many for a character.
  private static func number(_ digits: ArraySlice<UInt8>, radix: UInt32) -> UInt32? {
    guard !digits.isEmpty, digits.count <= 8 else { return nil }
    var number: UInt32 = 0
    for byte in digits {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      guard digit < radix else { return nil }
      number = number &* radix &+ UInt32(digit)
    }
    return number
  }
}
