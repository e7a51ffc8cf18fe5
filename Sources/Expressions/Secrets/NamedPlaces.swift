/// Where a text holds values under names itself: an address with a query, a form, JSON, the parameters of a header.
///
/// No grammar is held to, so what is cut off or damaged is looked into all the same, and percent signs and backslashes
/// are undone however often they were put there. Where the end of a value cannot be told, all behind it counts.
package struct NamedPlaces {
  /// Of a value, in UTF-8 offsets, with the name that it stands under.
  package struct Place: Sendable {
    package let range: Range<Int>
    package let name: String
  }

  private struct Sign {
    var byte: UInt8
    /// How many percent signs and backslashes stand before it; what separates values does so at its own depth.
    var depth: Int
    /// Where it stands, with what stands before it.
    var start: Int
  }

  private let end: Int
  private var signs: [Sign] = []

  private init(_ bytes: [UInt8]) {
    end = bytes.count
    var (index, start, backslashes) = (0, 0, 0)
    while index < end {
      var sign = Sign(byte: bytes[index], depth: backslashes, start: start)
      index += 1
      if sign.byte == UInt8(ascii: "\\") {
        backslashes += 1
        continue
      }
      var digits = index
      while sign.byte == UInt8(ascii: "%"), bytes[digits...].starts(with: "25".utf8) { digits += 2 }
      if sign.byte == UInt8(ascii: "%"), let byte = bytes[digits...].number(ofDigits: 2) {
        sign = Sign(byte: byte, depth: sign.depth + 1 + (digits - index) / 2, start: start)
        index = digits + 2
      } else if sign.byte == UInt8(ascii: "u"), backslashes > 0, let byte = bytes[index...].number(ofDigits: 4) {
        sign.byte = byte
        index += 4
      }
      signs.append(sign)
      (start, backslashes) = (index, 0)
    }
  }

  /// The places in order and without overlap.
  package static func places(in text: String, under names: Names) -> [Place] {
    text.utf8.count > names.shortest && mayStand(in: text) ? NamedPlaces(Array(text.utf8)).places(under: names) : []
  }

  /// Nearly all texts are looked at no further.
  static func mayStand(in text: String) -> Bool {
    if let may = text.utf8.withContiguousStorageIfAvailable({ mayStand(in: $0) }) { return may }
    var text = text
    return text.withUTF8 { mayStand(in: $0) }
  }

  private static func mayStand(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.contains { $0.isSeparator || $0.isQuote } || mayHoldToken(bytes)
  }

  private func places(under names: Names) -> [Place] {
    var places: [Place] = []
    var index = 0
    while index < signs.count {
      let start = index
      index = firstIndex(from: start) { !$0.byte.isOfWord }
      let name = String(decoding: signs[start..<index].map(\.byte), as: UTF8.self)
      if start == index {
        index += 1
      } else if let known = names.index(of: name) ?? names.index(of: name.lowercased()) {
        let value = value(behind: index)
        if !value.isEmpty {
          let range = offset(value.lowerBound)..<offset(value.upperBound)
          places.append(Place(range: range, name: names.all[known]))
        }
        index = value.upperBound
      }
    }
    return places
  }

  private func offset(_ index: Int) -> Int { index < signs.count ? signs[index].start : end }

  private func firstIndex(from start: Int, where isSought: (Sign) -> Bool) -> Int {
    signs[start...].firstIndex(where: isSought) ?? signs.count
  }

  /// The value behind a name: `=` makes one of it, and a `:` where it stands in quotation marks.
  ///
  /// Where there is none, nothing: at the end of what stands around the name, in which no other name has one either.
  private func value(behind name: Int) -> Range<Int> {
    var (index, isQuoted) = (name, false)
    while index < signs.count, signs[index].byte.isAroundName {
      isQuoted = isQuoted || signs[index].byte.isQuote
      let opens = signs[index].byte == UInt8(ascii: "[")
      index += 1
      // An index or a key, as in `token[0]=`.
      if opens { index = firstIndex(from: index) { !$0.byte.isOfWord } }
    }
    guard index < signs.count else { return index..<index }
    let separator = signs[index]
    let isMember = separator.byte == UInt8(ascii: ":")
    guard isMember ? isQuoted : separator.byte == UInt8(ascii: "=") else { return index..<index }
    let start = firstIndex(from: index + 1) { !$0.byte.isSpace }
    guard start < signs.count else { return start..<start }
    let first = signs[start]
    if first.byte.isQuote {
      let close = firstIndex(from: start + 1) { $0.byte == first.byte && $0.depth <= first.depth }
      return start + 1..<end(close, before: close + 1)
    }
    if isMember {
      let close = firstIndex(from: start) { !$0.byte.isOfWord && $0.byte != UInt8(ascii: ".") }
      return start..<end(close, before: close)
    }
    return start..<firstIndex(from: start) { $0.byte == UInt8(ascii: "&") && $0.depth <= separator.depth }
  }

  /// The end of a value, where what stands behind it may do so.
  private func end(_ index: Int, before next: Int) -> Int {
    next >= signs.count || signs[next].byte <= 0x20 || ",;&}])>".utf8.contains(signs[next].byte) ? index : signs.count
  }
}

extension UInt8 {
  /// Whether it is a part of a name: a letter, a digit, `_`, `-`, or of a character beyond ASCII.
  @inlinable package var isOfWord: Bool {
    // A bit for each character of ASCII, since whole texts are gone through: digits and `-`; letters and `_`.
    let bits: UInt64 = self & 0x40 == 0 ? 0x03FF_2000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return self >= 0x80 || bits & 1 << UInt64(self & 0x3F) != 0
  }

  fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }

  /// Whether it separates a name from its value, or is escaped so.
  fileprivate var isSeparator: Bool {
    self == UInt8(ascii: "=") || self == UInt8(ascii: "%") || self == UInt8(ascii: "\\")
  }

  /// `+` is a space in a form.
  fileprivate var isSpace: Bool { self <= 0x20 || self == UInt8(ascii: "+") }

  fileprivate var isAroundName: Bool {
    isSpace || isQuote || self == UInt8(ascii: "[") || self == UInt8(ascii: "]")
  }
}

extension ArraySlice<UInt8> {
  /// What hexadecimal digits at its beginning say; `nil` where it is no byte.
  fileprivate func number(ofDigits count: Int) -> UInt8? {
    // A sign would count as part of a number.
    guard self.count >= count, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
    return UInt8(String(decoding: prefix(count), as: UTF8.self), radix: 16)
  }
}
