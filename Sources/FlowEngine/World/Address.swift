import Expressions
import FlowSpec

/// An absolute URI taken apart without looking into what is fresh (RFC 3986 §3).
struct Address {
  /// `https://host:port`, in lower case, or `com.example:` where there is no authority; secret where a part of it is.
  var origin: Text
  /// Percent-decoded, without `.` and `..`.
  var path: [Text]
  var query: [NamedValue]
  /// Whether the path begins without a slash, behind a scheme alone: `com.example:back` is another address than
  /// `com.example:/back`, and `com.example:?code=1` than `com.example:/?code=1` (RFC 3986 §3.3).
  var isRootless: Bool

  /// `nil` when it is no absolute URI.
  init?(_ text: Text) {
    guard text.isPlain else {
      self.init(Reference(text))
      return
    }
    self.init(plain: Array(text.string.utf8))
    if path.contains(where: \.string.isDotSegment) { self.init(Reference(text)) }
  }

  /// The same of a text of which all is known, in one go.
  private init?(plain bytes: [UInt8]) {
    let (slash, question, hash) = (UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"))
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Scan.isScheme(bytes[..<colon]) else { return nil }
    var authority = colon + 1
    let hasAuthority = bytes[authority...].starts(with: "//".utf8)
    if hasAuthority {
      let rest = bytes[(authority + 2)...]
      authority = rest.firstIndex { $0 == slash || $0 == question || $0 == hash } ?? bytes.count
      // Most have no port.
      guard !rest[..<authority].contains(UInt8(ascii: ":")) || hasOnePort(rest[..<authority]) else { return nil }
    }
    let pathEnd = bytes[authority...].firstIndex { $0 == question || $0 == hash } ?? bytes.count
    let queryEnd = bytes[pathEnd...].firstIndex(of: hash) ?? bytes.count
    origin = Text(normalizedOrigin(String(decoding: bytes[..<authority], as: UTF8.self)))
    let isRooted = authority < pathEnd && bytes[authority] == slash
    isRootless = !isRooted && !hasAuthority
    let start = isRooted ? authority + 1 : authority
    path = start == pathEnd ? [] : Self.segments(bytes[start..<pathEnd])
    let hasQuery = pathEnd < queryEnd
    query = hasQuery ? Self.parameters(Text(String(decoding: bytes[(pathEnd + 1)..<queryEnd], as: UTF8.self))) : []
  }

  private static func segments(_ path: ArraySlice<UInt8>) -> [Text] {
    path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { segment in
      let text = String(decoding: segment, as: UTF8.self)
      return Text(segment.contains(UInt8(ascii: "%")) ? percentDecoded(text).text : text)
    }
  }

  init?(_ reference: Reference) {
    guard let scheme = reference.scheme else { return nil }
    // What is fresh in one is not looked into.
    if let authority = reference.authority, Scan(authority).isKnown(0..<Scan(authority).count),
      !hasOnePort(authority.string.utf8)
    {
      return nil
    }
    let authority = reference.authority.map { "//" + $0.string } ?? ""
    let plain = Text(normalizedOrigin(scheme.string + ":" + authority))
    origin = plain.markedWhole(like: scheme, reference.authority ?? scheme)
    let scan = Scan(reference.path.withoutDots)
    let start = scan.has("/", at: 0) ? 1 : 0
    isRootless = start == 0 && reference.authority == nil
    path = start == scan.count ? [] : scan.split(start..<scan.count, at: "/").map { scan.decoded($0) }
    query = reference.query.map(Self.parameters) ?? []
  }

  /// The fields of a query, as a form is written.
  static func parameters(_ text: Text) -> [NamedValue] {
    let scan = Scan(text)
    return scan.split(0..<scan.count, at: "&").filter { !$0.isEmpty }.map { range in
      let equals = scan.first(of: "=", from: range.lowerBound, before: range.upperBound) ?? range.upperBound
      let value = min(equals + 1, range.upperBound)..<range.upperBound
      return NamedValue(
        key: .string(scan.decoded(range.lowerBound..<equals, plus: true)),
        value: .string(scan.decoded(value, plus: true)))
    }
  }
}

extension Address {
  /// Marks apart, as nothing but the text counts.
  func isOfOrigin(_ other: Text?) -> Bool { origin.string == other?.string }

  /// RFC 3986 §3.2.1: what stands before the host may be a password.
  static func hidingUser(_ origin: Text) -> Text {
    let bytes = Array(origin.string.utf8)
    guard !origin.isSecret, let at = bytes.lastIndex(of: UInt8(ascii: "@")),
      let slash = bytes.firstIndex(of: UInt8(ascii: "/")), slash + 2 < at
    else { return origin }
    return Text(string: origin.string, spans: [Text.Span(range: (slash + 2)..<at, kind: .secret(name: "user"))])
  }
}
