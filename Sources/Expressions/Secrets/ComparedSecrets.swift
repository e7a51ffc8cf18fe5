/// Which comparisons have a secret beside what is written out in them, as far as names tell.
package struct ComparedSecrets: Sendable {
  /// Names that are secret wherever they stand.
  private let names: Names
  /// Those that are secret in a part of a message alone.
  private let partial: Names
  /// What expressions call that part, for each of `partial`.
  private let parts: [String]
  /// Whether anything is listed, so that a whole message may hold a secret.
  private let listsAny: Bool

  /// Headers and cookies that carry credentials (RFC 9110 §11, RFC 6265).
  private static let always = [
    ("authorization", "headers"), ("proxy-authorization", "headers"), ("cookie", "headers"), ("set-cookie", "headers"),
    ("cookies", "cookies"),
  ]

  /// `partial` are names with what expressions call the part in which they are secret: `headers`, `path`.
  package init(_ names: [String], partial: [(name: String, part: String)] = []) {
    self.names = Names(names)
    listsAny = !names.isEmpty || !partial.isEmpty
    self.partial = Names(partial.map(\.name) + Self.always.map(\.0))
    parts = partial.map(\.part) + Self.always.map(\.1)
  }

  /// Whether what is read may be one, or holds one with what is written out beside it.
  ///
  /// Of a whole message, and of a member of it that is known only when it is read, nobody can tell.
  func hide(_ written: @autoclosure () -> String, writtenBeside read: String) -> Bool {
    if Self.saysItself(read) { return hasMember(written()) }
    return names.index(amongWordsOf: read) != nil || isOfPart(read) || hasMember(written())
      || listsAny && Self.readsWhole(read)
  }

  /// Whether the members of what is read say themselves whether they are secret, or none is.
  private static func saysItself(_ read: String) -> Bool {
    // Traces ask it of each guard: the first letter tells all but one apart.
    let isOwn =
      switch read.utf8.first {
      case UInt8(ascii: "s"): read.hasPrefix("store.")
      case UInt8(ascii: "m"): read.hasPrefix("memory.")
      case UInt8(ascii: "c"): read.hasPrefix("config.")
      case UInt8(ascii: "e"): read.hasPrefix("event.")
      case UInt8(ascii: "r"): read == "response.status" || read == "response.failure" || read.hasPrefix("result.")
      default: false
      }
    return isOwn && read.utf8.allSatisfy { $0.isIdentifierPart || ".?[]'".utf8.contains($0) }
  }

  /// Whether a map is written out that has a member under one of the names.
  private func hasMember(_ written: String) -> Bool {
    guard written.utf8.contains(UInt8(ascii: "{")) else { return false }
    return names.index(amongWordsOf: written) != nil || partial.index(amongWordsOf: written) != nil
  }

  /// Whether one of the names that stand there is secret in a part that stands there too.
  private func isOfPart(_ read: String) -> Bool {
    guard let first = partial.index(amongWordsOf: read) else { return false }
    let words = Set(read.utf8.split { !$0.isOfWord }.map { String(decoding: Array($0), as: UTF8.self) })
    return parts[first...].indices.contains { words.contains(partial.all[$0]) && words.contains(parts[$0]) }
  }

  /// Whether all of a message is read, or a member whose name is not written out.
  private static func readsWhole(_ read: String) -> Bool {
    let bytes = Array(read.utf8)
    // Of strings `contains` takes hundreds of times as long.
    func has(_ word: String) -> Bool {
      bytes.indices.contains { bytes[$0] == word.utf8.first && bytes[$0...].starts(with: word.utf8) }
    }
    guard has("request.") || has("response.") else { return false }
    if ["request.json", "response.json"].contains(read) || has("request.text") || has("response.text") { return true }
    return bytes.indices.dropFirst().contains { index in
      let next = bytes[index]
      return bytes[index - 1] == UInt8(ascii: "[")
        && (next.isIdentifierPart && !next.isDigit || next == UInt8(ascii: "("))
    }
  }
}
