import Expressions

extension Examined {
  /// The `nonce` of authorization requests that no ID token is held against, in a flow that looks into one: a token that
  /// was issued for another sign-in passes there (OpenID Connect Core, section 3.1.3.7).
  ///
  /// A key that something else uses than what sends it is taken for one that is held against something.
  func unheldNonces(of requests: [(visit: Visit, fields: [WrittenField])]) -> [Diagnostic] {
    let asking = requests.filter(\.fields.isAuthorizationRequest)
    let sent = asking.compactMap { request in
      request.fields.first { $0.name == "nonce" && !$0.isTheSameEachTime }.map { (to: request.visit.to, nonce: $0) }
    }
    if sent.isEmpty { return [] }
    let looks = looksIntoIDToken
    if looks.isEmpty { return [] }
    let used = keysUsed(besides: sent.map(\.nonce))
    // What a server gives it can hold against the token itself.
    let brought = Set(
      actions.flatMap(\.assignments).filter { assignment in
        let read = assignment.value.placed.flatMap(\.template.expressions).flatMap(\.facts.references)
        return read.contains { ["response", "event", "result"].contains($0[0]) }
      }.compactMap(\.place.nameOfValue))
    let isOfOne = Set(asking.map(\.visit.to)).count == 1
    return sent.compactMap { to, nonce in
      guard let keys = nonce.given.keysAlone, used.isDisjoint(with: keys), brought.isDisjoint(with: keys),
        let look = looks.first(where: { $0.from == nil ? isOfOne : $0.from == to })
      else { return nil }
      return Self.unheld(
        nonce, look.site, "a token that was issued for another sign-in passes for this one's",
        help: "go on where the \"nonce\" of the token is what was sent, as same(claims(…).?nonce, memory.nonce) asks")
    }
  }

  /// The `max_age` of authorization requests, which ask for a fresh sign-in, in a flow that looks into an ID token and never
  /// at when that was: an older sign-in passes there (OpenID Connect Core, section 3.1.3.7, number 13).
  func uncheckedAges(of requests: [(visit: Visit, fields: [WrittenField])]) -> [Diagnostic] {
    let asking = requests.filter(\.fields.isAuthorizationRequest)
    let sent = asking.compactMap { request in
      request.fields.first { $0.name == "max_age" }.map { (to: request.visit.to, age: $0) }
    }
    if sent.isEmpty || looksAtAuthTime { return [] }
    let (looks, isOfOne) = (looksIntoIDToken, Set(asking.map(\.visit.to)).count == 1)
    return sent.compactMap { to, age in
      guard let look = looks.first(where: { $0.from == nil ? isOfOne : $0.from == to }) else { return nil }
      return Self.unheld(
        age, look.site, "an older sign-in passes for the fresh one that \"max_age\" asks for",
        help: "go on where the \"auth_time\" of the token is no longer ago, as timestamp(claims(…).auth_time) tells it")
    }
  }

  private static func unheld(_ field: WrittenField, _ look: Site, _ message: String, help: String) -> Diagnostic {
    Diagnostic(
      "weak-grant", severity: .warning, message, at: field.site, "is held against no ID token",
      help: "\(help) (OpenID Connect Core, section 3.1.3.7)", related: (look, "looks into the token"))
  }

  /// Whether an expression, or a let, has this name of a claim in it.
  private var looksAtAuthTime: Bool {
    let sources = expressions.lazy.map(\.expression.source) + machine.lets.values.lazy.map(\.source)
    return sources.contains { $0.names("auth_time") }
  }

  /// Where claims of an ID token are read, and the service whose answer it is that is looked at there.
  private var looksIntoIDToken: [(site: Site, from: Destination?)] {
    let kept = Set(
      actions.flatMap(\.assignments).compactMap { assignment in
        assignment.value.placed.flatMap(\.template.expressions).contains(where: \.readsIDToken)
          ? assignment.place.nameOfValue : nil
      })
    let asking = machine.states.compactMap { state in
      if case .request(let request) = state.activity { (extent: state.extent, to: request.to) } else { nil }
    }
    return expressions.filter { placed in
      let expression = placed.expression
      let sources = [expression.source] + expression.facts.lets.compactMap { machine.lets[$0]?.source }
      return sources.contains { $0.contains("claims(") }
        && (expression.readsIDToken || expression.readings.contains { kept.contains($0.name.withoutOptionals) })
    }.map { placed in (placed.site, asking.first { $0.extent.encloses(placed.site) }?.to) }
  }

  /// The keys that something uses, but for what sends these, and what gives a key its own value.
  private func keysUsed(besides sent: [WrittenField]) -> Set<String> {
    let sending = Set(sent.flatMap { $0.given.placed }.flatMap(\.template.expressions).map(ObjectIdentifier.init))
    let setting = actions.flatMap(\.assignments).flatMap { assignment in
      assignment.value.placed.flatMap(\.template.expressions).map {
        (ObjectIdentifier($0), assignment.place.nameOfValue)
      }
    }
    let own = Dictionary(setting) { first, _ in first }
    return expressions.lazy.map(\.expression).filter { !sending.contains(ObjectIdentifier($0)) }
      .reduce(into: []) { used, expression in
        let set = own[ObjectIdentifier(expression)] ?? nil
        // What stands in for a missing claim is held against itself then.
        let sources = [expression.source] + expression.facts.lets.compactMap { machine.lets[$0]?.source }
        used.formUnion(
          expression.facts.used.map(\.key).filter { key in
            key != set && !sources.contains { $0.contains("orValue(\(key))") }
          })
      }
  }
}

extension Expression {
  fileprivate var readsIDToken: Bool { ["response", "event"].contains { reads("id_token", below: $0) } }
}

extension ValueTemplate {
  /// The keys of which it is made, where nothing else than these, what is fresh and config is in it.
  fileprivate var keysAlone: Set<String>? {
    let read = placed.flatMap(\.template.expressions).flatMap(\.facts.references).filter { $0.first != "config" }
    guard read.allSatisfy({ ["store", "memory"].contains($0[0]) }) else { return nil }
    return Set(read.map { $0.prefix(2).joined(separator: ".") })
  }
}
