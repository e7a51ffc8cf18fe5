import Expressions
import JSONSyntax

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

  /// How what is plain stands beside the aliases.
  enum Place {
    /// What looks like an alias is told apart by a `#` behind its `<`: `<#token#1>` stands for the nine characters
    /// `<token#1>`.
    ///
    /// A real alias never begins that way.
    case text
    /// Percent-encoded, in a segment of a path or in a query.
    case path, query
  }

  /// In bytes: so long a text is no chance where it stands once more.
  static let unguessableLength = 16
  private static let mostUnread = 32

  private let display: Display
  /// The aliases as JSON writes them, in quotation marks, one on each line, and where each of them ends.
  private var json = JSONLines(room: 512)
  private var ends: [Int] = []
  /// By content, which of them.
  private var aliases: [String: Int] = [:]
  /// A bit for each length that a content has, modulo 64: few plain texts have to be looked up.
  private var lengths: UInt64 = 0
  /// Those of texts that are one origin from end to end: theirs need not be made to be found.
  private var wholes = OriginTable()
  /// How many of them are not among the contents yet, since nothing has come that may be the same.
  private var unread = 0
  /// Outlines whose texts are all among the contents.
  private var hasReadDigests = false
  private var hasReadTokens = false
  /// How many aliases a name has; the names are those that the flow gives, so they are few.
  private var counts: [(name: String, count: Int)] = []

  package init(_ display: Display = .aliases) {
    self.display = display
    ends.reserveCapacity(32)
    counts.reserveCapacity(16)
  }

  /// Writes a text as a trace shows it.
  mutating func write(_ text: Text, to line: inout JSONLine) {
    if let string = text.plain {
      if display == .realText { return line.string(string) }
      if let alias = alias(ofPlain: string) { return line.raw(json, quoted(alias)) }
      if !line.string(string, without: UInt8(ascii: "<")) { line.string(escapingLookalikes(string)) }
    } else if display == .aliases, let alias = alias(ofWhole: text) {
      line.raw(json, quoted(alias))
    } else {
      line.raw("\"")
      writePart(text, as: .text, to: &line)
      line.raw("\"")
    }
  }

  /// Writes it as a part of a string.
  mutating func writePart(_ text: Text, as place: Place, to line: inout JSONLine) {
    if display == .aliases, !text.isPlain {
      if let alias = alias(ofWhole: text) { return line.raw(json, inside(alias)) }
      return writePieces(of: text, as: place, to: &line)
    }
    let string = text.plain ?? text.string
    if display == .aliases, let alias = alias(ofPlain: string) { return line.raw(json, inside(alias)) }
    if display == .realText, place == .text { return line.part(string) }
    writePlain(string, as: place, to: &line)
  }

  private func writePlain(_ string: String, as place: Place, to line: inout JSONLine) {
    switch place {
    case .text: line.part(escapingLookalikes(string))
    case .path: line.part(string, percentEncodedBut: .ofPath)
    case .query: line.part(string, percentEncodedBut: .unreserved)
    }
  }

  private mutating func writePieces(of text: Text, as place: Place, to line: inout JSONLine) {
    let string = text.string
    let utf8 = string.utf8
    var position = 0
    func content(_ range: Range<Int>) -> String {
      let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
      return String(string[start..<utf8.index(start, offsetBy: range.count)])
    }
    for piece in text.hiddenPieces where piece.range.lowerBound >= position {
      if position < piece.range.lowerBound {
        writePlain(content(position..<piece.range.lowerBound), as: place, to: &line)
      }
      let alias = alias(of: piece.kind, content: content(piece.range))
      line.raw(json, inside(alias))
      position = piece.range.upperBound
    }
    if position < utf8.count { writePlain(content(position..<utf8.count), as: place, to: &line) }
  }

  /// Without its quotation marks.
  private func inside(_ alias: Int) -> Range<Int> {
    let quoted = quoted(alias)
    return quoted.lowerBound + 1..<quoted.upperBound - 1
  }

  private func quoted(_ alias: Int) -> Range<Int> { (alias == 0 ? 0 : ends[alias - 1] + 1)..<ends[alias] }

  /// The alias of a text that is hidden from end to end.
  private mutating func alias(ofWhole text: Text) -> Int? {
    guard let key = text.originKey else {
      guard let kind = text.hiddenWhole else { return nil }
      return alias(of: kind, content: text.string)
    }
    if let known = wholes.known(key) { return known }
    guard key.isHidden else { return nil }
    return wholes.equal(to: key) ?? alias(of: key)
  }

  /// The text is made only when it is looked for, if it is surely another than all before.
  private mutating func alias(of key: Text.OriginKey) -> Int {
    guard let outline = outlineOfNew(key) else {
      let alias = alias(of: key.kind, content: key.text.string)
      wholes.add(alias, for: key, unread: nil)
      return alias
    }
    let alias = newAlias(of: key.kind)
    // What it was derived from may have been looked for among all contents.
    let isUnread = !hasRead(outline)
    if isUnread { unread += 1 } else { note(alias, of: key.text.string) }
    wholes.add(alias, for: key, unread: isUnread ? outline : nil)
    return alias
  }

  /// What comes back from a real peer has lost its marks: a long text that has an alias already is no chance.
  private mutating func alias(ofPlain string: String) -> Int? {
    string.utf8.count < Self.unguessableLength ? nil : alias(ofContent: string)
  }

  /// Whether plain text stands as an alias.
  mutating func knows(_ plain: String) -> Bool { display == .aliases && alias(ofPlain: plain) != nil }

  private mutating func alias(of kind: Text.Span.Kind, content: String) -> Int {
    if let known = alias(ofContent: content) { return known }
    let alias = newAlias(of: kind)
    note(alias, of: content)
    return alias
  }

  /// `nil` where it may be the same as one before, as far as that shows without making it.
  private func outlineOfNew(_ key: Text.OriginKey) -> Text.Outline? {
    guard unread < Self.mostUnread else { return nil }
    let text = key.text
    guard let outline = text.outline, !hasRead(outline) else { return nil }
    if key.isDrawn { return outline }
    for entry in wholes.entries where entry.unread == outline && !entry.key.isDrawn {
      if !text.surelyDiffers(from: entry.key.text) { return nil }
    }
    return outline
  }

  private mutating func alias(ofContent content: String) -> Int? {
    if Text.Outline.digest.fits(content) { read(.digest) } else if Text.Outline.token.fits(content) { read(.token) }
    return lengths & 1 << (content.utf8.count & 63) == 0 ? nil : aliases[content]
  }

  private func hasRead(_ outline: Text.Outline) -> Bool { outline == .digest ? hasReadDigests : hasReadTokens }

  /// Makes the texts that have this outline: one has come that may be the same as one of them.
  private mutating func read(_ outline: Text.Outline) {
    guard !hasRead(outline) else { return }
    if outline == .digest { hasReadDigests = true } else { hasReadTokens = true }
    for index in wholes.entries.indices where wholes.entries[index].unread == outline {
      note(wholes.entries[index].alias, of: wholes.entries[index].key.text.string)
      wholes.entries[index].unread = nil
      unread -= 1
    }
  }

  private mutating func note(_ alias: Int, of content: String) {
    aliases[content] = alias
    lengths |= 1 << (content.utf8.count & 63)
  }

  private mutating func newAlias(of kind: Text.Span.Kind) -> Int {
    switch kind {
    case .secret(let name): numbered(name)
    case .origin(.fresh(let name, _, _)), .origin(.identifier(let name, _)): numbered(name)
    case .origin(.derived(let function, let argument)): derived(function, argument)
    }
  }

  /// Says what it was made of where that has an alias from end to end: `s256(verifier#1)`.
  private mutating func derived(_ function: Origin.Derivation, _ argument: Value) -> Int {
    guard function != .jwt, let text = argument.text, let alias = alias(ofWhole: text) else {
      return numbered(function.rawValue)
    }
    // Without its quotation marks and angle brackets.
    let inner = json.part(quoted(alias).dropFirst(2).dropLast(2))
    return add { line in
      line.part(function.rawValue)
      line.raw("(")
      line.raw(inner)
      line.raw(")")
    }
  }

  private mutating func numbered(_ name: String) -> Int {
    let name = aliasName(name)
    let number = count(name)
    return add { line in
      line.part(name)
      line.raw("#")
      line.int(Int64(number))
    }
  }

  private mutating func add(_ write: (inout JSONLine) -> Void) -> Int {
    json.add { line in
      line.raw("\"<")
      write(&line)
      line.raw(">\"")
    }
    // The line's own end does not belong to it.
    ends.append(json.count - 1)
    return ends.count - 1
  }

  private mutating func count(_ name: String) -> Int {
    for index in counts.indices where counts[index].name.utf8.count == name.utf8.count && counts[index].name == name {
      counts[index].count += 1
      return counts[index].count
    }
    counts.append((name, 1))
    return 1
  }
}
