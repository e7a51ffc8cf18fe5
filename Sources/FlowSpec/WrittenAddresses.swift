import Expressions

/// Which segments of a path are secret, wherever an address is written out: what routes and links say of theirs.
///
/// An address may be misspelt, or stand in a place that takes none: then what nobody would have chosen as a segment is
/// taken for what is secret.
struct WrittenAddresses {
  private enum Segment {
    case literal(ArraySlice<UInt8>)
    case variable(isSecret: Bool)

    var isSecret: Bool { if case .variable(isSecret: true) = self { true } else { false } }
    var isLiteral: Bool { if case .literal = self { true } else { false } }
  }

  /// Of those that have a secret variable; of too many to be held against each address every segment is secret.
  private let patterns: [[Segment]]
  private static let mostPatterns = 1_000

  /// `names` are those that are secret.
  init(in texts: [LooseText], secretBy names: Names) {
    patterns = texts.flatMap { text in
      text.nodes.filter { $0.kind == .string && text.bytes[$0.range].contains(UInt8(ascii: "{")) }.compactMap { node in
        let segments = Self.segments(of: node.range, in: text.bytes).map { Self.segment($0, in: text, names) }
        return segments.contains(where: \.isSecret) ? segments : nil
      }
    }
  }

  /// The segments of a text that are not to be shown.
  func places(in range: Range<Int>, of bytes: [UInt8]) -> [Range<Int>] {
    if patterns.isEmpty { return [] }
    let written = Self.segments(of: range, in: bytes).filter { !$0.isEmpty }
    let areMany = patterns.count > Self.mostPatterns
    // Braces are those of a variable, or of a template.
    var places = written.filter { place in
      !bytes[place].contains(UInt8(ascii: "{"))
        && (areMany || !String(decoding: bytes[place], as: UTF8.self).mayBeChosen)
    }
    if areMany { return places }
    for pattern in patterns where pattern.count <= written.count {
      // Before a pattern stands what every address of its service begins with, unless it has nothing to be known by.
      let last = pattern.contains(where: \.isLiteral) ? written.count - pattern.count : 0
      for start in 0...last {
        let part = written[start..<(start + pattern.count)]
        guard zip(pattern, part).allSatisfy({ Self.matches($0, bytes[$1]) }) else { continue }
        places += zip(pattern, part).filter { $0.isSecret && !bytes[$1].contains(UInt8(ascii: "{")) }.map(\.1)
      }
    }
    return places
  }

  private static func segment(_ place: Range<Int>, in text: LooseText, _ names: Names) -> Segment {
    let bytes = text.bytes[place]
    guard let brace = bytes.firstIndex(of: UInt8(ascii: "{")),
      brace == place.lowerBound || bytes[brace - 1] != UInt8(ascii: "$"),
      let close = bytes[brace...].firstIndex(of: UInt8(ascii: "}"))
    else { return .literal(bytes) }
    return .variable(isSecret: names.index(of: text.text(brace + 1..<close)) != nil)
  }

  private static func matches(_ segment: Segment, _ written: ArraySlice<UInt8>) -> Bool {
    if case .literal(let bytes) = segment { bytes.elementsEqual(written) } else { true }
  }

  /// Between the slashes of a path, behind a method or an origin; none of a text that is no address.
  private static func segments(of range: Range<Int>, in bytes: [UInt8]) -> [Range<Int>] {
    // JSON may have put a backslash before each slash.
    let places = range.filter { bytes[$0] != UInt8(ascii: "\\") }
    let text = places.map { bytes[$0] }
    var start = 0
    if let scheme = text.firstRange(of: "://".utf8) {
      start = text[scheme.upperBound...].firstIndex(of: UInt8(ascii: "/")) ?? text.count
    } else if let colon = text.firstRange(of: ":/".utf8) {
      start = colon.upperBound - 1
    } else if let blank = text.firstRange(of: " /".utf8), text[..<blank.lowerBound].allSatisfy({ 0x41...0x5A ~= $0 }) {
      start = blank.upperBound - 1
    }
    guard start < text.count, text[start] == UInt8(ascii: "/") else { return [] }
    let path = text[(start + 1)...].prefix { !"?#".utf8.contains($0) }
    return path.split(separator: UInt8(ascii: "/")).map { places[$0.startIndex]..<places[$0.endIndex - 1] + 1 }
  }
}
