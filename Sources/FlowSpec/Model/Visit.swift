import Expressions

/// A place that sends the browser or a request somewhere.
struct Visit {
  /// Index into `Flow.services`, `nil` for the service whose document it stands in, and for a whole URI.
  let to: Destination?
  let method: String
  let path: PathTemplate?
  let uri: PlacedTemplate?
  let query: [FieldValue]
  /// What is submitted in a form.
  let form: Page.Form?
  let request: RequestSpec?
  /// Whether a reply leads there by itself.
  let isRedirect: Bool
  /// Whether it is sent on as it came (307 and 308, RFC 9110 §15.4.8).
  let keepsMethod: Bool
  let site: Site
}

extension Visit {
  /// With which a browser may come there.
  var methods: [String] { keepsMethod ? ["GET", "POST"] : [method] }

  /// Where its path or URL is written.
  var line: Site {
    switch path {
    case .segments(let segments): segments.first?.site ?? site
    case .url(let url): url.site
    case nil: uri?.site ?? site
    }
  }
}

extension Flow {
  /// The conditions of all transitions, which decide where they lead.
  package var decidingConditions: [PlacedExpression] {
    let models = services.compactMap(\.model)
    return (app.transitions + models.flatMap(\.transitions)).compactMap(\.when).flatMap(\.expressions)
  }
}

extension Machine {
  /// Every transition of every state, in the order of the states.
  var transitions: [Transition] {
    states.flatMap(\.transitions)
  }

  /// Everything that it does.
  package var actions: [Action] { actions(transitions) }

  /// What states, these transitions and retries do.
  func actions(_ transitions: [Transition]) -> [Action] {
    states.flatMap(\.entry) + transitions.flatMap(\.actions) + requests.compactMap(\.retry).flatMap(\.actions)
  }

  var requests: [RequestSpec] {
    states.compactMap { if case .request(let spec) = $0.activity { spec } else { nil } }
  }
}

extension State {
  /// Its decisions, then what it hears, then its timers.
  var transitions: [Transition] {
    var found = next
    for handler in on { found += handler.transitions }
    for timer in after { found += timer.transition }
    return found
  }
}

extension [Action] {
  var mails: [MailSpec] { compactMap { if case .send(let mail) = $0.kind { mail } else { nil } } }

  var opens: [PageTarget] { compactMap { if case .open(let target) = $0.kind { target } else { nil } } }
}

extension RequestSpec {
  /// What it sends and works out, but for its path.
  var sent: [Expression] { written(headers).flatMap(\.template.expressions) }

  /// The same without the key by which its service knows a further try of it.
  var asked: [Expression] {
    written(headers.filter { $0.name != Self.keyHeader }).flatMap(\.template.expressions)
  }

  /// The texts that may name what it asks for: in its path, query and body, and the key by which its service knows it.
  var naming: [PlacedTemplate] {
    let key = written(headers.filter { $0.name == Self.keyHeader }, bearer: nil)
    return if case .segments(let segments) = path { segments + key } else { key }
  }

  /// The texts in it, its path included.
  var written: [PlacedTemplate] {
    switch path {
    case .segments(let segments): segments + written(headers)
    case .url(let url): [url] + written(headers)
    }
  }

  private func written(_ headers: [FieldValue]) -> [PlacedTemplate] { written(headers, bearer: bearer) }

  private func written(_ headers: [FieldValue], bearer: PlacedTemplate?) -> [PlacedTemplate] {
    let body: [ValueTemplate] =
      switch body {
      case .json(let template): [template]
      case .form(let fields): fields.map(\.value)
      case .text(let placed): [.template(placed)]
      case nil: []
      }
    let all = (query + headers).map(\.value) + body + [bearer].compactMap { $0.map(ValueTemplate.template) }
    return all.flatMap(\.placed)
  }

  /// Whether each try asks for something else: the time, or what is made for it.
  var isMadeAnew: Bool {
    asked.contains { $0.facts.references.contains(["now"]) || $0.freshness != .none }
  }
}

extension [Transition] {
  var replies: [Reply] { compactMap { if case .reply(let reply) = $0.target { reply } else { nil } } }
}

extension Reply {
  /// Where it sends the browser.
  var visits: [Visit] {
    var found = redirect.map { [Visit($0, isRedirect: true, keepsMethod: [307, 308].contains(status))] } ?? []
    if case .page(let page) = body {
      found += page.forms.map { Visit($0.target, form: $0) }
      found += page.links.map { Visit($0.target) }
    }
    return found
  }
}

extension Visit {
  init(_ request: RequestSpec) {
    self.init(
      to: request.to, method: request.method, path: request.path, uri: nil, query: request.query,
      form: nil, request: request, isRedirect: false, keepsMethod: false, site: request.site)
  }

  init(_ target: PageTarget, form: Page.Form? = nil, isRedirect: Bool = false, keepsMethod: Bool = false) {
    var (to, path, uri): (Destination?, PathTemplate?, PlacedTemplate?) = (nil, nil, nil)
    switch target.address {
    case .service(let destination, let template): (to, path) = (destination, template)
    case .uri(let template): uri = template
    }
    self.init(
      to: to, method: form?.method ?? "GET", path: path, uri: uri, query: target.query, form: form,
      request: nil, isRedirect: isRedirect, keepsMethod: keepsMethod, site: target.site)
  }
}

extension Visit {
  /// What its path is made of.
  var templates: [PlacedTemplate] {
    switch path {
    case .segments(let segments): segments
    case .url(let url): [url]
    case nil: uri.map { [$0] } ?? []
    }
  }
}
