import Expressions

extension Check {
  /// Ways for an app to get tokens that the best current practice for OAuth 2.0 advises against (RFC 9700, RFC 8252).
  ///
  /// What only a run knows is taken for good, and so is what stands in a request object (RFC 9101).
  static let weakGrants: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let redirects = (examined.flow?.redirectURIs ?? []).compactMap { uri in
      weakness(ofRedirectTo: uri.template.known(with: examined.machine.config).start).map { told($0, at: uri.site) }
    }
    let sent = examined.visits.flatMap { visit in
      [examined.written(visit.query, in: "query", at: visit.site), examined.writtenBody(of: visit)]
        .map { (visit: visit, fields: $0) }
    }
    let requests = sent.map(\.fields)
    let given = GivenValues(examined)
    let shown = sent.compactMap { examined.shownVerifier(in: $0.fields, isOpened: $0.visit.request == nil, given) }
    let ofRequests = requests.flatMap { fields in
      fields.compactMap { field in
        weakness(of: field, among: fields).map { told($0, at: field.site) }
      }
    }
    let states = requests.filter(\.isAuthorizationRequest).compactMap { $0.first { $0.name == "state" } }
    return redirects + ofRequests + shown + examined.unsentVerifiers(of: requests) + examined.unheldNonces(of: sent)
      + examined.uncheckedAges(of: sent)
      + examined.unheldStates(
        sent: states.first?.site, changing: states.first { !$0.isTheSameEachTime }?.site)
  }

  private typealias Weakness = (message: String, label: String, help: String)

  private static func told(_ weakness: Weakness, at site: Site) -> Diagnostic {
    Diagnostic("weak-grant", severity: .warning, weakness.message, at: site, weakness.label, help: weakness.help)
  }

  /// What is weak in an address of the app that begins so.
  private static func weakness(ofRedirectTo start: String) -> Weakness? {
    let scheme = start.prefix { $0 != ":" }
    guard scheme.endIndex < start.endIndex, isScheme(scheme), !scheme.contains("."),
      !["http", "https", "urn"].contains(scheme.lowercased())
    else { return nil }
    return (
      "any other app may take \"\(scheme):\" for its own, and what comes back there with it",
      "has a scheme without a domain",
      "begin it with a domain of yours, read backwards (com.example.app:/…), or with https:// (RFC 8252, section 7.1)"
    )
  }

  /// What is weak in an authorization request with these fields that asks for this.
  private static func weakness(of request: [WrittenField], asking type: String) -> Weakness? {
    if request.contains(where: { ["request", "request_uri"].contains($0.name) }) { return nil }
    let types = type.split(separator: " ")
    if types.contains("token") {
      return (
        "an access token that comes back in the address is known to all who see that", "asks for it",
        "ask for \"code\", with a \"code_challenge\" (RFC 9700, section 2.1.2)"
      )
    }
    guard types.contains("code") else { return nil }
    guard request.contains(where: { $0.name == "code_challenge" }) else {
      return (
        "whoever gets hold of the code that this asks for can redeem it", "stands without a \"code_challenge\"",
        "send \"code_challenge\": \"${s256(memory.verifier)}\" and \"code_challenge_method\": \"S256\" here, and with the code "
          + "the \"code_verifier\" (RFC 7636; RFC 9700, section 2.1.1)"
      )
    }
    let method = request.first { $0.name == "code_challenge_method" }
    guard method == nil || method?.value == "plain" else { return nil }
    return (
      "this \"code_challenge\" counts as the verifier itself, which is then known to all who see the address",
      "stands without the method \"S256\"", "send \"code_challenge_method\": \"S256\" (RFC 7636, section 4.3)"
    )
  }

  /// What is weak in something that is sent with others.
  private static func weakness(of field: WrittenField, among fields: [WrittenField]) -> Weakness? {
    switch field.name {
    case "response_type": field.value.flatMap { weakness(of: fields, asking: $0) }
    case "grant_type" where field.value == "password":
      (
        "with this grant the app sees the password, which is the server's alone to ask for", "is such a grant",
        "open the server's page in the browser and redeem the code that comes back (RFC 9700, section 2.4)"
      )
    case "client_secret" where field.isTheSameEachTime:
      (
        "an app keeps no secret of its own: whoever has the app can read it", "is in every copy of the app",
        "register it as a public client, which has none, or let a server of yours ask (RFC 8252, section 8.5)"
      )
    case "state" where field.isTheSameEachTime && fields.isAuthorizationRequest:
      (
        "whoever knows this \"state\" can have the app go on with a code of theirs", "is the same each time",
        "set a key of \"memory\" to ${fresh('state')} before, and send that (RFC 6749, section 10.12)"
      )
    case "nonce" where field.isTheSameEachTime && fields.isAuthorizationRequest:
      (
        "a token that was issued for another sign-in passes for this one's", "is the same each time",
        "set a key of \"memory\" to ${fresh('nonce')} before, and send that (OpenID Connect Core, section 15.5.2)"
      )
    case "code_challenge" where field.isTheSameEachTime, "code_verifier" where field.isTheSameEachTime:
      (
        "whoever has the app knows the verifier, and can redeem the codes of others with it", "is the same each time",
        "set a key of \"memory\" to ${fresh('verifier')} before each request (RFC 7636, section 7.1)"
      )
    default: nil
    }
  }
}

