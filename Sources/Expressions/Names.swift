/// A few names that are looked for often; nearly all others differ from them in their length.
package struct Names: Sendable {
  package let all: [String]
  /// Of each name, as bits of what is equal to it, and of all.
  private let lengths: [UInt64]
  private let anyLength: UInt64
  /// The length of the shortest; of no names beyond every text.
  let shortest: Int

  /// Those that count in a text which names values itself, in a list of one: a structure cannot hold its like.
  private let texts: [Names]

  /// Secrets that are known themselves, wherever a text has one.
  private let secrets: [(text: String, name: String)]

  package init(_ all: [String], inTexts: [String] = [], secrets: [(text: String, name: String)] = []) {
    self.all = all
    self.secrets = secrets
    texts = inTexts.isEmpty ? [] : [Names(inTexts)]
    shortest = all.map(\.utf8.count).min() ?? .max
    lengths = all.map { $0.isEqualToItselfAlone ? Self.length(of: $0) : .max }
    anyLength = lengths.reduce(0, |)
  }

  @inline(__always)
  fileprivate static func length(of name: String) -> UInt64 {
    1 << UInt64(truncatingIfNeeded: name.utf8.count & 63)
  }

  /// Which of them is equal to a name, as `==` has it, or to a part of one like `token[0]` or `user[token]`, as forms
  /// write lists and objects; `nil` for none.
  @inline(__always)
  package func index(of name: String) -> Int? {
    let length = Self.length(of: name)
    if anyLength & length != 0, let index = index(of: name, length) { return index }
    return name.utf8.last == UInt8(ascii: "]") ? index(inBracketsOf: name) : nil
  }

  private func index(inBracketsOf name: String) -> Int? {
    for part in name.split(whereSeparator: { "[]".contains($0) }) {
      if let index = index(of: String(part)) { return index }
    }
    return nil
  }

  private func index(of name: String, _ length: UInt64) -> Int? {
    for index in lengths.indices where lengths[index] & length != 0 && all[index] == name { return index }
    return nil
  }

  /// What of a text stands under the names that count in texts or is one of the secrets, and is not marked yet.
  ///
  /// What is fresh from end to end is made of unreserved characters and names nothing.
  fileprivate func places(in text: Text) -> [(place: Range<Int>, name: String)] {
    if texts.isEmpty && secrets.isEmpty || text.wholeOrigin != nil || text.isWhollySecret { return [] }
    var places = texts.first.map { NamedPlaces.places(in: text.string, under: $0) } ?? []
    for secret in secrets { places += text.occurrences(of: secret.text).map { ($0, secret.name) } }
    return places.filter { place, _ in !text.secretRanges.contains { $0.clamped(to: place) == place } }
  }

  /// Whether one of them is the key; of what is no string the empty name.
  @inline(__always)
  package func contain(_ key: Value) -> Bool {
    guard case .string(let text) = key else { return index(of: "") != nil }
    guard case .plain(let name) = text.form else { return index(of: text.string) != nil }
    return index(of: name) != nil
  }
}

extension [ValueMap.Entry] {
  /// Marks what stands under one of these names as secret by that name, and in other texts what they name themselves.
  package mutating func mark(under names: Names) {
    // What others hold too would be copied where it may be changed.
    for index in indices { if let value = self[index].valueMarked(under: names) { self[index].value = value } }
  }

  /// Where the first of a name stands; `nil` where none does.
  package func index(named name: String) -> Int? {
    for index in indices {
      if case .string(let text) = self[index].key, case .plain(let other) = text.form, other == name { return index }
    }
    return nil
  }

  /// Whether a name stands more than once, marked or not.
  package func holdTwice(_ name: String) -> Bool {
    count { $0.key.text?.string == name } > 1
  }

  /// Whether they are a map as they stand: no two have one name.
  package var areDistinct: Bool {
    if isEmpty { return true }
    var lengths: UInt64 = 0
    for index in indices {
      guard case .string(let text) = self[index].key, case .plain(let name) = text.form else { return false }
      let length = Names.length(of: name)
      // Names of different lengths are different.
      if lengths & length != 0, let first = self.index(named: name), first < index { return false }
      lengths |= length
    }
    return true
  }

  /// Whether a value among them is a text with a secret in it.
  package var holdSecretText: Bool {
    for index in indices where self[index].value.isSecretText { return true }
    return false
  }
}

extension Value {
  /// Whether it is a text with a secret in it.
  package var isSecretText: Bool { if case .string(let text) = self { text.isSecret } else { false } }
}

extension ValueMap.Entry {
  /// Marks the value as secret by the name that it stands under.
  package mutating func markValue() { value.mark(secret: key.text?.string ?? "") }

  /// `nil` where nothing changes.
  fileprivate func valueMarked(under names: Names) -> Value? {
    guard names.contain(key) else { return value.membersMarked(under: names) }
    return value.isWhollySecret ? nil : value.marked(secret: key.text?.string ?? "")
  }
}

extension Value {
  /// Marks what stands under one of these names in it, however deep, and in its texts what they name themselves.
  package mutating func markMembers(under names: Names) {
    if let marked = membersMarked(under: names) { self = marked }
  }

  /// `nil` where nothing changes.
  fileprivate func membersMarked(under names: Names) -> Value? {
    switch self {
    case .string(let text): return names.places(in: text).isEmpty ? nil : .string(text.marked(under: names))
    case .list(let elements): return elements.changing { $0.membersMarked(under: names) }.map(Value.list)
    case .map(let map):
      var marked: ValueMap?
      // They are looked at where they stand: few change.
      for index in map.entries.indices {
        guard let value = map.entries[index].valueMarked(under: names) else { continue }
        marked = marked ?? map
        marked?.replaceValue(at: index, with: value)
      }
      return marked.map(Value.map)
    default: return nil
    }
  }
}

extension Text {
  /// The same text, secret where it names values itself that one of these names makes secret in texts.
  package func marked(under names: Names) -> Text {
    names.places(in: self).reduce(self) { text, found in
      let others = text.secretRanges.filter { $0.overlaps(found.place) }
      if others.contains(where: { $0.clamped(to: found.place) == found.place }) { return text }
      if !others.isEmpty { return text.marked(secret: found.name) }
      return Text(string: text.string, spans: text.spans + [Span(range: found.place, kind: .secret(name: found.name))])
    }
  }

  fileprivate var secretRanges: [Range<Int>] {
    spans.compactMap { if case .secret = $0.kind { $0.range } else { nil } }
  }
}
