/// A map that remembers an order: by key where an expression made it, as written in a body, by making for the rows of a
/// table.
///
/// Keys are `string`, `int` or `bool` values. Lookup compares keys by content only, never by mark or origin.
@usableFromInline
package struct ValueMap: Sendable, Hashable {
  @usableFromInline
  package struct Entry: Sendable, Hashable {
    @usableFromInline package var key: Value
    @usableFromInline package var value: Value

    @inlinable package init(key: Value, value: Value) {
      (self.key, self.value) = (key, value)
    }
  }

  /// In iteration order; no two keys are equal.
  @usableFromInline package private(set) var entries: [Entry] = []

  package init() {}

  /// Keeps the order given; a later entry with an equal key replaces the value of the earlier.
  package init(_ entries: some Sequence<Entry>) {
    var places: KeyPlaces?
    for entry in entries {
      guard count > KeyPlaces.few else {
        self[entry.key] = entry.value
        continue
      }
      if places == nil { places = KeyPlaces(of: self) }
      if let index = places?[entry.key] {
        self.entries[index].value = entry.value
      } else {
        places?.note(entry.key, at: count)
        self.entries.append(entry)
      }
    }
  }

  /// Takes entries of which it is known that no two keys are equal, without looking.
  @inlinable package init(distinct entries: [Entry]) {
    self.entries = entries
  }

  @inlinable package var count: Int { entries.count }
  package var isEmpty: Bool { entries.isEmpty }

  /// `nil` when there is no such key; setting `nil` removes the entry, and a new key goes to the end.
  package subscript(key: Value) -> Value? {
    get { index(of: key).map { entries[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): entries[index].value = value
      case (let index?, nil): entries.remove(at: index)
      case (nil, let value?): entries.append(Entry(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  package subscript(name: String) -> Value? {
    get { index(of: name).map { entries[$0].value } }
    set { self[.string(name)] = newValue }
  }

  package func index(of name: String) -> Int? {
    indexElsewhere(of: SoughtName(name, once: true))
  }

  /// The same where it is known at which index it stands in most maps.
  @inline(__always)
  func index(of name: SoughtName) -> Int? {
    name.usual < count && entries[name.usual].key.isSame(as: name) ? name.usual : indexElsewhere(of: name)
  }

  private func indexElsewhere(of name: SoughtName) -> Int? {
    for index in entries.indices where entries[index].key.mayHave(length: name.length) {
      if entries[index].key.isSame(as: name) { return index }
    }
    return nil
  }

  /// Puts another value in place of the one at an index.
  package mutating func replaceValue(at index: Int, with value: consuming Value) { entries[index].value = value }

  /// Changes the value at an index where it stands.
  package mutating func changeValue(at index: Int, _ body: (inout Value) -> Void) { body(&entries[index].value) }

  /// Puts an entry behind the others, of whose key it is known that there is none yet; gives its index.
  package mutating func append(_ value: consuming Value, at key: Value) -> Int {
    entries.append(Entry(key: key, value: value))
    return entries.count - 1
  }

  package func index(of key: Value) -> Int? {
    guard case .string(let sought) = key else {
      for index in entries.indices where entries[index].key == key { return index }
      return nil
    }
    switch sought.form {
    case .plain(let plain):
      for index in entries.indices where entries[index].key.isSame(as: plain) { return index }
      return nil
    case .whole: if let index = indexAtAGlance(of: key) { return index }
    case .mixed: break
    }
    for index in entries.indices {
      if case .string(let text) = entries[index].key, text.isSame(as: sought) { return index }
    }
    return nil
  }

  /// The same for a key that is fresh from end to end and the very text that was put there, as most keys of rows are; `nil`
  /// where it takes more to tell.
  @inline(__always)
  func indexAtAGlance(of key: Value) -> Int? {
    guard case .string(let sought) = key, case .whole(let whole) = sought.form else { return nil }
    for index in entries.indices where entries[index].key.isThe(whole) { return index }
    return nil
  }

  /// The same for a short plain key, too, where there are so few that it costs nothing to look at them.
  @inline(__always)
  func rowAtAGlance(at key: Value) -> Int? {
    guard case .string(let sought) = key, case .plain(let plain) = sought.form else { return indexAtAGlance(of: key) }
    guard plain.length < 64, count <= 128 else { return nil }
    for index in entries.indices where entries[index].key.isPlainly(plain) { return index }
    return nil
  }

  /// The same entries in key order, as CEL's iteration over a map that an expression made.
  func sortedByKey() -> ValueMap {
    var copy = self
    copy.entries.sort { Self.isOrdered($0.key, before: $1.key) }
    return copy
  }

  /// The same keys in the same order with other values.
  package func mapValues(_ transform: (Value) -> Value) -> ValueMap {
    ValueMap(distinct: entries.map { Entry(key: $0.key, value: transform($0.value)) })
  }

  /// The same with other keys and values where they change; `nil` where none does.
  func changing(_ change: (Value) -> Value?) -> ValueMap? {
    var (changed, isChanged) = (entries, false)
    for index in entries.indices {
      if let key = change(entries[index].key) { (changed[index].key, isChanged) = (key, true) }
      if let value = change(entries[index].value) { (changed[index].value, isChanged) = (value, true) }
    }
    return isChanged ? ValueMap(distinct: changed) : nil
  }

  private static func isOrdered(_ left: Value, before right: Value) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)):
      left.string.precedes(right.string)
    case (.int(let left), .int(let right)): left < right
    case (.bool(let left), .bool(let right)): !left && right
    case (.bool, _), (.int, .string): true
    default: false
    }
  }
}

extension [Value] {
  /// The same with other values where they change; `nil` where none does.
  func changing(_ change: (Value) -> Value?) -> [Value]? {
    var (changed, isChanged) = (self, false)
    for index in indices { if let value = change(self[index]) { (changed[index], isChanged) = (value, true) } }
    return isChanged ? changed : nil
  }
}

/// A name that is looked for often, with what is known of it beforehand.
struct SoughtName: Sendable {
  let string: String
  fileprivate let length: Int
  /// Whether `==`, which is faster, finds nothing but what is the same.
  fileprivate let isAlone: Bool
  /// At which index it stands in most maps.
  fileprivate let usual: Int

  /// Of one that is looked for `once` no more is found out than that takes.
  package init(_ string: String, usual: Int = 0, once: Bool = false) {
    (self.string, self.usual) = (string, usual)
    length = string.utf8.count
    isAlone = !once && string.isEqualToItselfAlone
  }

  /// Whether `==` holds the other equal to it.
  @inline(__always)
  func isEqual(to other: String) -> Bool { (!isAlone || other.utf8.count == length) && other == string }
}

extension Value {
  /// The map that it is, an empty one where it is none.
  @inline(__always)
  var asMap: ValueMap { if case .map(let map) = self { map } else { ValueMap() } }

  /// How many entries a map has; none where it is no map.
  @inlinable package var entryCount: Int { if case .map(let map) = self { map.count } else { 0 } }
}

// These are asked of keys where they stand; most are plain and of another length, and are not taken out.
extension Value {
  @inline(__always)
  fileprivate func mayHave(length: Int) -> Bool {
    guard case .string(let text) = self else { return false }
    guard case .plain(let plain) = text.form else { return true }
    return plain.length == length
  }

  @inline(__always)
  fileprivate func isSame(as name: SoughtName) -> Bool {
    guard case .string(let text) = self else { return false }
    guard case .plain(let plain) = text.form else { return text.isSame(as: name.string) }
    guard plain.length == name.length else { return false }
    return name.isAlone ? plain.string == name.string : plain.string.isSame(as: name.string)
  }

  @inline(__always)
  fileprivate func isSame(as plain: Text.Plain) -> Bool {
    guard case .string(let text) = self else { return false }
    guard case .plain(let other) = text.form else { return text.isSame(as: plain.string) }
    return other.isSame(as: plain)
  }

  @inline(__always)
  fileprivate func isPlainly(_ plain: Text.Plain) -> Bool {
    if case .string(let text) = self, case .plain(let other) = text.form { other.isSame(as: plain) } else { false }
  }

  @inline(__always)
  fileprivate func isThe(_ whole: Text.Whole) -> Bool {
    if case .string(let text) = self, case .whole(let other) = text.form { other === whole } else { false }
  }
}
