import Expressions

extension Check {
  /// Secrets that the app stores under a key that is not secret: whoever builds it keeps that where others may look.
  ///
  /// What is made of a secret, as a hash or a claim of a token, need not be one.
  static let secretsInPlainKeys: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let kept = examined.actions.flatMap(\.assignments).flatMap(\.plainlyStored).compactMap { stored in
      stored.value.secret.map { secretInPlainKey($0.name, stored, at: $0.site) }
    }
    let answered = examined.machine.states.flatMap { state -> [Diagnostic] in
      guard case .request(let request) = state.activity else { return [] }
      let secrets = examined.secrets(of: request.to)
      let actions = state.next.flatMap(\.actions) + (request.retry?.actions ?? [])
      return actions.flatMap(\.assignments).flatMap(\.plainlyStored).flatMap { stored in
        stored.value.placed.compactMap { placed in
          placed.template.answered.first { secrets.marks($0.name, in: $0.part) }
            .map { secretInPlainKey($0.name, stored, at: placed.site) }
        }
      }
    }
    return kept + answered
  }

  private static func secretInPlainKey(_ name: String, _ stored: Assignment.Stored, at site: Site) -> Diagnostic {
    Diagnostic(
      "secret-in-plain-key", severity: .warning,
      "the secret \"\(name)\" is stored in \"\(stored.field.name)\", which is not secret", at: site, "is secret",
      help: "add \"secret\": true to \"\(stored.field.name)\", so that the app keeps it as it keeps other secrets")
  }
}

extension Assignment {
  /// The key or the field of a row, and what is stored there.
  typealias Stored = (field: ObjectType.Field, value: ValueTemplate)

  /// What it stores.
  var stored: [Stored] {
    guard place.isDurable else { return [] }
    return place.isWholeRow
      ? members.map { (place.declared.rowKeepings[$0.field].field, $0.value) } : [(place.keeping.field, value)]
  }

  /// What it stores where that is not secret.
  fileprivate var plainlyStored: [Stored] { stored.filter { $0.field.secret == nil && $0.field.type.mayBeSecret } }
}

extension ValueType {
  /// Whether what holds it may say `"secret": true`.
  var mayBeSecret: Bool {
    switch self {
    case .string, .dyn, .list, .map: true
    case .null, .bool, .int, .double, .timestamp, .duration, .object: false
    case .optional(let inner): inner.mayBeSecret
    }
  }
}

extension ValueTemplate {
  /// The texts in it that are made when it is.
  var placed: [PlacedTemplate] {
    switch self {
    case .literal: []
    case .template(let placed): [placed]
    case .list(let values): values.flatMap(\.placed)
    case .object(let members): members.flatMap(\.value.placed)
    }
  }
}
