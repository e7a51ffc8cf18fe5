import Expressions
import JSONSyntax

extension Check {
  /// Names under a service's `secrets` that stand nowhere else: misspelt, they would leave the value in plain.
  static let unusedSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow, examined.document.kind == .service else { return [] }
    return examined.document["secrets"].items.compactMap { entry in
      guard let text = entry.string else { return nil }
      let name = SecretName(text).name
      let node = examined.document.node
      guard !node.mentions(name, except: "secrets"), !flow.document.bytes.contains(run: name) else { return nil }
      let own = node.words(except: "secrets")
      let words = Set(
        own.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }.map(String.init) })
      return Diagnostic(
        "unused-secret", severity: .warning, "nothing here is called \"\(name)\"", at: entry.site, "marks nothing",
        help: suggestion(for: name, among: words.sorted()) ?? "remove it")
    }
  }
}

extension JSONNode {
  /// Every string and every name of a member in it, but for what stands under one name.
  fileprivate func words(except name: String) -> [String] {
    switch kind {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap { $0.words(except: name) }
    case .object(let members):
      members.filter { $0.name != name }.flatMap { [$0.name] + $0.value.words(except: name) }
    case .null, .bool, .int, .double, .wholeNumberTooLarge: []
    }
  }
}

extension JSONNode {
  /// Whether some string or name of a member in it contains this text, but for what stands under one name.
  fileprivate func mentions(_ text: String, except name: String) -> Bool {
    switch kind {
    case .string(let string): string.utf8.contains(run: text)
    case .array(let elements): elements.contains { $0.mentions(text, except: name) }
    case .object(let members):
      members.contains { member in
        member.name != name && (member.name.utf8.contains(run: text) || member.value.mentions(text, except: name))
      }
    case .null, .bool, .int, .double, .wholeNumberTooLarge: false
    }
  }
}

extension Collection<UInt8> {
  /// Whether the bytes of this text stand in it one behind the other.
  func contains(run text: String) -> Bool {
    var text = text
    return text.withUTF8 { sought in
      withContiguousStorageIfAvailable { $0.holds(sought) } ?? Array(self).withUnsafeBufferPointer { $0.holds(sought) }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func holds(_ sought: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = sought.first else { return true }
    guard sought.count <= count else { return false }
    search: for start in 0...(count - sought.count) where self[start] == first {
      for offset in 1..<sought.count where self[start + offset] != sought[offset] { continue search }
      return true
    }
    return false
  }
}
