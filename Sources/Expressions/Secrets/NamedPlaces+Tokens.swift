import JSONSyntax

/// Who decodes a token reads what stands in it: JSON in base64url, as the parts of a JWT are (RFC 7519, section 3), or in
/// base64.
extension NamedPlaces {
  /// What JSON begins with there: `{"`, `{ "`, a brace at the end of a line, `[{`.
  private static let beginnings = ["eyJ", "eyA", "ewo", "ew0", "W3s"].map { Array($0.utf8) }

  private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    beginnings.contains { $0[0] == bytes[start] && $0[1] == bytes[start + 1] && $0[2] == bytes[start + 2] }
  }

  /// Whether a token may stand in a text, which is asked of every text that is made; fewer letters have no member.
  static func mayHoldToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count > 8 && firstBeginning(in: bytes) != nil
  }

  private static func firstBeginning(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.count > 2 else { return nil }
    for start in 0..<bytes.count - 2 {
      let byte = bytes[start]
      if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "W"), begins(bytes, at: start) { return start }
    }
    return nil
  }

  /// In how many tokens one is looked for: each takes as much of the stack as JSON may, and a peer has chosen them.
  private static let mostLevels = 4

  /// The tokens in a text that have a member of one of these names, however deep, in order and without overlap; one that
  /// stands in too many others to look into it counts as one that has.
  static func tokens(in text: String, under names: Names, level: Int = 0) -> [Place] {
    let bytes = Array(text.utf8)
    guard bytes.withUnsafeBufferPointer(mayHoldToken) else { return [] }
    var places: [Place] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { !$0.isOfToken } ?? bytes.count
      if let place = place(in: bytes[start..<end], under: names, level: level) {
        let padding = bytes[end...].prefix { $0 == UInt8(ascii: "=") }
        places.append(
          Place(range: place.range.lowerBound..<max(place.range.upperBound, padding.endIndex), name: place.name))
      }
      start = end + 1
    }
    return places
  }

  /// From where JSON begins first in a run of letters to its end, if something in it has such a name.
  private static func place(in run: ArraySlice<UInt8>, under names: Names, level: Int) -> Place? {
    var first: Int?
    for part in run.split(separator: UInt8(ascii: ".")) {
      guard let start = beginning(in: part) else { continue }
      first = first ?? start
      // Behind it a path may go on.
      let rest = part[start...]
      let ends = [rest.endIndex, rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "+") }]
      for end in ends.compactMap(\.self) {
        if let name = name(in: rest[..<end], under: names, level: level) {
          return Place(range: (first ?? start)..<run.endIndex, name: name)
        }
      }
    }
    return nil
  }

  private static func beginning(in part: ArraySlice<UInt8>) -> Int? {
    part.withUnsafeBufferPointer { firstBeginning(in: $0) }.map { part.startIndex + $0 }
  }

  private static func name(in part: ArraySlice<UInt8>, under names: Names, level: Int) -> String? {
    level < mostLevels ? json(in: part)?.name(under: names, level: level) : names.all.first
  }

  private static func json(in part: ArraySlice<UInt8>) -> JSONNode? {
    let letters = part.map { byte in
      byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
    }
    guard let json = bytes(ofBase64URL: String(decoding: letters, as: UTF8.self)) else { return nil }
    return try? JSONParser.parse(json, as: .body)
  }

  /// What the tokens in a text say.
  package static func values(inTokensOf text: String) -> [Value] {
    let bytes = Array(text.utf8)
    guard bytes.withUnsafeBufferPointer(mayHoldToken) else { return [] }
    return bytes.split { !$0.isOfToken || $0 == UInt8(ascii: ".") }.compactMap { part in
      beginning(in: part).flatMap { json(in: part[$0...]) }.map { Value(body: $0) }
    }
  }
}

extension JSONNode {
  /// The first of these names that a member in it has, or that something has in a text of it.
  ///
  /// - Parameter level: In how many other tokens the one stands that it was read from.
  fileprivate func name(under names: Names, level: Int) -> String? {
    switch kind {
    case .string(let text):
      NamedPlaces.tokens(in: text, under: names, level: level + 1).first?.name
        ?? NamedPlaces.places(in: text, under: names).first?.name
    case .array(let elements): elements.lazy.compactMap { $0.name(under: names, level: level) }.first
    case .object(let members):
      members.lazy.compactMap { member in
        names.index(of: member.name).map { names.all[$0] } ?? member.value.name(under: names, level: level)
      }.first
    default: nil
    }
  }
}

extension UInt8 {
  /// Whether a token is made of it, but for what fills up its end.
  fileprivate var isOfToken: Bool {
    // A letter, a digit, `-` or `_`; nothing beyond ASCII.
    self < 0x80 && isOfWord || ".+/".utf8.contains(self)
  }
}
