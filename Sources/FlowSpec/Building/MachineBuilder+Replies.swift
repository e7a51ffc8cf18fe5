import Expressions
import JSONSyntax

extension MachineBuilder {
  mutating func reply(_ declaration: Declaration, standing: Standing) -> Reply {
    let standing = standing.able(to: .ofReplies)
    let redirect = declaration["redirect"].flatMap { target($0, at: $0.site, standing: standing, own: true) }
    refuseHeader("location", beside: "redirect", in: declaration)
    refuseStrangeCookies(in: declaration)
    return Reply(
      status: compilation.status(of: declaration),
      headers: compilation.headers(declaration["headers"], standing: standing),
      cookies: compilation.scalars(declaration["cookies"], standing: standing, mayBeNull: true),
      body: body(ofReply: declaration, standing: standing),
      redirect: redirect, refs: compilation.refs(of: declaration), site: declaration.site)
  }

  /// What the browser would never keep, or not as it is written (RFC 6265 §4.1.1).
  private mutating func refuseStrangeCookies(in declaration: Declaration) {
    compilation.refuseCookieHeader(in: declaration, help: "write \"cookies\": {\"name\": \"value\"}")
    for cookie in declaration["cookies"].entries {
      let isNamed = !cookie.name.isEmpty && !cookie.name.utf8.contains { $0 <= 0x20 || ",\"=".utf8.contains($0) }
      var value = ""
      if case .string(let text) = cookie.value.node.kind { value = text.literalText }
      guard !isNamed || (cookie.name + value).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0x3B }) else {
        continue
      }
      compilation.findings.error(
        "forbidden-header", "this is no cookie", at: cookie.nameSite, "would be kept otherwise or not at all",
        help: "leave out control characters and \";\"; in its name a blank, a comma, a quote and \"=\", too")
    }
  }

  private mutating func body(ofReply declaration: Declaration, standing: Standing) -> Reply.Body? {
    if let page = declaration["page"] { return self.page(page, standing: standing).map { .page($0) } }
    return compilation.body(of: declaration, standing: standing).map { .content($0) }
  }

  private mutating func page(_ declaration: Declaration, standing: Standing) -> Page? {
    let title = compilation.template(declaration["title"], in: standing)
    let text = compilation.template(declaration["text"], in: standing)
    let forms = declaration["forms"].entries.compactMap { form($0, standing: standing) }
    let links = declaration["links"].entries.compactMap { link($0, standing: standing) }
    guard let title else { return nil }
    return Page(title: title, text: text, forms: forms, links: links, refs: compilation.refs(of: declaration))
  }

  private mutating func form(_ entry: Declaration.Entry, standing: Standing) -> Page.Form? {
    let declaration = entry.value
    let target = target(declaration, at: entry.nameSite, standing: standing, own: true)
    let fields = declaration["fields"].entries
    let method = declaration.has("post") ? "POST" : "GET"
    let read = method == "GET" ? "request.query" : "request.form"
    compilation.refuseParts(in: fields, of: "a form", readAs: read)
    let declared = compilation.fields(fields, title: "form \(entry.name)", areSelected: false)
    // What the service lists among its secrets need not be said of the field once more.
    let (listed, part): (_, SecretName.Part) = (listedSecrets, method == "GET" ? .query : .form)
    let type = ObjectType(title: declared.title, fields: declared.fields.map { $0.hidden(by: listed, in: part) })
    let examples = zip(fields, type.fields).map { example($0.value, of: $1, isTyped: true) }
    let refs = compilation.refs(of: declaration)
    return target.map {
      Page.Form(
        name: entry.name, title: declaration["title"]?.string, method: method,
        target: $0, fields: type, examples: examples, refs: refs, site: entry.nameSite)
    }
  }

  private mutating func link(_ entry: Declaration.Entry, standing: Standing) -> Page.Link? {
    target(entry.value, at: entry.nameSite, standing: standing, own: true).map {
      Page.Link(
        name: entry.name, title: entry.value["title"]?.string, target: $0, refs: compilation.refs(of: entry.value))
    }
  }

  /// Where the browser goes by an `open`, a form, a link or a redirect; `own`: without `to`, to the service itself.
  mutating func target(_ declaration: Declaration, at site: Site, standing: Standing, own: Bool) -> PageTarget? {
    let query = compilation.scalars(declaration["query"], standing: standing)
    if declaration.kind == .pageLink || declaration.kind == .redirect, let uri = declaration["uri"] {
      return compilation.address(uri, in: standing).map {
        PageTarget(address: .uri($0), query: query, site: uri.site)
      }
    }
    let line = declaration["get"] ?? (declaration.kind == .form ? declaration["post"] : nil)
    let path = line.flatMap { self.path($0, standing: standing) }
    let to = destination(declaration.entry("to"))
    guard let path, own && !declaration.has("to") || to != nil else { return nil }
    return PageTarget(address: .service(to, path), query: query, site: line?.site ?? site)
  }

  mutating func mail(_ declaration: Declaration, standing: Standing) -> MailSpec? {
    guard let entry = single(declaration, of: "send") else { return nil }
    need(.inbox, for: "\"send\"", at: entry.nameSite)
    let links = entry.value["links"].entries.compactMap { link in
      mailed(link.value, standing: standing).map { (link.name, $0) }
    }
    return MailSpec(
      name: entry.name, to: compilation.template(entry.value["to"], in: standing),
      subject: compilation.template(entry.value["subject"], in: standing),
      text: compilation.template(entry.value["text"], in: standing), links: links, site: entry.nameSite)
  }

  /// A link of a mail stands nowhere from which a relative address could start.
  private mutating func mailed(_ declaration: Declaration, standing: Standing) -> PlacedTemplate? {
    let placed = compilation.address(declaration, in: standing)
    guard let (start, isWhole) = placed?.template.known(with: config), !start.isEmpty || isWhole else { return placed }
    let scheme = start.prefix { $0 != ":" }
    if !isScheme(scheme) || isWhole && scheme.count == start.count {
      compilation.findings.error(
        "wrong-url", "the link of a mail is no absolute address", at: declaration.site, "no scheme",
        help: "an address begins with a scheme, like https://example.org/path or com.example.app:/path")
    }
    return placed
  }
}

extension ObjectType.Field {
  /// The same, secret where one of these names makes it so.
  fileprivate func hidden(by names: [SecretName], in part: SecretName.Part) -> ObjectType.Field {
    var field = self
    if field.secret == nil, names.marks(name, in: part) { field.secret = name }
    return field
  }
}
