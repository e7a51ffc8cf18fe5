import Expressions

/// Names every secret and every fresh value of one trace, so that equal ones are seen to be equal: `<accessToken#2>`.
///
/// The table is kept by content: a text has the same alias through the whole trace, whatever marks it later. Numbers
/// count distinct contents of one name by first appearance.
package struct AliasTable: Sendable {
  /// What stands in place of what must not be seen.
  package enum Display: Sendable, Hashable {
    case aliases
    /// The text itself: for a terminal only, never for a file.
    case realText
  }

  private static let unguessableLength = 16

  private let display: Display
  /// By content, with the angle brackets.
  private var aliases: [String: String] = Dictionary(minimumCapacity: 48)
  /// A bit for each length that a content has, modulo 64: few plain texts have to be looked up.
  private var lengths: UInt64 = 0
  /// Those of texts that are one origin from end to end: theirs need not be made to be found.
  private var wholes = OriginTable()
  /// Of texts that are not among the contents yet, since nothing has come that may be the same.
  private var unread: [(text: Text, outline: Text.Outline, shown: String)] = []
  private static let mostUnread = 32
  /// Outlines whose texts are all among the contents.
  private var readOutlines: [Text.Outline] = []
  private var counts: [String: Int] = Dictionary(minimumCapacity: 24)

  package init(_ display: Display = .aliases) {
    self.display = display
  }

  /// The text as a trace shows it.
  ///
  /// What looks like an alias in text that is plain is told apart by a `#` behind its `<`: `<#token#1>` stands for the
  /// nine characters `<token#1>`. A real alias never begins that way.
  package mutating func shown(_ text: Text) -> String {
    display == .realText ? text.string : shown(text, plain: escapingLookalikes)
  }

  /// The text as it stands in a URL, in a segment of its path or in its query: percent-encoded but for the aliases.
  package mutating func shownInURL(_ text: Text, inPath: Bool = false) -> String {
    let encoded = inPath ? pathEncoded : Expressions.percentEncoded
    return display == .realText ? encoded(text.string) : shown(text, plain: encoded)
  }

  private mutating func shown(_ text: Text, plain: (String) -> String) -> String {
    if text.isPlain {
      // What comes back from a real peer has lost its marks: a long text that has an alias already is no chance.
      let string = text.string
      guard string.utf8.count >= Self.unguessableLength, let known = alias(ofContent: string) else {
        return plain(string)
      }
      return known
    }
    if let kind = text.wholeKind, let key = text.originKey {
      if let known = wholes[key] { return known }
      let shown = aliasOfNew(text, kind) ?? alias(of: kind, content: text.string)
      wholes.add(shown, for: key)
      return shown
    }
    return shownPieces(of: text, plain: plain)
  }

  private mutating func shownPieces(of text: Text, plain: (String) -> String) -> String {
    let string = text.string
    let utf8 = string.utf8
    var result = ""
    var position = 0
    func content(_ range: Range<Int>) -> String {
      let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
      return String(string[start..<utf8.index(start, offsetBy: range.count)])
    }
    for piece in text.hiddenPieces where piece.range.lowerBound >= position {
      if position < piece.range.lowerBound { result += plain(content(position..<piece.range.lowerBound)) }
      result += alias(of: piece.kind, content: content(piece.range))
      position = piece.range.upperBound
    }
    if position < utf8.count { result += plain(content(position..<utf8.count)) }
    return result
  }

  private mutating func alias(of kind: Text.Span.Kind, content: String) -> String {
    if let known = alias(ofContent: content) { return known }
    let alias = newAlias(of: kind)
    note(alias, of: content)
    return alias
  }

  /// The alias of a text that is surely another than all before; it is made only when it is looked for.
  private mutating func aliasOfNew(_ text: Text, _ kind: Text.Span.Kind) -> String? {
    guard let outline = text.outline, !readOutlines.contains(outline), unread.count < Self.mostUnread else {
      return nil
    }
    if unread.contains(where: { $0.outline == outline && !text.surelyDiffers(from: $0.text) }) { return nil }
    let alias = newAlias(of: kind)
    unread.append((text, outline, alias))
    return alias
  }

  private mutating func alias(ofContent content: String) -> String? {
    if Text.Outline.digest.fits(content) { read(.digest) } else if Text.Outline.token.fits(content) { read(.token) }
    return lengths & 1 << (content.utf8.count & 63) == 0 ? nil : aliases[content]
  }

  /// Makes the texts that have this outline: one has come that may be the same as one of them.
  private mutating func read(_ outline: Text.Outline) {
    guard !readOutlines.contains(outline) else { return }
    readOutlines.append(outline)
    for entry in unread where entry.outline == outline { note(entry.shown, of: entry.text.string) }
    unread.removeAll { $0.outline == outline }
  }

  private mutating func note(_ alias: String, of content: String) {
    aliases[content] = alias
    lengths |= 1 << (content.utf8.count & 63)
  }

  private mutating func newAlias(of kind: Text.Span.Kind) -> String {
    switch kind {
    case .secret(let name): numbered(name)
    case .origin(.fresh(let name, _, _)), .origin(.identifier(let name, _)): numbered(name)
    case .origin(.derived(let function, let arguments)): derived(function, arguments)
    }
  }

  /// Says what it was made of where that has an alias from end to end: `s256(verifier#1)`.
  private mutating func derived(_ function: Origin.Derivation, _ arguments: [Value]) -> String {
    guard function != .jwt, arguments.count == 1, let text = arguments[0].text, text.hiddenWhole != nil else {
      return numbered(function.rawValue)
    }
    return "<\(function.rawValue)(\(shown(text) { $0 }.dropFirst().dropLast()))>"
  }

  private mutating func numbered(_ name: String) -> String {
    let name = aliasName(name)
    counts[name, default: 0] += 1
    return "<" + name + "#" + String(counts[name, default: 1]) + ">"
  }
}

