import Expressions

extension Check {
  /// Requests that are sent again where their answer was lost, though the server may have done what they ask: a refresh
  /// token that is used twice signs people out.
  ///
  /// A POST and a PATCH ask for something anew each time (RFC 9110 §9.2.2), but with a header `Idempotency-Key`, or with an
  /// id that the app has made for what it asks for.
  static let unsafeRetries: @Sendable (Examined) -> [Diagnostic] = { examined in
    let ids = OwnIDs(of: examined)
    return examined.machine.requests.compactMap { request in
      guard let retry = request.retry, request.asksAnew,
        !request.isToldAgain(by: ids, despite: retry.actions), let when = retry.when,
        let site = when.expressions.first(where: { $0.expression.facts.references.contains { $0[0] == "response" } })?
          .site, let table = FailureTable(when, online: true)
      else { return nil }
      if table.holds(for: "lost") {
        return sentAgain(
          request, "where its answer was lost", at: site, "holds for response.failure == 'lost'",
          help: "ask for response.failure == 'unreachable', which was not sent")
      }
      let status = halfDone.first { (try? table.holds(status: $0, nil)) == true && when.names(status: $0) }
      return status.map {
        sentAgain(
          request, "behind \($0)", at: site, "holds for \($0)",
          help: "ask for response.status in [429, 503], which say that it was not done")
      }
    }
  }

  /// Statuses behind which a server, or one behind a gateway, may have done what was asked (RFC 9110 §15.6).
  private static let halfDone: [Int64] = [500, 502, 504]

  private static func sentAgain(
    _ request: RequestSpec, _ when: String, at site: Site, _ label: String, help: String
  ) -> Diagnostic {
    Diagnostic(
      "unsafe-retry", severity: .warning,
      "this \(request.method) is sent again \(when), and the server may have done it already", at: site, label,
      help: "\(help), or send \(request.neededKey)")
  }
}

extension RequestSpec {
  /// Whether each time that it is sent it asks for something more (RFC 9110 §9.2.2).
  ///
  /// A poll for tokens that a person allows elsewhere asks for the same, and is to be sent again where no answer came
  /// (RFC 8628 §3.5; OpenID Connect CIBA §11).
  /// Who pushes an authorization request twice has two, of which one is used (RFC 9126 §2.2).
  var asksAnew: Bool {
    ["POST", "PATCH"].contains(method) && !pollsForTokens && !namesToken && !isAtSignOut
      && !bodyFields.contains { $0.name == "response_type" }
  }

  var pollsForTokens: Bool {
    grants("urn:ietf:params:oauth:grant-type:device_code") || grants("urn:openid:params:grant-type:ciba")
  }

  /// Whether it asks for tokens by a grant, which is written out.
  func grants(_ type: String) -> Bool {
    bodyFields.contains { $0.name == "grant_type" && $0.value.text == type }
  }

  /// Whether it revokes a token or asks of one: a token that is revoked already is no error (RFC 7009 §2.2, RFC 7662 §2.2).
  ///
  /// Known by the hint that only these take, or by the address, as a mailed token may be sent as `token`, too.
  var namesToken: Bool {
    let names = bodyFields.map(\.name)
    return names.contains("token") && (names.contains("token_type_hint") || isAtRevocation)
  }

  /// Whether its address says that something is revoked there.
  var isAtRevocation: Bool {
    Visit(self).templates.contains { $0.template.source.lowercased().contains("revo") }
  }

  /// Whether its address says that something ends there that was begun: who is signed out stays so.
  private var isAtSignOut: Bool {
    let words: Set<String> = ["logout", "logoff", "signout", "signoff", "endsession", "unregister", "deregister"]
    let path = Visit(self).templates.map(\.template.source).joined(separator: "/").prefix { $0 != "?" }
    return path.split(separator: "/").contains { segment in
      words.contains(segment.lowercased().filter { $0 != "-" && $0 != "_" })
    }
  }

  var bodyFields: [FieldValue] {
    switch body {
    case .form(let fields), .json(.object(let fields)): fields
    case .json, .text, nil: []
    }
  }

  /// The header by which a service knows a further try from something else that is asked for, in lower case.
  static let keyHeader = "idempotency-key"

  private var idempotencyKey: ValueTemplate? { headers.first { $0.name == Self.keyHeader }?.value }

  /// What it lacks, in a sentence behind "send".
  var neededKey: String {
    let own = idempotencyKey == nil ? "" : " of its own for each thing asked for, the same for all its tries"
    return "an \"Idempotency-Key\"" + own
  }

  /// Whether it has a key by which its service knows a further try from something else that is asked for, or an id that the
  /// app has made: neither the same for all nor another for each try, behind these actions.
  ///
  /// Where a kill came between, an id counts that the store has kept.
  func isToldAgain(by ids: OwnIDs, despite actions: [Action], isRelaunched: Bool = false) -> Bool {
    func isKept(_ key: [String]) -> Bool { !isRelaunched || key[0] == "store" }
    let set = actions.flatMap(\.assignments)
    // Which row and which field of a table is set, only a run knows.
    func isMadeAnew(_ key: [String]) -> Bool {
      set.contains { !$0.place.isOfTable && $0.place.reference == key && !$0.mayRepeat(behind: set) }
    }
    if ids.sent(by: self).contains(where: { isKept($0) && !isMadeAnew($0) }) { return true }
    guard case .template(let placed) = idempotencyKey else { return false }
    let read = placed.template.expressions.flatMap(\.facts.references)
    let isOfOne = read.contains { $0.first != "config" && $0.first != "device" }
    return isOfOne && !read.contains(["now"]) && !read.contains { isMadeAnew(Array($0.prefix(2))) }
  }
}

extension Assignment {
  /// Whether it may give what there was before: `present(store.key) ? store.key : newId('key')`, or what is made of
  /// something that is not set among these.
  fileprivate func mayRepeat(behind others: [Assignment]) -> Bool {
    let expressions = value.placed.flatMap(\.template.expressions)
    let set = Set(others.map(\.place.reference))
    let own = place.reference.joined(separator: ".")
    let isWhole = expressions.count == 1 && value.placed[0].template.parts.count == 1
    return !expressions.isEmpty
      && expressions.allSatisfy { expression in
        if isWhole, expression.handedOn.contains(where: { $0.filter { $0 != "?" } == own }) { return true }
        let read = expression.facts.references
        return expression.freshness == .none && !read.contains(["now"])
          && !read.contains { set.contains(Array($0.prefix(2))) }
      }
  }
}
