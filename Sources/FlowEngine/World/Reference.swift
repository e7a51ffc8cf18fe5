import Expressions

/// A URI reference, absolute or relative, cut at its delimiters (RFC 3986 §4.1); what is fresh is never looked into.
struct Reference {
  /// The components without the delimiters that set them apart; `nil` where one is not there, which is another thing than
  /// being empty.
  var scheme: Text?
  var authority: Text?
  var path: Text
  var query: Text?
  var fragment: Text?

  init(_ text: Text) {
    let scan = Scan(text)
    var start = 0
    if let end = scan.first(of: ":", "/", "?", "#", from: 0), scan.has(":", at: end), scan.isScheme(0..<end) {
      scheme = text.slice(0..<end)
      start = end + 1
    }
    if scan.has("//", at: start) {
      let end = scan.first(of: "/", "?", "#", from: start + 2) ?? scan.count
      authority = text.slice(start + 2..<end)
      start = end
    }
    let hash = scan.first(of: "#", from: start) ?? scan.count
    let question = min(scan.first(of: "?", from: start) ?? hash, hash)
    path = text.slice(start..<question) ?? Text("")
    if question < hash { query = text.slice(question + 1..<hash) }
    if hash < scan.count { fragment = text.slice(hash + 1..<scan.count) }
  }

  /// What the reference means where it stands at an absolute address (RFC 3986 §5.2.2).
  func resolved(against base: Reference) -> Reference {
    var target = self
    target.scheme = scheme ?? base.scheme
    guard scheme == nil, authority == nil else {
      target.path = path.withoutDots
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else {
      target.path = (path.isRooted ? path : base.merged(with: path)).withoutDots
    }
    return target
  }

  /// A relative path behind all but the last segment of this one (RFC 3986 §5.2.3).
  private func merged(with relative: Text) -> Text {
    if authority != nil, path.isEmpty { return Text("/") + relative }
    let last = Scan(path).segments.last?.lowerBound ?? 0
    return (path.slice(0..<last) ?? Text("")) + relative
  }
}

extension Text {
  /// A reference without what nobody knows the meaning of: a token may stand in a fragment.
  var hidingFragment: Text {
    guard let fragment = Reference(self).fragment,
      let start = slice(0..<string.utf8.count - fragment.string.utf8.count)
    else { return self }
    return start + fragment.marked(secret: "fragment")
  }

  fileprivate var isRooted: Bool { string.utf8.first == UInt8(ascii: "/") }

  /// A path without its `.` and `..` (RFC 3986 §5.2.4), however encoded; one that does not begin at the root has none
  /// that mean anything.
  var withoutDots: Text {
    guard isRooted else { return self }
    let scan = Scan(self)
    var kept: [Text] = []
    var endsInside = false
    for range in scan.segments.dropFirst() {
      guard let segment = slice(range) else { continue }
      let word = scan.decoded(range).string
      endsInside = word.isDotSegment
      if word == ".." { _ = kept.popLast() }
      if !endsInside { kept.append(segment) }
    }
    if endsInside { kept.append(Text("")) }
    var path = TextBuilder()
    for segment in kept {
      path.append("/")
      path.append(segment)
    }
    return path.text
  }
}

extension Scan {
  fileprivate var segments: [Range<Int>] { split(0..<count, at: "/") }

  /// A letter, then letters, digits, `+`, `-`, `.` (RFC 3986 §3.1).
  fileprivate func isScheme(_ range: Range<Int>) -> Bool { isKnown(range) && Self.isScheme(bytes[range]) }

  static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, first.isLetter else { return false }
    return bytes.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
  }
}