/// Strings by origin, whose digest is known: a few are gone through sooner than a key is hashed.
private struct OriginTable {
  private var buckets: [[(key: Text.OriginKey, shown: String)]] = Array(repeating: [], count: 64)

  subscript(key: Text.OriginKey) -> String? {
    let bucket = key.digest & 63
    for index in buckets[bucket].indices where buckets[bucket][index].key == key { return buckets[bucket][index].shown }
    return nil
  }

  mutating func add(_ shown: String, for key: Text.OriginKey) { buckets[key.digest & 63].append((key, shown)) }
}

extension Text {
  /// What an alias stands for: secrets, and the fresh and derived values outside them.
  ///
  /// In order, without overlap.
  /// A secret that covers a part of a fresh value hides the whole of it.
  fileprivate var hiddenPieces: [Span] {
    var pieces: [Span] = []
    for span in spans {
      switch span.kind {
      case .origin(.identifier): continue
      case .secret, .origin: break
      }
      guard let last = pieces.last, last.range.upperBound > span.range.lowerBound else {
        pieces.append(span)
        continue
      }
      let union = last.range.lowerBound..<max(last.range.upperBound, span.range.upperBound)
      let kind = if case .secret = last.kind { last.kind } else { span.kind }
      pieces[pieces.count - 1] = Span(range: union, kind: kind)
    }
    return pieces
  }

  /// What hides a text that is one origin from end to end; `nil` for any other, and where nothing does.
  fileprivate var wholeKind: Span.Kind? {
    guard let (origin, secret) = whole else { return nil }
    if let secret { return .secret(name: secret) }
    if case .identifier = origin { return nil }
    return .origin(origin)
  }

  /// Whether it is one origin from end to end that is not shown.
  var isHiddenWhole: Bool { wholeKind != nil }

  /// What hides the text from end to end, `nil` where a part is plain.
  fileprivate var hiddenWhole: Span.Kind? {
    if let wholeKind { return wholeKind }
    guard let first = hiddenPieces.first, first.range == 0..<string.utf8.count else { return nil }
    return first.kind
  }

  /// The same text, secret from end to end unless it is hidden from end to end already.
  func hidden(as name: String) -> Text {
    hiddenWhole == nil ? marked(secret: name) : self
  }
}

/// The name with everything that an alias is not made of as `_`.
private func aliasName(_ name: String) -> String {
  if !name.isEmpty, !name.hasByte(where: { !$0.isOfAlias }) { return name }
  var result = ""
  for scalar in name.unicodeScalars {
    let isUsable =
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
      default: !scalar.isASCII && scalar.properties.isAlphabetic
      }
    result.unicodeScalars.append(isUsable ? scalar : "_")
  }
  return result.isEmpty ? "secret" : result
}

/// Puts a `#` behind each `<` that begins something that reads like an alias: no bracket, then `#`, digits, `)`, `>`.
private func escapingLookalikes(_ text: String) -> String {
  guard text.hasByte(where: { $0 == UInt8(ascii: "<") }) else { return text }
  let bytes = Array(text.utf8)
  var result: [UInt8] = []
  for (index, byte) in bytes.enumerated() {
    result.append(byte)
    if byte == UInt8(ascii: "<"), looksLikeAlias(bytes[(index + 1)...]) { result.append(UInt8(ascii: "#")) }
  }
  return String(decoding: result, as: UTF8.self)
}

private func looksLikeAlias(_ rest: ArraySlice<UInt8>) -> Bool {
  let bracket = { (byte: UInt8) in byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") }
  guard let end = rest.firstIndex(where: bracket), rest[end] == UInt8(ascii: ">") else { return false }
  let inner = rest[rest.startIndex..<end]
  let digits = inner.reversed().drop { $0 == UInt8(ascii: ")") }
  let beforeDigits = digits.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  return beforeDigits.count < digits.count && beforeDigits.first == UInt8(ascii: "#")
}

extension UInt8 {
  /// Whether it is an ASCII character that an alias is made of.
  fileprivate var isOfAlias: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

extension String {
  /// Goes through the bytes where they stand, which takes a fraction of what it takes through the view of them.
  fileprivate func hasByte(where isSought: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(where: isSought) } ?? utf8.contains(where: isSought)
  }
}
