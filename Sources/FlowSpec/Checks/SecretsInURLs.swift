import Expressions
import JSONSyntax

extension Check {
  /// Secrets in paths and queries, which end up in histories, logs and `Referer`.
  static let secretsInURLs: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.visits.flatMap { secrets(in: $0, examined) } + secretsInBases(examined)
      + examined.actions.mails.flatMap { mail in
        mail.links.compactMap { link in
          examined.secret(in: link.uri).map { secretInURL($0, at: link.uri.site, "a mailed link") }
        }
      }
  }

  /// Where services answer, which begins every URL of theirs; said of the flow, not of each model again.
  private static func secretsInBases(_ examined: Examined) -> [Diagnostic] {
    guard examined.model == nil, let services = examined.flow?.services else { return [] }
    return services.flatMap { $0.origins + ($0.url.map { [$0] } ?? []) }.compactMap { base in
      base.template.secret.map { secretInURL($0, at: base.site, "the address of a service") }
    }
  }

  private static func secrets(in visit: Visit, _ examined: Examined) -> [Diagnostic] {
    let names = examined.secrets(of: visit.to ?? examined.service)
    let place = visit.request != nil ? "the URL of a request" : "a URL of the browser"
    var found: [Diagnostic] = []
    for template in visit.templates {
      if let name = examined.secret(in: template) { found.append(secretInURL(name, at: template.site, place)) }
    }
    if case .segments(let path) = visit.path, let route = examined.model(for: visit)?.route(visit.method, path) {
      for (pattern, segment) in zip(route.path.segments, path) where examined.secret(in: segment) == nil {
        guard let name = pattern.variable, names.marks(name, in: .path) else { continue }
        var secret = secretInURL(name, at: segment.site, place)
        // Nothing of that name need stand where the request is written.
        if names.contains(SecretName(name: name, part: nil)) {
          secret.help =
            "\(route.line) calls it so, and \"secrets\" lists it for all traffic: \"json.\(name)\" there means a member alone"
        }
        found.append(secret)
      }
    }
    for field in visit.query {
      let secret = field.value.secret
      guard let name = secret?.name ?? (names.marks(field.name, in: .query) ? field.name : nil) else { continue }
      // The authorization code goes back to the app in the redirect: RFC 6749, section 4.1.2.
      if visit.isRedirect, visit.uri != nil, field.name == "code" { continue }
      let site = secret?.site ?? field.value.site ?? examined.site(of: field.name, in: "query", at: visit.site)
      var inQuery = secretInURL(name, at: site, place)
      if field.name.isChallenge, let verifier = field.value.selection { inQuery.help = challengeHelp(verifier) }
      found.append(inQuery)
    }
    if let form = visit.form, form.method == "GET" {
      for field in form.fields.fields where field.secret != nil || names.marks(field.name, in: .query) {
        let site = examined.site(of: field.name, in: "fields", at: form.site)
        found.append(secretInURL(field.name, at: site, "the query of a form"))
      }
    }
    return found
  }

  private static func secretInURL(_ name: String, at site: Site, _ place: String) -> Diagnostic {
    let help =
      switch (name, place) {
      case (_, "the address of a service"):
        "leave it out there; a setting that need not be secret goes without \"secret\": true"
      case ("code", "a URL of the browser"):
        "the app gets it from a redirect: {\"uri\": …, \"query\": {\"code\": …}}, which is allowed"
      case ("state", _):
        "it goes there and back as it is, so that it need not be secret: nobody may guess it (RFC 6749, section 10.12)"
      default: "send it in a body or as bearer; a system that does this all the same is described with \"despite\""
      }
    return Diagnostic(
      "secret-in-url", "the secret \"\(name)\" would stand in \(place)", at: site, "is secret", help: help)
  }
}

extension Check {
  /// What goes there is no secret any more: RFC 7636, section 4.2.
  private static func challengeHelp(_ verifier: String) -> String {
    "send the hash of it, \"${s256(\(verifier))}\": the verifier goes with the code alone (RFC 7636, section 4)"
  }
}

extension String {
  /// Whether a parameter of this name has the hash of a verifier.
  fileprivate var isChallenge: Bool { joined == "codechallenge" }
}

extension ValueTemplate {
  /// What it is, where that is a selection and nothing else.
  fileprivate var selection: String? {
    guard case .template(let placed) = self, placed.template.isAlone else { return nil }
    return placed.template.expressions.first?.selection
  }
}

extension Examined {
  /// Names that are secret in a service's traffic.
  func secrets(of service: Int?) -> [SecretName] {
    service.flatMap { flow?.services[$0].secrets } ?? model?.secrets ?? []
  }

  /// Where a field is written in the object that stands at a place, or around it; that place where it is not found.
  func site(of field: String, in member: String, at site: Site) -> Site {
    let fields = machine.fields(of: member, at: site)
    let named = fields.first { $0.name == field } ?? fields.first { $0.name.lowercased() == field }
    return named.map { Site(document: site.document, range: $0.nameRange) } ?? site
  }

  /// The first secret in a text: a key or field that is one, or what has a name under the service's `secrets`.
  func secret(in placed: PlacedTemplate) -> String? {
    if let name = placed.template.secret { return name }
    let names = secrets(of: service)
    for reading in placed.template.expressions.flatMap(\.handedOn) {
      if let name = SecretName(reading: reading), names.marks(name.name, in: name.part) { return name.name }
    }
    return nil
  }
}

extension Machine {
  /// The fields of a member of the object that stands at a place, or around it, as they are written.
  func fields(of member: String, at site: Site) -> [JSONMember] {
    document.node.members(at: site.range).first { $0.name == member }?.value.members ?? []
  }
}

extension JSONNode {
  var members: [JSONMember] { if case .object(let members) = kind { members } else { [] } }

  /// The members of what is called so there, and else of the innermost object there.
  func members(at place: Range<Int>) -> [JSONMember] {
    switch kind {
    case .array(let elements): return elements.first(around: place, \.range)?.members(at: place) ?? []
    case .object(let members):
      if let named = members.first(around: place, \.nameRange), named.nameRange == place { return named.value.members }
      let inner = members.first(around: place, \.value.range)?.value.members(at: place) ?? []
      return inner.isEmpty ? members : inner
    default: return []
    }
  }
}

extension Array {
  /// The one that encloses a place, of those that stand one behind the other.
  fileprivate func first(around place: Range<Int>, _ range: (Element) -> Range<Int>) -> Element? {
    let index = partitioningIndex { range($0).upperBound >= place.upperBound }
    return index < count && range(self[index]).lowerBound <= place.lowerBound ? self[index] : nil
  }
}
