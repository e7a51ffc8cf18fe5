import Expressions
import FlowSpec
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
  enum Context {
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
  private static let longestKept = 1024

  private let display: Display
  /// By content, in angle brackets; a long one from outside stands there as its digest, which takes no room.
  private var aliases: [ScalarString: String] = [:]
  /// A bit for each length that a content has, modulo 64: few plain texts have to be looked up.
  private var lengths: UInt64 = 0
  /// Those of texts that are one origin from end to end, which need not be made to be found.
  private var wholes = OriginTable()
  /// Which of them are not among the contents yet; `nil` once something has come that may be the same as one.
  private var unread: [Int]? = []
  /// How many aliases a name has; the names are those that the flow gives, so they are few.
  private var counts: [(name: String, count: Int)] = []
  /// What is looked for in plain texts; `nil` where none is from outside.
  private var sought: Echoes?
  /// Where something is known before it appears, under which numbers it does.
  private var appeared = AppearedAliases()

  package init(_ display: Display = .aliases, isFromOutside: Bool = false) {
    self.display = display
    counts.reserveCapacity(16)
    if isFromOutside, display == .aliases { (sought, unread) = (Echoes(), nil) }
  }

  /// Writes a text as a trace shows it.
  mutating func write(_ text: Text, to line: inout JSONLine) {
    if let string = text.plain {
      write(plain: string, to: &line)
    } else if display == .aliases, let alias = alias(ofWhole: text) {
      line.string(shown(alias))
    } else {
      line.raw("\"")
      writePart(text, in: .text, to: &line)
      line.raw("\"")
    }
  }

  /// Writes a text without marks, as a trace shows it.
  mutating func write(plain string: String, to line: inout JSONLine) {
    if display == .realText { return line.string(string) }
    if let alias = alias(ofPlain: string) { return line.string(shown(alias)) }
    if sought == nil {
      if !line.string(string, without: UInt8(ascii: "<")) { line.string(escapingLookalikes(string)) }
      return
    }
    line.raw("\"")
    writePlain(string, in: .text, to: &line)
    line.raw("\"")
  }

  /// Writes it as a part of a string.
  mutating func writePart(_ text: Text, in context: Context, to line: inout JSONLine) {
    if display == .aliases, !text.isPlain {
      if let alias = alias(ofWhole: text) { return line.part(shown(alias)) }
      return writePieces(of: text, in: context, to: &line)
    }
    let string = text.plain ?? text.string
    if display == .aliases, let alias = alias(ofPlain: string) { return line.part(shown(alias)) }
    if display == .realText, context == .text { return line.part(string) }
    writePlain(string, in: context, to: &line)
  }

  /// Gives what is hidden in a value an alias before it appears: a peer may say back, decoded, what it was sent only as a
  /// part of something encoded, or before it stands under one of the names that hide numbers too.
  mutating func know(_ value: Value, under names: Names = Names([])) {
    guard sought != nil else { return }
    switch value {
    case .string(let text):
      let bytes = Array(text.string.utf8)
      for piece in text.hiddenPieces {
        let content = String(decoding: bytes[piece.range], as: UTF8.self)
        _ = alias(of: piece.kind, content: content)
        for said in NamedPlaces.values(inTokensOf: content) { know(said, under: names) }
      }
    case .list(let elements): for element in elements { know(element, under: names) }
    case .map(let map):
      for entry in map.entries {
        know(entry.key)
        know(names.name(ofKey: entry.key).map { entry.value.veiled(as: $0) } ?? entry.value, under: names)
      }
    case .optional(let value?): know(value, under: names)
    default: break
    }
  }

  /// The host of an address by itself: it stands in the reasons of failures.
  mutating func know(hostOf address: Text) {
    guard let authority = Reference(address).authority else { return }
    let place = authority.string.split(separator: "@").last ?? ""
    // An address of the sixth version has colons of its own (RFC 3986 §3.2.2).
    let host = place.first == "[" ? place.prefix { $0 != "]" }.dropFirst() : place.prefix { $0 != ":" }
    know(.string(Text(String(host)).markedWhole(like: authority)))
  }

  /// The alias of what is said as a number, and was hidden as text or within something secret: numbers carry no marks.
  mutating func alias(ofNumber text: @autoclosure () -> String) -> String? {
    if aliases.isEmpty { return nil }
    let text = text()
    return text.utf8.count < Echoes.leastLength ? nil : aliases[key(of: text)].map { shown($0) }
  }

  /// A text with dots for what has an alias, however it is escaped; only a table of what is from outside can tell.
  func hiding(in text: String) -> String {
    let bytes = Array(text.utf8)
    var (shown, plain) = ("", 0)
    for echo in sought?.echoes(in: bytes) ?? [] {
      shown += String(decoding: bytes[plain..<echo.place.lowerBound], as: UTF8.self) + hiddenText
      plain = echo.place.upperBound
    }
    return shown + String(decoding: bytes[plain...], as: UTF8.self)
  }

  private mutating func writePlain(_ string: String, in context: Context, to line: inout JSONLine) {
    guard let sought else { return writeUnsought(string, in: context, to: &line) }
    let bytes = Array(string.utf8)
    var plain = 0
    for echo in sought.echoes(in: bytes) {
      writeUnsought(String(decoding: bytes[plain..<echo.place.lowerBound], as: UTF8.self), in: context, to: &line)
      line.part(shown(echo.alias ?? numbered("text")))
      plain = echo.place.upperBound
    }
    writeUnsought(String(decoding: bytes[plain...], as: UTF8.self), in: context, to: &line)
  }

  private func writeUnsought(_ string: String, in context: Context, to line: inout JSONLine) {
    switch context {
    case .text: line.part(escapingLookalikes(string))
    case .path: line.part(string, percentEncodedBut: .ofPath)
    case .query: line.part(string, percentEncodedBut: .unreserved)
    }
  }

  private mutating func writePieces(of text: Text, in context: Context, to line: inout JSONLine) {
    let string = text.string
    let utf8 = string.utf8
    var position = 0
    func content(_ range: Range<Int>) -> String {
      let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
      return String(string[start..<utf8.index(start, offsetBy: range.count)])
    }
    for piece in text.hiddenPieces where piece.range.lowerBound >= position {
      if position < piece.range.lowerBound {
        writePlain(content(position..<piece.range.lowerBound), in: context, to: &line)
      }
      line.part(shown(alias(of: piece.kind, content: content(piece.range))))
      position = piece.range.upperBound
    }
    if position < utf8.count { writePlain(content(position..<utf8.count), in: context, to: &line) }
  }

  /// The alias of a text that is hidden from end to end.
  private mutating func alias(ofWhole text: Text) -> String? {
    guard let key = text.originKey else {
      guard let kind = text.hiddenWhole else { return nil }
      return alias(of: kind, content: text.string)
    }
    guard key.isHidden else { return nil }
    if let known = wholes[key] { return known }
    guard isSurelyNew(key) else {
      let alias = alias(of: key.kind, content: key.text.string)
      _ = wholes.add(alias, for: key)
      return alias
    }
    let alias = newAlias(of: key.kind, key.text.string)
    let index = wholes.add(alias, for: key)
    // What it was derived from may have been looked for among all contents.
    if unread == nil { note(alias, of: key.text.string) } else { unread?.append(index) }
    return alias
  }

  /// Whether a text without an alias of its origin is surely another than all that have one, without it being made.
  private func isSurelyNew(_ key: Text.OriginKey) -> Bool {
    guard let unread, unread.count < Self.mostUnread, key.looksMade else { return false }
    return key.isDrawn || unread.allSatisfy { wholes.entries[$0].key.surelyDiffers(from: key) }
  }

  /// What comes back from a real peer has lost its marks: a long text that has an alias already is no chance.
  private mutating func alias(ofPlain string: String) -> String? {
    string.utf8.count < Self.unguessableLength ? nil : alias(ofContent: string)
  }

  private mutating func alias(ofContent content: String) -> String? {
    if let unread, content.looksMade {
      self.unread = nil
      for index in unread { note(wholes.entries[index].alias, of: wholes.entries[index].key.text.string) }
    }
    return lengths & 1 << (content.utf8.count & 63) == 0 ? nil : aliases[key(of: content)]
  }

  private func key(of content: String) -> ScalarString {
    if sought == nil || content.utf8.count <= Self.longestKept { return ScalarString(content) }
    // The digest alone may be a content itself.
    return ScalarString("s256 " + Origin.derived(.s256, .string(Text(content))).string)
  }

  private mutating func alias(of kind: Text.Span.Kind, content: String) -> String {
    if let known = alias(ofContent: content) { return known }
    let alias = newAlias(of: kind, content)
    note(alias, of: content)
    return alias
  }

  private mutating func note(_ alias: String, of content: String) {
    aliases[key(of: content)] = alias
    lengths |= 1 << (content.utf8.count & 63)
    sought?.add(content, alias)
  }

  private mutating func newAlias(of kind: Text.Span.Kind, _ content: @autoclosure () -> String) -> String {
    switch kind {
    case .secret(let name), .kept(let name): return numbered(name)
    case .origin(.fresh(let name, _, _)), .origin(.identifier(let name, _, _)): return numbered(name)
    case .origin(.derived(let function, let argument)):
      know(argument)
      return derived(function, argument)
    case .digest(let text):
      know(.string(text))
      // Not of a part of it, and not of what was made of it.
      return Origin.derived(.s256, .string(text)).string == content()
        ? derived(.s256, .string(text)) : numbered(Origin.Derivation.s256.rawValue)
    }
  }

  /// Says what it was made of where that has an alias from end to end: `s256(verifier#1)`.
  private mutating func derived(_ function: Origin.Derivation, _ argument: Value) -> String {
    guard function != .jwt, let text = argument.text, let alias = alias(ofWhole: text) else {
      return numbered(function.rawValue)
    }
    return "<\(function.rawValue)(\(alias.dropFirst().dropLast()))>"
  }

  /// An alias as a line shows it; where nothing is known beforehand, each is made as it appears.
  private mutating func shown(_ alias: String) -> String { sought == nil ? alias : appeared.shown(alias) }

  private mutating func numbered(_ name: String) -> String {
    let name = aliasName(name)
    return Self.alias(name, count(name))
  }

  /// `<name#number>`; put together from pieces it would take six times as long.
  private static func alias(_ name: String, _ number: Int) -> String {
    var name = name
    return name.withUTF8 { name in
      var (rest, digits) = (number, 1)
      while rest > 9 { (rest, digits) = (rest / 10, digits + 1) }
      return String(unsafeUninitializedCapacity: name.count + digits + 3) { room in
        room[0] = UInt8(ascii: "<")
        _ = room[1...].update(fromContentsOf: name)
        room[name.count + 1] = UInt8(ascii: "#")
        rest = number
        for place in (name.count + 2..<name.count + 2 + digits).reversed() {
          room[place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        room[name.count + 2 + digits] = UInt8(ascii: ">")
        return name.count + digits + 3
      }
    }
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
