import Expressions

extension Check {
  /// Claims of an ID token that count where nothing vouches for them: an address of which it does not say that it is
  /// verified, what a refresh brings of somebody whose `sub` is held against nobody's, and what is kept of a token whose
  /// issuer, audience and end nobody looks at (OpenID Connect Core, sections 5.1, 12.2 and 3.1.3.7).
  static let unheldClaims: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    return examined.claimsTakenAsVerified + examined.unheldSubjects + examined.unheldTokens
  }
}

extension Examined {
  /// `email_verified.orValue(true)`, wherever it stands.
  fileprivate var claimsTakenAsVerified: [Diagnostic] {
    let lets = machine.lets.keys.sorted().compactMap { name in
      machine.lets[name].flatMap { definition in machine.definitions[name].map { (definition.source, $0) } }
    }
    return (expressions.map { ($0.expression.source, $0.site) } + lets).compactMap { source, site in
      guard let claim = source.claimTakenAsVerified else { return nil }
      return Diagnostic(
        "weak-grant", severity: .warning, "what nobody says to be verified counts as verified", at: site,
        "is so without a \"\(claim)\"",
        help:
          "let .orValue(false) stand for it: a claim that is missing says nothing (OpenID Connect Core, section 5.1)")
    }
  }

  /// What a refresh puts into the store of an ID token, where neither the condition nor one before it looks at its `sub`.
  fileprivate var unheldSubjects: [Diagnostic] {
    machine.states.flatMap { state -> [Diagnostic] in
      guard case .request(let request) = state.activity, request.grants("refresh_token") else { return [] }
      let taken = takenWhereAllWentWell(request, state.next)
      return state.next.enumerated().compactMap { index, transition in
        guard taken.contains(where: { $0 === transition }),
          let set = transition.actions.flatMap(\.assignments).first(where: \.keepsClaims),
          !state.next[...index].compactMap(\.when).flatMap(\.expressions).map(\.expression).contains(
            where: looksAtSubject),
          !transition.actions.flatMap(\.assignments).flatMap(\.value.expressions).contains(where: looksAtSubject)
        else { return nil }
        return Diagnostic(
          "weak-grant", severity: .warning, "the ID token of somebody else passes for the one who is signed in",
          at: transition.siteOfChoice, "does not look at the \"sub\"",
          help: "go on where it is that of before, as same(claims(…).?sub, store.sub) asks (OpenID Connect Core, "
            + "section 12.2)",
          related: (set.site, "keeps what it says"))
      }
    }
  }

  /// What is kept of an ID token where no expression and no let names a claim that says whether it is for this app, and now.
  fileprivate var unheldTokens: [Diagnostic] {
    let keeping = machine.states.lazy.filter { state in
      guard case .request(let request) = state.activity else { return false }
      return request.grants("authorization_code") || request.pollsForTokens
    }.flatMap(\.next).flatMap(\.actions).flatMap(\.assignments).first(where: \.keepsClaims)
    guard let keeping else { return [] }
    let sources = expressions.map(\.expression.source) + machine.lets.values.map(\.source)
    let unheld = [("iss", "of another issuer"), ("aud", "for another app"), ("exp", "that is over")].filter {
      claim, _ in
      !sources.contains { $0.names(claim) }
    }
    guard !unheld.isEmpty else { return [] }
    // One that has just come for a code is hardly ever over.
    let isOfTime = unheld.allSatisfy { $0.0 == "exp" }
    return [
      Diagnostic(
        "weak-grant", severity: isOfTime ? .remark : .warning,
        "an ID token \(unheld.map(\.1).joined(separator: ", or ")) passes here",
        at: keeping.site, "keeps what it says",
        help: "go on where "
          + unheld.map { "its \"\($0.0)\" is \(Self.expected[$0.0] ?? "")" }.joined(separator: " and ")
          + " (OpenID Connect Core, section 3.1.3.7)")
    ]
  }

  private static let expected = [
    "iss": "that of the provider", "aud": "the app's \"client_id\", or a list with it",
    "exp": "still to come, as timestamp(int(…)) > now asks",
  ]

  private func looksAtSubject(_ expression: Expression) -> Bool {
    ([expression.source] + expression.facts.lets.compactMap { machine.lets[$0]?.source }).contains { $0.names("sub") }
  }
}

extension Assignment {
  /// Whether it puts something of an ID token that an answer brings into the store; the token as it is says nothing yet.
  fileprivate var keepsClaims: Bool {
    place.isDurable
      && value.expressions.contains { expression in
        expression.reads("id_token", below: "response")
          && !expression.handedOn.contains { MemberPath($0, below: "response.json")?.parts == [.member("id_token")] }
      }
  }
}

extension String {
  /// Whether one of its words is this.
  func names(_ word: String) -> Bool {
    contains(word) && split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains(Substring(word))
  }

  /// The claim that stands before `.orValue(true)` and says of something that it is verified.
  fileprivate var claimTakenAsVerified: String? {
    let standing = ".orValue(true)"
    guard contains("orValue"), contains("erified") else { return nil }
    var rest = filter { $0 != " " }[...]
    while let range = rest.firstRange(of: standing) {
      let selection = rest[..<range.lowerBound].reversed().prefix { !"&|(,:".contains($0) }.reversed()
      let name = String(
        selection.reversed().drop { "'\"]".contains($0) }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
      if selection.first != "!", name.hasSuffix("_verified") || name.hasSuffix("Verified") { return name }
      rest = rest[range.upperBound...]
    }
    return nil
  }
}
