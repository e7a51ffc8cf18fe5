import Expressions

extension Check {
  /// Secrets that would leave the machine without encryption.
  static let secretsOverHTTP: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow else { return [] }
    let visits = examined.visits.compactMap { visit -> Diagnostic? in
      let service = (visit.to ?? examined.service).flatMap { flow.services[$0].url }
      // What is written out where it goes reads the config of its own document.
      let config = visit.address == nil ? flow.app.config : examined.machine.config
      guard let url = visit.address ?? service, goesInTheOpen(url.template.known(with: config).start),
        let name = visit.secret(examined.secrets(of: visit.to ?? examined.service))
          ?? visit.templates.compactMap(examined.secret).first
      else { return nil }
      return secretOverHTTP(name, url, flow, at: visit.line)
    }
    let links = examined.actions.mails.flatMap(\.links).compactMap { link -> Diagnostic? in
      guard goesInTheOpen(link.uri.template.known(with: examined.machine.config).start),
        let name = examined.secret(in: link.uri)
      else { return nil }
      return secretOverHTTP(name, link.uri, flow, at: link.uri.site)
    }
    guard examined.model == nil else { return visits + links + answers(of: examined, in: flow) }
    let redirects = flow.redirectURIs.compactMap { uri -> Diagnostic? in
      let isOpen = goesInTheOpen(uri.template.known(with: flow.app.config).start)
      return isOpen ? secretOverHTTP("code", uri, flow, at: uri.site) : nil
    }
    return visits + redirects
  }

  private static func answers(of examined: Examined, in flow: Flow) -> [Diagnostic] {
    guard let service = examined.service, let url = flow.services[service].url,
      goesInTheOpen(url.template.known(with: flow.app.config).start)
    else { return [] }
    let names = examined.secrets(of: service)
    return examined.transitions.replies.compactMap { reply in
      reply.secret(names).map { secretOverHTTP($0, url, flow, at: reply.site, way: "come from") }
    }
  }

  private static func secretOverHTTP(
    _ name: String, _ uri: PlacedTemplate, _ flow: Flow, at site: Site, way: String = "be sent to"
  ) -> Diagnostic {
    let url = uri.template.shown(with: flow.app.config)
    return Diagnostic(
      "secret-over-http", "the secret \"\(name)\" would \(way) \(url) without encryption", at: site,
      "goes over http", help: "use https, or a loopback address")
  }
}

extension [FieldValue] {
  /// The name of a secret that one of them is, by its value or by its own name.
  fileprivate func secret(_ names: [SecretName], _ part: SecretName.Part) -> String? {
    lazy.compactMap { $0.value.secret?.name ?? (names.marks($0.name, in: part) ? $0.name : nil) }.first
  }
}

extension RequestSpec.Body {
  fileprivate func secret(_ names: [SecretName]) -> String? {
    switch self {
    case .form(let fields): fields.secret(names, .form)
    case .json(.object(let members)): members.secret(names, .json)
    case .json(let value): value.secret?.name
    case .text(let text): text.template.secret
    }
  }
}

extension Reply {
  /// The name of a secret that it carries; what it sets as a cookie is one.
  fileprivate func secret(_ names: [SecretName]) -> String? {
    let cookie = cookies.first { if case .literal(.null) = $0.value { false } else { true } }
    if let cookie { return cookie.name }
    if let name = headers.secret(names, .header) ?? redirect?.query.secret(names, .query) { return name }
    switch body {
    case .content(let content): return content.secret(names)
    case .page(let page): return page.title.template.secret ?? page.text?.template.secret
    case nil: return nil
    }
  }
}

extension Visit {
  /// The whole address that it names; `nil` for a path of a service.
  fileprivate var address: PlacedTemplate? { if case .url(let url) = path { url } else { uri } }

  /// The name of a secret that it carries.
  func secret(_ names: [SecretName]) -> String? {
    if let form, let field = form.fields.fields.first(where: { $0.secret != nil || names.marks($0.name, in: .form) }) {
      return field.name
    }
    if let name = query.secret(names, .query) { return name }
    guard let request else { return nil }
    if request.bearer != nil { return "bearer" }
    if request.headers.contains(where: { $0.name == "authorization" }) { return "authorization" }
    return request.headers.secret(names, .header) ?? request.body?.secret(names)
  }
}
