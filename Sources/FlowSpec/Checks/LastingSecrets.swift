import Expressions

extension Check {
  /// Secrets of an answer that the app stores and that nothing ever takes out of the store, though others are: who signs
  /// out leaves them to whoever has the device next.
  ///
  /// Where nothing secret is cleared at all, nobody signs out.
  static let lastingSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let (assignments, secrets) = (examined.actions.flatMap(\.assignments), machine.secrets)
    // Who gives a row anew signs nobody out, whatever it does not name.
    let clearing = assignments.filter { !$0.place.isWholeRow }.flatMap(\.secretsEmptied)
    let cleared = Set(examined.actions.flatMap(\.cleared).flatMap(\.secrets) + clearing)
    guard let other = secrets.first(where: cleared.contains) else { return [] }
    let removed = cleared.union(assignments.flatMap(\.secretsEmptied))
    let received = Set(assignments.flatMap(\.secretsReceived))
    return secrets.filter { received.contains($0) && !removed.contains($0) }.map { secret in
      Diagnostic(
        "lasting-secret", severity: .remark,
        "nothing ever takes the secret \"\(machine.title(of: secret))\" out of the store, though "
          + "\"\(machine.title(of: other))\" is cleared",
        at: examined.site(of: secret), "stays for good",
        help: secret.field == nil
          ? "let a \"clear\" name it where the person signs out, or give it the \"group\" of what is cleared there"
          : "let a \"clear\" name it, its row or its table where the person signs out")
    }
  }
}

extension Examined {
  /// Where a secret of the store is declared.
  fileprivate func site(of secret: StoredSecret) -> Site {
    let (key, path) = (machine.store[secret.key], machine.path(of: secret))
    guard secret.field != nil,
      let entry = document["store"].entries.first(where: { $0.name == key.name }),
      let field = entry.value["rows"].entries.first(where: { $0.name == path.last })
    else { return key.site }
    return field.nameSite
  }
}

extension Assignment {
  /// The secrets of the store that it sets to nothing, or to a text without a character.
  fileprivate var secretsEmptied: [StoredSecret] { secretsSet.filter(\.value.isEmpty).map(\.secret) }

  /// Those into which it puts something of an answer, as it is or within a text.
  fileprivate var secretsReceived: [StoredSecret] {
    secretsSet.filter { _, value in
      value.expressions.contains { $0.handedOn.contains { $0.hasPrefix("response.") } }
    }.map(\.secret)
  }
}

extension ValueTemplate {
  fileprivate var isEmpty: Bool {
    switch self {
    case .literal(let value): value == .null || value == .string("")
    case .template(let placed): ["${null}", "${''}"].contains(placed.template.source)
    case .list, .object: false
    }
  }
}
