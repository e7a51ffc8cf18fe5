import Expressions

/// The members through which an expression reads something: `data`, then any element, then `id`.
package struct MemberPath: Hashable {
  package enum Part: Hashable {
    case member(String)
    /// An index, or a key that is known only when it is read.
    case any
  }
  package private(set) var parts: [Part] = []

  /// To the whole.
  package init() {}

  package init(_ parts: [Part]) { self.parts = parts }

  /// From the name of a reading, like `response.json.?data[0]['id']`; `nil` when it reads something else.
  package init?(_ reading: String, below root: String) {
    guard reading.hasPrefix(root) else { return nil }
    // Signs are ASCII, and bytes are gone through faster than characters.
    var rest = reading.utf8.dropFirst(root.utf8.count)
    if let next = rest.first, !Self.begins(next) { return nil }
    while let sign = rest.popFirst() {
      if rest.first == UInt8(ascii: "?") { rest = rest.dropFirst() }
      if sign == UInt8(ascii: "[") {
        parts.append(Self.key(&rest))
      } else {
        let name = rest.prefix { !Self.begins($0) }
        parts.append(.member(String(Substring(name))))
        rest = rest[name.endIndex...]
      }
    }
  }

  /// Whether another part starts there.
  private static func begins(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") }

  /// What stands up to the bracket that closes; brackets within belong to it.
  private static func key(_ rest: inout Substring.UTF8View) -> Part {
    var depth = 1
    let key = rest.prefix { byte in
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      return depth > 0
    }
    rest = rest[key.endIndex...].dropFirst()
    guard let quote = key.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\""), key.last == quote,
      key.count > 1
    else { return .any }
    let name = key.dropFirst().dropLast()
    return name.contains { $0 == UInt8(ascii: "\\") || $0 == quote } ? .any : .member(String(Substring(name)))
  }

  package func leads(to name: String) -> Bool {
    parts.isEmpty || parts[0] == .any || parts[0] == .member(name)
  }

  /// What is left behind the first part.
  package var rest: MemberPath {
    var copy = self
    if !copy.parts.isEmpty { copy.parts.removeFirst() }
    return copy
  }
}

extension SecretName {
  /// The innermost member with a name that a reading takes from a message or, by the name alone, of what a machine
  /// keeps; `nil` for none.
  init?(reading: String) {
    let root = String(Substring(reading.utf8.prefix { $0 != UInt8(ascii: ".") }))
    guard let path = MemberPath(reading, below: root) else { return nil }
    var names = path.parts.compactMap { if case .member(let name) = $0 { name } else { nil } }[...]
    if ["store", "memory", "config"].contains(root), let name = names.last {
      self.init(name: name, part: nil)
      return
    }
    guard ["request", "response"].contains(root) else { return nil }
    if names.first == "challenge" { names = ["headers", "www-authenticate"] }
    if names.first == "redirect" { names = names.dropFirst() }
    if names == ["path"], root == "response" { names = ["headers", "location"] }
    guard names.count > 1, let name = names.last else { return nil }
    switch names.first {
    case "headers": self.init(name: name, part: .header)
    case "cookies": self.init(name: name, part: .cookie)
    case let part?:
      guard let part = Part(rawValue: part) else { return nil }
      self.init(name: name, part: part)
    case nil: return nil
    }
  }
}

extension Template {
  /// The members of an answer that it hands on as they are.
  var answered: [SecretName] {
    expressions.flatMap(\.handedOn).filter { $0.hasPrefix("response.") }.compactMap(SecretName.init(reading:))
  }
}
