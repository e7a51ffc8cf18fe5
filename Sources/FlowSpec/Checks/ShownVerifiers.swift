import Expressions

extension Examined {
  /// The challenge of an authorization request whose verifier is what the address has beside it, or is made of that alone:
  /// whoever sees the address can redeem the code (RFC 7636, section 7.1).
  ///
  /// Of a request that is pushed the `state` alone comes to an address, with the code.
  func shownVerifier(in request: [WrittenField], isOpened: Bool) -> Diagnostic? {
    guard request.isAuthorizationRequest, let challenge = request.first(where: { $0.name == "code_challenge" }),
      !challenge.isTheSameEachTime
    else { return nil }
    let beside = request.filter { isOpened ? $0.name != challenge.name : $0.name == "state" }
    let given = givenToKeys
    func isShown(by fields: [WrittenField]) -> Bool {
      let shown = ShownKeys(by: fields.map(\.given), given)
      let verifiers = verifiers(of: challenge.given).map(\.withoutOptionals)
      if !verifiers.isEmpty { return verifiers.allSatisfy(shown.names.contains) }
      // Who is shown a challenge does not have what it is made of.
      return challenge.given.handedOnKeys.isEmpty && shown.make(challenge.given)
    }
    guard isShown(by: beside) else { return nil }
    return Diagnostic(
      "weak-grant", severity: .warning,
      "whoever sees the address has the verifier of this \"code_challenge\", and can redeem the code with it",
      at: challenge.site, "is made of what stands there",
      help: "set a key of \"memory\" to ${fresh('verifier')} before each request, and send the hash of that here and "
        + "nothing else of it (RFC 7636, section 7.1)",
      related: beside.first { isShown(by: [$0]) }.map { ($0.site, "gives it away") })
  }

  /// What is given to each key that is no table, but for null.
  private var givenToKeys: [String: [ValueTemplate]] {
    actions.flatMap(\.assignments).reduce(into: [:]) { given, assignment in
      guard let name = assignment.place.nameOfValue, !assignment.value.isNothing else { return }
      given[name, default: []].append(assignment.value)
    }
  }
}

/// What those know of the keys of an app who see some values that it sends.
private struct ShownKeys {
  /// Selections whose value they have, without the marks of what may be absent.
  private(set) var names: Set<String>

  init(by values: [ValueTemplate], _ given: [String: [ValueTemplate]]) {
    names = Set(values.flatMap(\.handedOnKeys))
    if names.isEmpty { return }
    var known = 0
    while known != names.count {
      known = names.count
      // What a key is a copy of, whatever it is set to, they have with it.
      for copies in names.compactMap({ given[$0] }) {
        let sources = copies.map { Set($0.handedOnKeys) }
        names.formUnion(sources.dropFirst().reduce(sources[0]) { $0.intersection($1) })
      }
      for (name, values) in given where !names.contains(name) {
        if values.allSatisfy({ make($0, for: name) }) { names.insert(name) }
      }
    }
  }

  /// Whether a value is made of what they have, and perhaps of what stands in the app; `own` names the key that it is for,
  /// which may keep what is in it.
  func make(_ value: ValueTemplate, for own: String? = nil) -> Bool {
    let expressions = value.placed.flatMap(\.template.expressions)
    let read = Set(expressions.flatMap(\.facts.references).filter { $0.first != "config" })
    let others = read.map { $0.joined(separator: ".") }.filter { $0 != own }
    return !others.isEmpty && others.allSatisfy(names.contains)
      && expressions.allSatisfy { $0.facts.lets.isEmpty && !$0.namesFresh }
  }
}

extension Expression {
  /// Whether it makes something fresh, if only in one branch of a choice.
  var namesFresh: Bool { freshness != .none || facts.makesAnew }
}

extension ValueTemplate {
  /// The selections of the app's keys that are in it as they are, without the marks of what may be absent.
  fileprivate var handedOnKeys: [String] {
    placed.flatMap(\.template.expressions).flatMap(\.handedOn).map(\.withoutOptionals)
      .filter { $0.hasPrefix("store.") || $0.hasPrefix("memory.") }
  }
}