/// A field of a query or a body, with its text; `nil` where only a run knows it.
struct WrittenField {
  let name: String
  let given: ValueTemplate
  let value: String?
  /// Whether each run sends the same, whichever that is; nothing is no such text.
  let isTheSameEachTime: Bool
  let site: Site
}

extension [WrittenField] {
  var isAuthorizationRequest: Bool { contains { $0.name == "response_type" } }
}

extension Examined {
  fileprivate func written(_ fields: [FieldValue], in member: String, at site: Site) -> [WrittenField] {
    fields.map { field in
      let place = field.value.site ?? self.site(of: field.name, in: member, at: site)
      let value = field.value.text(with: machine.config)
      return WrittenField(
        name: field.name, given: field.value, value: value,
        isTheSameEachTime: value.map { !$0.isEmpty } ?? alwaysGives(field.value),
        site: place)
    }
  }

  /// Whether it comes to the same in each run: it is made of what is written out and of config, or of keys that nothing
  /// but such values are given to.
  func alwaysGives(_ value: ValueTemplate, looksIntoKeys: Bool = true) -> Bool {
    switch value {
    case .literal(let value): value.text.map { !$0.isEmpty } ?? false
    case .template(let placed):
      placed.template.expressions.allSatisfy { expression in
        expression.facts.lets.isEmpty && !expression.facts.makesAnew
          && expression.facts.references.allSatisfy {
            $0.first == "config" || looksIntoKeys && isAlwaysGivenTheSame(key: Array($0))
          }
      }
    case .list, .object: false
    }
  }

  private func isAlwaysGivenTheSame(key: [String]) -> Bool {
    let keys = ["store": machine.store, "memory": machine.memory]
    guard key.count == 2, let declared = keys[key[0]]?.first(where: { $0.name == key[1] }) else { return false }
    let given = actions.flatMap(\.assignments).filter { $0.place.reference == key }.map(\.value)
    return given.allSatisfy { alwaysGives($0, looksIntoKeys: false) }
      && (!given.isEmpty || declared.initial.text?.isEmpty == false)
  }

  fileprivate func writtenBody(of visit: Visit) -> [WrittenField] {
    switch visit.request?.body {
    case .form(let fields): written(fields, in: "form", at: visit.site)
    case .json(.object(let members)): written(members, in: "json", at: visit.site)
    case .json, .text, nil: []
    }
  }
}

extension ValueTemplate {
  /// What is known of it before a run, where that is all.
  fileprivate func text(with config: [ConfigKey]) -> String? {
    switch self {
    case .literal(let value): return value.text?.string
    case .template(let placed):
      let (text, isWhole) = placed.template.known(with: config)
      return isWhole ? text : nil
    case .list, .object: return nil
    }
  }
}
