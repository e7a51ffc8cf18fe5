/// A few names that are looked for often; nearly all others differ from them in their length.
package struct Names: Sendable {
  package let all: [String]
  /// Of each name, as bits of what is equal to it, and of all.
  private let lengths: [UInt64]
  private let anyLength: UInt64

  package init(_ all: [String]) {
    self.all = all
    lengths = all.map { $0.isEqualToItselfAlone ? Self.length(of: $0) : .max }
    anyLength = lengths.reduce(0, |)
  }

  @inline(__always)
  fileprivate static func length(of name: String) -> UInt64 {
    1 << UInt64(truncatingIfNeeded: name.utf8.count & 63)
  }

  /// Which of them is equal to a name, as `==` has it; `nil` for none.
  @inline(__always)
  package func index(of name: String) -> Int? {
    let length = Self.length(of: name)
    return anyLength & length == 0 ? nil : index(of: name, length)
  }

  private func index(of name: String, _ length: UInt64) -> Int? {
    for index in lengths.indices where lengths[index] & length != 0 && all[index] == name { return index }
    return nil
  }

  /// Whether one of them is the key; of what is no string the empty name.
  @inline(__always)
  func contain(_ key: Value) -> Bool {
    guard case .string(let text) = key else { return index(of: "") != nil }
    guard case .plain(let name) = text.form else { return index(of: text.string) != nil }
    return index(of: name) != nil
  }
}

extension [ValueMap.Entry] {
  /// Marks what stands under one of these names as secret by that name.
  package mutating func mark(under names: Names) {
    // What others hold too would be copied where it may be changed.
    guard let first = firstToMark(names) else { return }
    for index in first..<count where names.contain(self[index].key) { self[index].markValue() }
  }

  private func firstToMark(_ names: Names) -> Int? {
    for index in indices where names.contain(self[index].key) && !self[index].value.isWhollySecret { return index }
    return nil
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
}

extension Value {
  /// Marks what stands under one of these names in it, however deep.
  package mutating func markMembers(under names: Names) {
    if let marked = membersMarked(under: names) { self = marked }
  }

  /// `nil` where nothing changes.
  private func membersMarked(under names: Names) -> Value? {
    switch self {
    case .list(let elements): return elements.changing { $0.membersMarked(under: names) }.map(Value.list)
    case .map(let map):
      var marked: ValueMap?
      // They are looked at where they stand: few change.
      for index in map.entries.indices {
        let value: Value?
        if names.contain(map.entries[index].key) {
          let isMarked = map.entries[index].value.isWhollySecret
          value = isMarked ? nil : map.entries[index].value.marked(secret: map.entries[index].key.text?.string ?? "")
        } else {
          value = map.entries[index].value.membersMarked(under: names)
        }
        guard let value else { continue }
        marked = marked ?? map
        marked?.replaceValue(at: index, with: value)
      }
      return marked.map(Value.map)
    default: return nil
    }
  }
}
