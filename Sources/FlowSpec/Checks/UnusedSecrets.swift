import Expressions
import JSONSyntax

extension Check {
  /// Names under `secrets` that stand nowhere else: misspelt, they would leave the value in plain.
  static let unusedSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow else { return [] }
    guard examined.model == nil else {
      return unused(examined.document["secrets"], of: examined.document, beside: flow.document, mayBeReal: false)
    }
    return flow.services.flatMap { service in
      let name = flow.participants[service.participant].name
      let declared = examined.document["participants"].entries.first { $0.name == name }?.value
      return unused(declared?["secrets"], of: examined.document, beside: service.model?.document, mayBeReal: true)
    }
  }

  /// What a flow lists for a service may be a real name, which no document has: only one that is much like another, and
  /// long enough for that to be no chance, is told.
  private static func unused(
    _ listed: Declaration?, of document: Declaration, beside other: Document?, mayBeReal: Bool
  ) -> [Diagnostic] {
    let own = listed == nil ? [] : document.node.texts
    func unknown(_ entries: [Declaration], in texts: [String]) -> [Declaration] {
      entries.filter { entry in
        guard let secret = entry.string.map({ SecretName($0) }) else { return false }
        // Names of headers have no case.
        let isOfHeader = secret.part == .header || secret.name.contains("-")
        let name = isOfHeader ? secret.name.lowercased() : secret.name
        return !texts.contains { (isOfHeader ? $0.lowercased() : $0).has(word: name) }
      }
    }
    var found = unknown(listed.items, in: own)
    if found.isEmpty { return [] }
    let others = other.flatMap { try? JSONParser.parse($0.bytes, as: .document).texts } ?? []
    found = unknown(found, in: others)
    let known = mayBeReal ? own + others : own
    let words = Words(known).all.sorted()
    return found.compactMap { entry in
      let name = SecretName(entry.string ?? "").name
      if name.isEmpty || name.contains(".") {
        return Diagnostic(
          "unused-secret", severity: .warning, "\"\(name)\" is taken for the name of one member", at: entry.site,
          "marks nothing else",
          help: "write the name of the member itself, however deep it stands: \"password\", \"json.password\"")
      }
      let help = suggestion(for: name, among: words)
      if mayBeReal, help == nil || name.count < 5 { return nil }
      return Diagnostic(
        "unused-secret", severity: .warning, "nothing here is called \"\(name)\"", at: entry.site, "marks nothing",
        help: help ?? "remove it")
    }
  }
}
