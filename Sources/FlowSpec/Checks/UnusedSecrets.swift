import Expressions
import JSONSyntax

extension Check {
  /// Names under `secrets` that stand nowhere else: misspelt, they would leave the value in plain.
  static let unusedSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow else { return [] }
    let own = SoughtTexts(examined.document.node)
    guard examined.model == nil else {
      return unused(examined.document["secrets"], in: own, beside: flow.document, mayBeReal: false)
    }
    let entries = examined.document["participants"].entries
    let participants = Dictionary(entries.map { ($0.name, $0.value) }) { first, _ in first }
    return flow.services.flatMap { service in
      let declared = participants[flow.participants[service.participant].name]
      return unused(declared?["secrets"], in: own, beside: service.model?.document, mayBeReal: true)
    }
  }

  /// What a flow lists for a service may be a real name, which no document has: only one that is much like another, and
  /// long enough for that to be no chance, is told.
  private static func unused(
    _ listed: Declaration?, in own: SoughtTexts, beside other: Document?, mayBeReal: Bool
  ) -> [Diagnostic] {
    var found = listed.items.filter { own.lack($0) }
    if found.isEmpty { return [] }
    let others = other.flatMap { try? JSONParser.parse($0.bytes, as: .document) }.map { SoughtTexts($0) }
    if let others { found = found.filter { others.lack($0) } }
    let words = mayBeReal ? own.words(with: others) : own.words(with: nil)
    return found.compactMap { entry in
      let name = SecretName(entry.string ?? "").name
      if name.isEmpty || name.contains(".") {
        return Diagnostic(
          "unused-secret", severity: .warning, "\"\(name)\" is taken for the name of one member", at: entry.site,
          "marks nothing else",
          help: "write the name of the member itself, however deep it stands: \"password\", \"json.password\"")
      }
      if mayBeReal, name.count < 5 { return nil }
      let help = suggestion(for: name, among: words)
      if mayBeReal, help == nil { return nil }
      return Diagnostic(
        "unused-secret", severity: .warning, "nothing here is called \"\(name)\"", at: entry.site, "marks nothing",
        help: help ?? "remove it")
    }
  }
}

/// The texts of a document, among which names are sought.
private final class SoughtTexts {
  private let node: JSONNode
  private lazy var texts = node.texts
  private lazy var lowercased = texts.map { $0.lowercased() }
  private lazy var words = Words(texts)
  private lazy var lowercasedWords = Words(lowercased)
  private lazy var sortedWords = words.all.sorted()

  init(_ node: JSONNode) { self.node = node }

  /// Whether what is listed there as a secret stands in none of them.
  func lack(_ entry: Declaration) -> Bool {
    guard let secret = entry.string.map({ SecretName($0) }) else { return false }
    // Names of headers have no case.
    let isOfHeader = secret.part == .header || secret.name.contains("-")
    let name = isOfHeader ? secret.name.lowercased() : secret.name
    // A name that is one word is looked up; others go over the bounds of words.
    if !name.isEmpty, name.utf8.allSatisfy({ $0 < 0x80 && $0.isOfWord }) {
      return !(isOfHeader ? lowercasedWords : words).has(name)
    }
    return !(isOfHeader ? lowercased : texts).contains { $0.has(word: name) }
  }

  /// Their words, and those of others, in order.
  func words(with others: SoughtTexts?) -> [String] {
    others.map { words.all.union($0.words.all).sorted() } ?? sortedWords
  }
}
