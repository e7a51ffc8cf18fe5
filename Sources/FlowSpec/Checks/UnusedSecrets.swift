import Expressions
import JSONSyntax

extension Check {
  /// Names under a service's `secrets` that stand nowhere else: misspelt, they would leave the value in plain.
  static let unusedSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow, examined.document.kind == .service else { return [] }
    let own = examined.document.has("secrets") ? examined.document.node.words(except: "secrets") : []
    return examined.document["secrets"].items.compactMap { entry in
      guard let text = entry.string else { return nil }
      let name = SecretName(text).name
      guard !own.contains(where: { $0.utf8.contains(run: name) }), !flow.document.bytes.contains(run: name) else {
        return nil
      }
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

extension Collection<UInt8> {
  /// Whether the bytes of this text stand in it one behind the other.
  fileprivate func contains(run text: String) -> Bool {
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
