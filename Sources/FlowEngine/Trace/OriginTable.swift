import Expressions

/// Aliases by origin, whose digest is known.
struct OriginTable: Sendable {
  struct Entry: Sendable {
    /// Of the last text that was looked for.
    fileprivate(set) var key: Text.OriginKey
    let alias: Int
    /// Its outline while the text is not among the contents.
    var unread: Text.Outline?
    fileprivate var next: Int
  }

  var entries: [Entry] = []
  /// By digest; from there each entry knows the next.
  private var firsts: [Int] = Array(repeating: -1, count: 32)

  init() { entries.reserveCapacity(32) }

  /// That of the very text that the key was taken of, if it came last.
  @inline(__always)
  func known(_ key: Text.OriginKey) -> Int? {
    var index = firsts[key.digest & (firsts.count - 1)]
    while index >= 0 {
      if entries[index].key.identity == key.identity { return entries[index].alias }
      index = entries[index].next
    }
    return nil
  }

  /// That of any text that has the origin.
  mutating func equal(to key: Text.OriginKey) -> Int? {
    var index = firsts[key.digest & (firsts.count - 1)]
    while index >= 0 {
      if entries[index].key == key {
        entries[index].key = key
        return entries[index].alias
      }
      index = entries[index].next
    }
    return nil
  }

  mutating func add(_ alias: Int, for key: Text.OriginKey, unread: Text.Outline?) {
    entries.append(Entry(key: key, alias: alias, unread: unread, next: -1))
    if entries.count > 4 * firsts.count {
      firsts = Array(repeating: -1, count: 4 * firsts.count)
      for index in entries.indices { link(index) }
    } else {
      link(entries.count - 1)
    }
  }

  private mutating func link(_ index: Int) {
    let place = entries[index].key.digest & (firsts.count - 1)
    entries[index].next = firsts[place]
    firsts[place] = index
  }
}
