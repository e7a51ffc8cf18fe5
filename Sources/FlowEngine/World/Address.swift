import Expressions
import FlowSpec

/// An absolute URI taken apart without looking into what is fresh (RFC 3986 §3).
struct Address {
  /// `https://host:port`, in lower case, or `com.example:` where there is no authority; secret where a part of it is.
  var origin: Text
  /// Percent-decoded.
  var path: [Text]
  var query: [NamedValue]

  /// `nil` when it is no absolute URI.
  init?(_ text: Text) {
    let scan = Scan(text)
    guard let colon = scan.first(of: [":"], from: 0), colon > 0 else { return nil }
    var start = colon + 1
    if scan.has("//", at: start) {
      start = scan.first(of: ["/", "?", "#"], from: start + 2) ?? scan.count
    }
    guard let origin = text.slice(0..<start) else { return nil }
    let plain = Text(Self.withoutDefaultPort(origin.string.lowercased()))
    self.origin = origin.firstSecret.map { plain.marked(secret: $0) } ?? plain
    let end = scan.first(of: ["#"], from: start) ?? scan.count
    let question = scan.first(of: ["?"], from: start) ?? end
    let pathEnd = min(question, end)
    path = []
    query = []
    if pathEnd > start + 1 {
      for range in scan.split(start + 1..<pathEnd, at: "/") { path.append(scan.decoded(range)) }
    }
    if question + 1 < end {
      for range in scan.split(question + 1..<end, at: "&") where !range.isEmpty {
        let equals = scan.first(of: ["="], from: range.lowerBound).map { min($0, range.upperBound) } ?? range.upperBound
        let value = min(equals + 1, range.upperBound)..<range.upperBound
        query.append(
          NamedValue(
            name: scan.decoded(range.lowerBound..<equals, plus: true).string,
            value: .string(scan.decoded(value, plus: true))))
      }
    }
  }
}

extension Address {
  /// Marks apart, as nothing but the text counts.
  func isOfOrigin(_ other: Text?) -> Bool { origin.string == other?.string }

  /// RFC 3986 §6.2.3: a port that the scheme implies says nothing.
  static func withoutDefaultPort(_ origin: String) -> String {
    for (scheme, port) in [("https://", ":443"), ("http://", ":80")]
    where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
      return String(origin.dropLast(port.count))
    }
    return origin
  }
}

/// Finds delimiters in a text outside of what is fresh.
private struct Scan {
  let text: Text
  private let bytes: [UInt8]
  private let opaque: [Range<Int>]

  init(_ text: Text) {
    self.text = text
    bytes = Array(text.string.utf8)
    opaque = text.spans.compactMap { if case .origin = $0.kind { $0.range } else { nil } }
  }

  var count: Int { bytes.count }

  func first(of delimiters: Set<Unicode.Scalar>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if let span = opaque.first(where: { $0.contains(index) }) {
        index = span.upperBound
        continue
      }
      if delimiters.contains(Unicode.Scalar(bytes[index])) { return index }
      index += 1
    }
    return nil
  }

  func has(_ string: String, at start: Int) -> Bool { bytes.dropFirst(start).starts(with: string.utf8) }

  func split(_ range: Range<Int>, at delimiter: Unicode.Scalar) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = range.lowerBound
    while let end = first(of: [delimiter], from: start), end < range.upperBound {
      pieces.append(start..<end)
      start = end + 1
    }
    return pieces + [start..<range.upperBound]
  }

  /// A piece with its percent-encoding undone; marks are kept, and whole where something was undone.
  func decoded(_ range: Range<Int>, plus: Bool = false) -> Text {
    guard let piece = text.slice(range) else { return Text("") }
    let encoded = bytes[range].contains(UInt8(ascii: "%")) || (plus && bytes[range].contains(UInt8(ascii: "+")))
    guard encoded, !piece.isFresh else { return piece }
    let plain = Text(PercentEncoding.decode(piece.string, plus: plus))
    for span in piece.spans { if case .secret(let name) = span.kind { return plain.marked(secret: name) } }
    return plain
  }
}

/// Percent-encoding of RFC 3986 §2.1, and of forms.
package enum PercentEncoding {
  /// What is no valid encoding stays as it is; bytes that are no UTF-8 become U+FFFD.
  package static func decode(_ string: String, plus: Bool = false) -> String {
    let bytes = Array(string.utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = nibble(bytes[index + 1]),
        let low = nibble(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(plus && bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
