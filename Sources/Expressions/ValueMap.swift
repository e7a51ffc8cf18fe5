/// A map that remembers an order: by key where an expression or a body made it, by making for the rows of a table.
///
/// Keys are `string`, `int` or `bool` values. Lookup compares keys by content only, never by mark or origin.
package struct ValueMap: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package var key: Value
    package var value: Value

    package init(key: Value, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// In iteration order; no two keys are equal.
  package private(set) var entries: [Entry] = []

  package init() {}

  /// Keeps the order given; a later entry with an equal key replaces the value of the earlier.
  package init(_ entries: some Sequence<Entry>) {
    for entry in entries { self[entry.key] = entry.value }
  }

  /// Takes entries of which it is known that no two keys are equal, without looking.
  package init(distinct entries: [Entry]) {
    self.entries = entries
  }

  package var count: Int { entries.count }
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
    set {
      switch (index(of: name), newValue) {
      case (let index?, let value?): entries[index].value = value
      case (let index?, nil): entries.remove(at: index)
      case (nil, let value?): entries.append(Entry(key: .string(name), value: value))
      case (nil, nil): break
      }
    }
  }

  package func index(of name: String) -> Int? {
    for index in entries.indices {
      if case .string(let text) = entries[index].key, text.isSame(as: name) { return index }
    }
    return nil
  }

  /// The same where it is known at which index it stands in most maps.
  package func index(of name: String, near usual: Int) -> Int? {
    if usual < entries.count, case .string(let text) = entries[usual].key, text.isSame(as: name) { return usual }
    return index(of: name)
  }

  /// Puts another value in place of the one at an index.
  package mutating func replaceValue(at index: Int, with value: consuming Value) { entries[index].value = value }

  /// Changes the value at an index where it stands.
  package mutating func changeValue(at index: Int, _ body: (inout Value) -> Void) { body(&entries[index].value) }

  /// Changes all entries where they stand; their keys stay as they are.
  @inline(__always)
  mutating func changeEntries(_ body: (inout Entry) -> Void) {
    for index in entries.indices { body(&entries[index]) }
  }

  /// Puts an entry behind the others, of whose key it is known that there is none yet; gives its index.
  package mutating func append(_ value: consuming Value, at key: Value) -> Int {
    entries.append(Entry(key: key, value: value))
    return entries.count - 1
  }

  package func index(of key: Value) -> Int? {
    if case .string(let text) = key { return index(of: text) }
    for index in entries.indices where Self.sameKey(entries[index].key, key) { return index }
    return nil
  }

  private func index(of sought: Text) -> Int? {
    for index in entries.indices {
      if case .string(let text) = entries[index].key, text.isSame(as: sought) { return index }
    }
    return nil
  }

  /// The same entries in key order, as CEL's iteration over a map that an expression made.
  package func sortedByKey() -> ValueMap {
    var copy = self
    copy.entries.sort { Self.isOrdered($0.key, before: $1.key) }
    return copy
  }

  /// The same keys in the same order with other values.
  package func mapValues(_ transform: (Value) -> Value) -> ValueMap { mapEntries { _, value in transform(value) } }

  /// The same, where the new value depends on the key too.
  package func mapEntries(_ transform: (_ key: Value, _ value: Value) -> Value) -> ValueMap {
    ValueMap(distinct: entries.map { Entry(key: $0.key, value: transform($0.key, $0.value)) })
  }

  private static func sameKey(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left.isSame(as: right)
    case (.int(let left), .int(let right)): left == right
    case (.bool(let left), .bool(let right)): left == right
    default: false
    }
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
