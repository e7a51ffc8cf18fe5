import JSONSyntax

/// Who decodes a token reads what stands in it: JSON in base64url, as the parts of a JWT are (RFC 7519, section 3), or in
/// base64.
extension NamedPlaces {
  /// `{"` in base64.
  private static let beginning = Array("eyJ".utf8)

  /// Whether a token may stand in a text.
  static func mayHoldToken(_ text: String) -> Bool {
    // Fewer letters have no member.
    guard text.utf8.count > 8 else { return false }
    var text = text
    return text.withUTF8 { bytes in
      bytes.indices.dropLast(2).contains { start in
        bytes[start] == beginning[0] && bytes[start + 1] == beginning[1] && bytes[start + 2] == beginning[2]
      }
    }
  }

  /// The tokens in a text that have a member of one of these names, however deep, in order and without overlap.
  static func tokens(in text: String, under names: Names) -> [Place] {
    guard mayHoldToken(text) else { return [] }
    let bytes = Array(text.utf8)
    var places: [Place] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { !$0.isOfToken } ?? bytes.count
      let parts = bytes[start..<end].split(separator: UInt8(ascii: "."))
      if let name = parts.lazy.compactMap({ name(in: $0, under: names) }).first {
        places.append(Place(range: start..<end, name: name))
      }
      start = end + 1
    }
    return places
  }

  private static func name(in part: ArraySlice<UInt8>, under names: Names) -> String? {
    guard part.starts(with: beginning) else { return nil }
    let letters = part.filter { $0 != UInt8(ascii: "=") }.map { byte in
      byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
    }
    guard let json = bytes(ofBase64URL: String(decoding: letters, as: UTF8.self)) else { return nil }
    return (try? JSONParser.parse(json, as: .body))?.name(under: names)
  }
}

extension JSONNode {
  /// The first of these names that a member in it has.
  fileprivate func name(under names: Names) -> String? {
    switch kind {
    case .array(let elements): elements.lazy.compactMap { $0.name(under: names) }.first
    case .object(let members):
      members.lazy.compactMap { member in
        names.index(of: member.name).map { names.all[$0] } ?? member.value.name(under: names)
      }.first
    default: nil
    }
  }
}

extension UInt8 {
  /// Whether a token is made of it.
  fileprivate var isOfToken: Bool {
    // A letter, a digit, `-` or `_`; nothing beyond ASCII.
    self < 0x80 && isOfWord || ".+/=".utf8.contains(self)
  }
}
