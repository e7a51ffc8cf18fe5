import Expressions
import JSONSyntax

extension Check {
  /// Names under a service's `secrets` that stand nowhere else: misspelt, they would leave the value in plain.
  ///
  /// Those that a flow lists for a service may be real ones, which no document has.
  static let unusedSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow, examined.document.kind == .service else { return [] }
    let listed = examined.document["secrets"].items
    let own = listed.isEmpty ? [] : examined.document.node.texts
    func unknown(_ entries: [Declaration], in texts: [String]) -> [Declaration] {
      entries.filter { entry in
        guard let name = entry.string.map({ SecretName($0).name }) else { return false }
        return !texts.contains { $0.has(word: name) }
      }
    }
    var found = unknown(listed, in: own)
    if found.isEmpty { return [] }
    found = unknown(found, in: (try? JSONParser.parse(flow.document.bytes, as: .document).texts) ?? [])
    let words = Set(own.flatMap { $0.split { $0.isASCII && !($0.utf8.first?.isOfWord ?? false) }.map(String.init) })
    return found.map { entry in
      let name = SecretName(entry.string ?? "").name
      return Diagnostic(
        "unused-secret", severity: .warning, "nothing here is called \"\(name)\"", at: entry.site, "marks nothing",
        help: suggestion(for: name, among: words.sorted()) ?? "remove it")
    }
  }
}

extension JSONNode {
  /// Every string and every name of a member in it, but for secrets that are listed and what is said about things.
  fileprivate var texts: [String] {
    switch kind {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let members):
      members.filter { !["secrets", "note", "despite"].contains($0.name) }.flatMap { [$0.name] + $0.value.texts }
    case .null, .bool, .int, .double, .wholeNumberTooLarge: []
    }
  }
}

extension String {
  /// Whether this stands in it, and not as a part of another word.
  fileprivate func has(word: String) -> Bool {
    var (text, word) = (self, word)
    return text.withUTF8 { text in
      word.withUTF8 { word in
        guard let first = word.first else { return true }
        return text.indices.contains { start in
          guard text[start] == first, text[start...].starts(with: word) else { return false }
          let end = start + word.count
          return (start == 0 || !text[start - 1].isOfWord) && (end == text.count || !text[end].isOfWord)
        }
      }
    }
  }
}
