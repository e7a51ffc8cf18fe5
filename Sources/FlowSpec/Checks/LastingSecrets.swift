import Expressions

extension Check {
  /// Secrets of an answer that the app stores and that nothing ever takes out of the store, though others are: who signs
  /// out leaves them to whoever has the device next.
  ///
  /// Where nothing secret is cleared at all, nobody signs out.
  static let lastingSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let secrets = examined.machine.store.filter { !$0.isTable && $0.keeping.field.secret != nil }
    let assignments = examined.actions.flatMap(\.assignments)
    let emptied = assignments.filter(\.isOfNothing).map(\.place)
    let removed = Set((examined.actions.flatMap(\.cleared) + emptied).map(\.declared.name))
    guard let other = secrets.first(where: { removed.contains($0.name) }) else { return [] }
    let received = Set(assignments.filter(\.isOfAnswer).map(\.place.declared.name))
    return secrets.filter { received.contains($0.name) && !removed.contains($0.name) }.map { key in
      Diagnostic(
        "lasting-secret", severity: .remark,
        "nothing ever takes the secret \"\(key.name)\" out of the store, though \"\(other.name)\" is cleared",
        at: key.site, "stays for good",
        help: "let a \"clear\" name it where the person signs out, or give it the \"group\" of what is cleared there")
    }
  }
}

extension Assignment {
  fileprivate var isOfNothing: Bool {
    switch value {
    case .literal(let value): value == .null || value == .string("")
    case .template(let placed): ["${null}", "${''}"].contains(placed.template.source)
    case .list, .object: false
    }
  }

  /// Whether it puts something of an answer into the store, as it is or within a text.
  fileprivate var isOfAnswer: Bool {
    stored.contains { _, value in
      value.placed.contains { placed in
        placed.template.expressions.contains { $0.handedOn.contains { $0.hasPrefix("response.") } }
      }
    }
  }
}
