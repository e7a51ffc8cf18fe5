import JSONSyntax

/// A few names that are looked for often; nearly all others differ from them in their length.
package final class Names: Sendable {
  package let all: [String]
  /// Of each name, as bits of what is equal to it, and of all.
  private let lengths: [UInt64]
  private let anyLength: UInt64
  /// Where each stands, where they are many.
  private let places: [String: Int]?
  /// The length of the shortest; of no names beyond every text.
  let shortest: Int

  /// Those that count in a text which names values itself; `nil` for none.
  private let inTexts: Names?

  /// Secrets that are known themselves, wherever a text has one.
  private let secrets: [(text: String, name: String)]

  package init(_ all: [String], inTexts: [String] = [], secrets: [(text: String, name: String)] = []) {
    self.all = all
    self.secrets = secrets
    self.inTexts = inTexts.isEmpty ? nil : Names(inTexts)
    shortest = all.map(\.utf8.count).min() ?? .max
    places = all.count < 64 ? nil : Dictionary(zip(all, all.indices)) { first, _ in first }
    lengths = all.map { $0.isEqualToItselfAlone ? Self.length(ofBytes: $0.utf8.count) : .max }
    anyLength = lengths.reduce(0, |)
  }

  @inline(__always)
  fileprivate static func length(ofBytes count: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: count & 63) }

  /// Which of them is equal to a name, as `==` has it, or to a part of one like `token[0]` or `user[token]`, as forms
  /// write lists and objects; `nil` for none.
  @inline(__always)
  package func index(of name: String) -> Int? {
    index(of: name, bytes: name.utf8.count, endsInBracket: name.endsInBracket)
  }

  @inline(__always)
  private func index(of name: String, bytes: Int, endsInBracket: @autoclosure () -> Bool) -> Int? {
    let length = Self.length(ofBytes: bytes)
    if anyLength & length != 0, let index = index(of: name, length) { return index }
    return endsInBracket() ? index(amongWordsOf: name) : nil
  }

  /// Which of them is the first among the words of a text.
  package func index(amongWordsOf text: String) -> Int? {
    var text = text
    return text.withUTF8 { bytes in
      var start = 0
      for end in 0...bytes.count where end == bytes.count || !bytes[end].isOfWord {
        let length = Self.length(ofBytes: end - start)
        if start < end, anyLength & length != 0,
          let index = index(of: String(decoding: bytes[start..<end], as: UTF8.self), length)
        {
          return index
        }
        start = end + 1
      }
      return nil
    }
  }

  /// The first of them in a reading of traffic, `response.json.pin`.
  package func name(inReading reading: String) -> String? {
    // Told at a glance of most: they read what is kept.
    guard reading.utf8.first == UInt8(ascii: "r"), !all.isEmpty,
      reading.hasPrefix("response.") || reading.hasPrefix("request.")
    else { return nil }
    return index(amongWordsOf: reading).map { all[$0] }
  }

  private func index(of name: String, _ length: UInt64) -> Int? {
    if let places { return places[name] }
    for index in lengths.indices where lengths[index] & length != 0 && all[index] == name { return index }
    return nil
  }

  /// Whether it takes a closer look to tell that a text holds nothing of them; nearly all are told so at a glance.
  ///
  /// What is fresh from end to end is made of unreserved characters and names nothing.
  @inline(__always)
  fileprivate func mayStand(in text: Text) -> Bool {
    switch text.form {
    case .plain(let plain):
      !secrets.isEmpty || inTexts.map { plain.mayName && plain.length > $0.shortest } ?? false
    case .whole: false
    case .mixed: !text.isWhollySecret
    }
  }

  /// What of a text stands under the names that count in texts, and where each of the secrets is in it: each of these
  /// lists in order and without overlap.
  fileprivate func places(in text: Text) -> [[NamedPlaces.Place]] {
    guard mayStand(in: text) else { return [] }
    let named = inTexts.map { NamedPlaces.places(in: text.string, under: $0) } ?? []
    let tokens = inTexts.map { NamedPlaces.tokens(in: text.string, under: $0) } ?? []
    let known = secrets.map { secret in
      text.occurrences(of: secret.text).map { NamedPlaces.Place(range: $0, name: secret.name) }
    }
    return [named, tokens] + known
  }

  /// Whether one of them is the key; of what is no string the empty name.
  @inline(__always)
  package func contain(_ key: Value) -> Bool { index(ofKey: key) != nil }

  /// Whether it takes a closer look to tell that none is the name or a part of it.
  @inline(__always)
  fileprivate func mayBe(_ name: Text.Plain) -> Bool {
    anyLength & Self.length(ofBytes: name.length) != 0 || name.endsInBracket
  }

  /// Which of them is the key, or a part of it: what else stands in brackets there may be secret itself.
  package func name(ofKey key: Value) -> String? { index(ofKey: key).map { all[$0] } }

  @inline(__always)
  private func index(ofKey key: Value) -> Int? {
    guard case .string(let text) = key else { return index(of: "") }
    guard case .plain(let name) = text.form else { return index(of: text.string) }
    return index(of: name.string, bytes: name.length, endsInBracket: name.endsInBracket)
  }
}

extension String {
  var endsInBracket: Bool {
    let bracket = UInt8(ascii: "]")
    return utf8.withContiguousStorageIfAvailable { $0.last == bracket } ?? (utf8.last == bracket)
  }
}

extension [ValueMap.Entry] {
  /// Marks what stands under one of these names as secret by that name, and in other texts what they name themselves.
  package mutating func mark(under names: Names) {
    // What others hold too would be copied where it may be changed.
    for index in indices where mayHoldUnmarked(names, at: index) { self[index].markAll(under: names) }
  }

