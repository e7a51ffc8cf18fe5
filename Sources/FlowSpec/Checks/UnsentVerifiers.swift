import Expressions

extension Examined {
  /// Challenges of authorization requests whose verifier nothing sends, in a flow that takes the code: no server can hold
  /// one against the other then (RFC 7636, section 4.5).
  ///
  /// A verifier that is used for more than its hash may come to the server some way.
  func unsentVerifiers(of requests: [[WrittenField]]) -> [Diagnostic] {
    let challenges = requests.filter(\.isAuthorizationRequest).compactMap { $0.first { $0.name == "code_challenge" } }
    guard !challenges.isEmpty, takesCode, !visits.contains(where: \.sendsVerifier) else { return [] }
    let mayBeKnown = keysOfMoreThanHashes.union(keysGivenFromOutside)
    let redeeming = visits.first { visit in
      RequestPart.allCases.contains { visit.sent(in: $0)?.contains(where: \.redeemsCode) == true }
    }
    return challenges.compactMap { challenge in
      let verifiers = verifiers(of: challenge.given)
      guard let verifier = verifiers.first, mayBeKnown.isDisjoint(with: verifiers.map(\.key)) else { return nil }
      return Diagnostic(
        "weak-grant", severity: .warning,
        "nothing sends the verifier of this \"code_challenge\", without which no server redeems the code",
        at: challenge.site, "stands for a verifier that is never sent",
        help: "send it with the code, as \"code_verifier\"\(verifier.sentSo) (RFC 7636, section 4.5)",
        related: redeeming.map { ($0.site, "sends none with the code") })
    }
  }

  /// The keys whose value something uses for more than its hash.
  private var keysOfMoreThanHashes: Set<String> {
    Set(
      expressions.map(\.expression).flatMap { expression in
        let hashed = Set(expression.facts.hashed.map(\.key))
        return expression.facts.used.map(\.key).filter { !hashed.contains($0) }
      })
  }

  /// The keys that are set to something that has come to the app: who has sent it knows it.
  private var keysGivenFromOutside: Set<String> {
    let given = actions.flatMap(\.assignments).filter { assignment in
      assignment.value.placed.flatMap(\.template.expressions).contains { expression in
        expression.facts.references.contains { ["response", "event", "result"].contains($0[0]) }
      }
    }
    return Set(given.map { $0.place.reference.joined(separator: ".") })
  }

  /// Whether a code that comes back is kept.
  private var takesCode: Bool {
    machine.states.flatMap(\.on).contains { handler in
      machine.events[handler.event].name.isOfAddress && handler.transitions.contains { $0.takes("code") }
    }
  }

  /// The selections of which a challenge is the hash, itself or by way of a key that is given nothing but such hashes;
  /// none where it may be of something else.
  func verifiers(of challenge: ValueTemplate, looksIntoKeys: Bool = true) -> [String] {
    guard case .template(let placed) = challenge, placed.template.isAlone, let made = placed.template.expressions.first
    else { return [] }
    let hashed = made.facts.hashed.filter { $0.hasPrefix("store.") || $0.hasPrefix("memory.") }
    if !made.facts.hashed.isEmpty { return hashed.count == made.facts.hashed.count ? hashed : [] }
    guard looksIntoKeys, made.handedOn.count == 1 else { return [] }
    let given = actions.flatMap(\.assignments).filter { assignment in
      assignment.place.reference.joined(separator: ".") == made.handedOn[0]
    }
    let found = given.map { verifiers(of: $0.value, looksIntoKeys: false) }
    return found.contains(where: \.isEmpty) ? [] : found.flatMap(\.self)
  }
}

extension String {
  /// What gives what it selects, to be written behind a name; nothing where that is there on the spot alone.
  fileprivate var sentSo: String {
    let isOfSpot = contains("\"") || ["response.", "event.", "result."].contains(where: contains)
    return isOfSpot ? "" : ": \"${\(self)}\""
  }
}

extension SentMember {
  /// Whether it says that its request redeems a code (RFC 6749, section 4.1.3).
  var redeemsCode: Bool { name == "grant_type" && value?.text == "authorization_code" }
}

extension Visit {
  /// Whether a verifier may be among what it sends, under that name in JSON within other values, too.
  fileprivate var sendsVerifier: Bool {
    let named = RequestPart.allCases.flatMap { sent(in: $0) ?? [] }
    return named.contains { $0.name == "code_verifier" || $0.value?.has("code_verifier") == true }
  }
}

extension ValueTemplate {
  /// Whether it is an object that has such a member, or holds one.
  fileprivate func has(_ name: String) -> Bool {
    switch self {
    case .object(let members): members.contains { $0.name == name || $0.value.has(name) }
    case .list(let values): values.contains { $0.has(name) }
    case .literal, .template: false
    }
  }
}
