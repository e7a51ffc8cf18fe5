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
    guard let first = indices.first(where: { self[$0].isToMark(names) }) else { return }
    for index in first..<count { self[index].mark(under: names) }
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
    var found = 0
    for index in indices {
      guard case .string(let text) = self[index].key else { continue }
      if case .plain(let other) = text.form {
        if other == name { found += 1 }
      } else if text.string == name {
        found += 1
      }
    }
    return found > 1
  }

  /// Whether they are a map as they stand: no two have one name.
  package var areDistinct: Bool {
    if isEmpty { return true }
    var lengths: UInt64 = 0
    for index in indices {
      guard case .string(let text) = self[index].key, case .plain(let name) = text.form else { return false }
      let length = Names.length(of: name)
      // Names of different lengths are different.
      if lengths & length != 0, self[index].isNamed(likeOneOf: self, before: index) { return false }
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

  fileprivate func isToMark(_ names: Names) -> Bool {
    names.contain(key) ? !value.isWhollySecret : value.holdsMember(toMark: names)
  }

  fileprivate mutating func mark(under names: Names) {
    if names.contain(key) { markValue() } else { value.markAllMembers(under: names) }
  }

  fileprivate func isNamed(likeOneOf others: [ValueMap.Entry], before end: Int) -> Bool {
    guard let name = key.text?.string, let index = others.index(named: name) else { return false }
    return index < end
  }
}

extension Value {
  /// Marks what stands under one of these names in it, however deep, and in its texts what they name themselves.
  package mutating func markMembers(under names: Names) {
    if holdsMember(toMark: names) { markAllMembers(under: names) }
  }

  fileprivate func holdsMember(toMark names: Names) -> Bool {
    switch self {
    case .string(let text): return !names.places(in: text).isEmpty
    case .list(let elements):
      for index in elements.indices where elements[index].holdsMember(toMark: names) { return true }
    case .map(let map):
      for index in map.entries.indices where map.entries[index].isToMark(names) { return true }
    default: break
    }
    return false
  }

  /// What is taken out is held nowhere else, and so changed where it stands.
  fileprivate mutating func markAllMembers(under names: Names) {
    if var map = takeMap() {
      map.changeEntries { $0.mark(under: names) }
      self = .map(map)
    } else if var elements = takeList() {
      for index in elements.indices { elements[index].markAllMembers(under: names) }
      self = .list(elements)
    } else if case .string(let text) = self {
      self = .string(text.marked(under: names))
    }
  }

  @inline(never)
  private mutating func takeMap() -> ValueMap? {
    guard case .map(let map) = self else { return nil }
    self = .null
    return map
  }

  @inline(never)
  private mutating func takeList() -> [Value]? {
    guard case .list(let elements) = self else { return nil }
    self = .null
    return elements
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