  /// Whether it takes a closer look to tell that nothing changes there; no entry is taken out to be asked.
  @inline(__always)
  fileprivate func mayHoldUnmarked(_ names: Names, at index: Int) -> Bool {
    self[index].key.mayBeOne(of: names) && names.contain(self[index].key)
      ? !self[index].value.isWhollySecret : self[index].value.mayHoldUnmarked(names)
  }

  /// Where the first of a name stands; `nil` where none does.
  package func index(named name: String) -> Int? {
    for index in indices {
      guard case .string(let text) = self[index].key else { continue }
      if case .plain(let other) = text.form {
        if other.string.isSame(as: name) { return index }
      } else if text.string.isSame(as: name) {
        return index
      }
    }
    return nil
  }

  /// Whether a name stands more than once, marked or not.
  package func holdTwice(_ name: String) -> Bool {
    count { $0.key.text?.string.isSame(as: name) == true } > 1
  }

  /// Those of each name, as `==` tells names apart, in the order in which the names first stand.
  package var groupedByName: [[ValueMap.Entry]] {
    var (groups, places) = ([[ValueMap.Entry]](), [String: Int]())
    for entry in self {
      let name = entry.key.text?.string ?? ""
      if let place = places[name] {
        groups[place].append(entry)
      } else {
        places[name] = groups.count
        groups.append([entry])
      }
    }
    return groups
  }

  /// Whether they are a map as they stand: no two have one name.
  package var areDistinct: Bool {
    if isEmpty { return true }
    var lengths: UInt64 = 0
    var many: Set<ScalarString>? = count > 32 ? [] : nil
    for index in indices {
      guard case .string(let text) = self[index].key, case .plain(let plain) = text.form else { return false }
      let name = plain.string
      if let isNew = many?.insert(ScalarString(name)).inserted {
        if isNew { continue } else { return false }
      }
      let length = Names.length(ofBytes: plain.length)
      // Names of different lengths are different.
      if lengths & length != 0, let first = self.index(named: name), first < index { return false }
      lengths |= length
    }
    return true
  }

  /// Whether a name or a value among them is a text with a secret in it.
  package var holdSecretText: Bool {
    for index in indices where self[index].key.isSecretText || self[index].value.isSecretText { return true }
    return false
  }
}

extension Value {
  /// Whether it is a text with a secret in it.
  package var isSecretText: Bool { if case .string(let text) = self { text.isSecret } else { false } }
}

extension ValueMap.Entry {
  fileprivate mutating func markAll(under names: Names) {
    guard key.mayBeOne(of: names), let name = names.name(ofKey: key) else { return value.markAllMembers(under: names) }
    if !value.isWhollySecret { value.mark(secret: name) }
  }
}

extension Value {
  /// Marks what stands under one of these names in it, however deep, and in its texts what they name themselves.
  package mutating func markMembers(under names: Names) {
    if mayHoldUnmarked(names) { markAllMembers(under: names) }
  }

  fileprivate mutating func markAllMembers(under names: Names) {
    switch self {
    case .string(let text): self = .string(text.marked(under: names))
    case .list(var elements):
      for index in elements.indices { elements[index].markAllMembers(under: names) }
      self = .list(elements)
    case .map(let map):
      var entries = map.entries
      for index in entries.indices { entries[index].markAll(under: names) }
      self = .map(ValueMap(distinct: entries))
    default: break
    }
  }

  /// Whether it takes a closer look to tell that nothing changes: what few do is found out where they stand.
  @inline(__always)
  fileprivate func mayHoldUnmarked(_ names: Names) -> Bool {
    if case .string(let text) = self { return names.mayStand(in: text) }
    return mayHoldUnmarkedInside(names)
  }

  private func mayHoldUnmarkedInside(_ names: Names) -> Bool {
    switch self {
    case .list(let elements):
      for index in elements.indices where elements[index].mayHoldUnmarked(names) { return true }
    case .map(let map):
      for index in map.entries.indices where map.entries.mayHoldUnmarked(names, at: index) { return true }
    default: break
    }
    return false
  }

  /// Whether it takes a closer look to tell that a key is none of these names; nearly all differ from them in length.
  @inline(__always)
  fileprivate func mayBeOne(of names: Names) -> Bool {
    guard case .string(let text) = self, case .plain(let name) = text.form else { return true }
    return names.mayBe(name)
  }
}

extension Text {
  /// The same text, secret where it names values itself that one of these names makes secret in texts.
  ///
  /// What is only in part secret already makes all of it so.
  package func marked(under names: Names) -> Text {
    var taken = secretRanges
    var new: [Span] = []
    for places in names.places(in: self) {
      var index = 0
      var added: [Range<Int>] = []
      for found in places {
        let (place, name) = (found.range, found.name)
        while index < taken.count, taken[index].upperBound <= place.lowerBound { index += 1 }
        if index == taken.count || place.upperBound <= taken[index].lowerBound {
          new.append(Span(range: place, kind: .secret(name: name)))
          added.append(place)
        } else if taken[index].clamped(to: place) != place {
          return marked(secret: name)
        }
      }
      if !added.isEmpty { taken = (taken + added).sorted { $0.lowerBound < $1.lowerBound } }
    }
    return new.isEmpty ? self : Text(string: string, spans: spans + new)
  }

  /// In order.
  package var secretRanges: [Range<Int>] {
    spans.compactMap { if case .secret = $0.kind { $0.range } else { nil } }
  }
}
