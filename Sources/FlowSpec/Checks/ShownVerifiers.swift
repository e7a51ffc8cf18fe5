import Expressions

extension Examined {
  /// The challenge of an authorization request whose verifier is what the address has beside it, or is made of that alone:
  /// whoever sees the address can redeem the code (RFC 7636, section 7.1).
  ///
  /// Of a request that is pushed the `state` alone comes to an address, with the code.
  func shownVerifier(in request: [WrittenField], isOpened: Bool, _ given: GivenValues) -> Diagnostic? {
    guard request.isAuthorizationRequest, let challenge = request.first(where: { $0.name == "code_challenge" }),
      !challenge.isTheSameEachTime
    else { return nil }
    let beside = request.filter { isOpened ? $0.name != challenge.name : $0.name == "state" }
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
}

/// What the app gives to its keys that are no tables, but for null.
struct GivenValues {
  /// By key what all that is given to it is a copy of.
  fileprivate let sources: [String: Set<String>]
  /// By key what all that is given to it is made of, where nothing fresh is in that and each reads something.
  fileprivate let parts: [String: Set<String>]
  /// By what is read the keys that are made of it.
  fileprivate let made: [String: [String]]

  init(_ examined: Examined) {
    var given: [String: [ValueTemplate]] = [:]
    for assignment in examined.actions.flatMap(\.assignments) where !assignment.value.isNothing {
      if let name = assignment.place.nameOfValue { given[name, default: []].append(assignment.value) }
    }
    sources = given.mapValues { copies in
      let sources = copies.map { Set($0.handedOnKeys) }
      return sources.dropFirst().reduce(sources[0]) { $0.intersection($1) }
    }
    let parts = given.reduce(into: [String: Set<String>]()) { parts, entry in
      let read = entry.value.map { $0.partsAlone(for: entry.key) }
      if read.allSatisfy({ $0 != nil }) { parts[entry.key] = read.reduce(into: []) { $0.formUnion($1 ?? []) } }
    }
    self.parts = parts
    made = parts.reduce(into: [:]) { made, entry in
      for part in entry.value { made[part, default: []].append(entry.key) }
    }
  }
}

/// What those know of the keys of an app who see some values that it sends.
private struct ShownKeys {
  /// Selections whose value they have, without the marks of what may be absent.
  private(set) var names: Set<String>

  init(by values: [ValueTemplate], _ given: GivenValues) {
    names = Set(values.flatMap(\.handedOnKeys))
    var (pending, missing) = (Array(names), given.parts.mapValues(\.count))
    while let name = pending.popLast() {
      // What a key is a copy of, whatever it is set to, they have with it.
      var more = given.sources[name] ?? []
      for key in given.made[name] ?? [] {
        missing[key, default: 0] -= 1
        if missing[key] == 0 { more.insert(key) }
      }
      for key in more where names.insert(key).inserted { pending.append(key) }
    }
  }

  /// Whether a value is made of what they have, and perhaps of what stands in the app.
  func make(_ value: ValueTemplate) -> Bool { value.partsAlone(for: nil)?.isSubset(of: names) == true }
}

extension ValueTemplate {
  /// What it is made of but for what stands in the app; `nil` where there is nothing of that, or something else is in it.
  ///
  /// `own` names the key that it is for, which may keep what is in it.
  fileprivate func partsAlone(for own: String?) -> Set<String>? {
    let expressions = placed.flatMap(\.template.expressions)
    guard expressions.allSatisfy({ $0.facts.lets.isEmpty && !$0.namesFresh }) else { return nil }
    let read = Set(expressions.flatMap(\.facts.references).filter { $0.first != "config" })
    let parts = Set(read.map { $0.joined(separator: ".") }.filter { $0 != own })
    return parts.isEmpty ? nil : parts
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
