import Expressions
import FlowSpec

extension Step {
  /// The browser's own time-out, longer than a request's, so that a gateway's time-out is seen as its page.
  static let browserTimeout = Duration.seconds(60)
  static let mostRedirects = 20

  /// Drops what the tab shows or loads, and closes it.
  mutating func leavePage() {
    if case .loading(let number)? = snapshot.browser.tab?.content { forget(flight: number) }
    snapshot.browser.tab = nil
  }

  /// Navigates the tab: to the app where the address is one of its redirect URIs, else over HTTP.
  ///
  /// `site` is what opens it, where the app does.
  mutating func load(
    _ location: Location, method: String = "GET", form: [NamedValue]? = nil, redirects: Int = 0, site: Site? = nil
  ) throws(Stop) {
    if isRedirectURI(location) { return try redirectToApp(location) }
    leavePage()
    guard case .service(let service) = location.base else {
      return showUnreachable(Browser.Navigation(location: location, method: method, form: form))
    }
    if world.isLive(service) {
      try refuseInTheOpen(location.secretPart, to: location, site: site)
      snapshot.browser.tab = Browser.Tab(content: .outside(location))
      return
    }
    var request = Request.Parts(
      method: method, service: service, origin: location.origin, path: location.path, query: location.query,
      body: form.map { .form($0) })
    for cookie in snapshot.browser.jar where isOneOrigin(cookie.service, service) {
      request.cookies.append(NamedValue(name: cookie.name, value: cookie.value))
    }
    try refuseInTheOpen(request.cookies, of: location, site: site)
    let number = send(
      consume request, caller: .browser, from: lanes.browser, timeout: Self.browserTimeout, attempt: 1, refs: [])
    snapshot.browser.tab = Browser.Tab(content: .loading(number), redirects: redirects)
  }

  /// What came back for the tab.
  mutating func loaded(_ answer: Answer, flight: Flight) throws(Stop) {
    guard case .loading(flight.number)? = snapshot.browser.tab?.content else { return }
    guard case .response(let response) = answer else { return showUnreachable(Browser.Navigation(flight.request)) }
    keep(response.cookies, of: flight.request.service)
    if let location = response.location, Transport.leadsOn(response.status) {
      let redirects = (snapshot.browser.tab?.redirects ?? 0) + 1
      guard redirects <= Self.mostRedirects else {
        let reason = Text("it redirects more than \(Self.mostRedirects) times")
        return showUnreachable(Browser.Navigation(flight.request), because: reason)
      }
      guard response.status == 307 || response.status == 308 else { return try load(location, redirects: redirects) }
      let asked = Browser.Navigation(flight.request)
      return try load(location, method: asked.method, form: asked.form, redirects: redirects)
    }
    let page = shown(response, service: flight.request.service)
    snapshot.browser.tab?.content = .page(page)
    guard isRecording else { return }
    record(
      .page(
        PageShown(
          from: lanes.browser, to: lanes.person, title: .string(page.title), text: page.text.map { .string($0) },
          forms: page.forms.map(\.name), links: page.links.map(\.name))), refs: page.refs)
  }

  /// A response that is no page is shown as its status and text.
  private func shown(_ response: Response, service: Int) -> ShownPage {
    if let page = response.page { return page }
    let text = if case .text(let text)? = response.body { text } else { nil as Text? }
    return ShownPage(
      service: service, key: -response.status, title: Text("Status \(response.status)"), text: text, forms: [],
      links: [], refs: [])
  }

  private mutating func showUnreachable(_ asked: Browser.Navigation, because reason: Text? = nil) {
    snapshot.browser.tab = Browser.Tab(content: .unreachable(asked))
    guard isRecording else { return }
    var text = reason
    if case .elsewhere(let base) = asked.location.base {
      let isLink = flow.links.contains { match(asked.location, $0) != nil }
      let leads = isLink ? "opens the app from a mail or from outside only" : "does not lead to the app"
      text = nobody(at: asked.location, of: base) + Text(", and the address \(leads)")
    }
    record(
      .page(
        PageShown(
          from: lanes.browser, to: lanes.person, title: .string("This page cannot be reached"),
          text: text.map { .string($0) }, forms: [], links: ["again"])))
  }

  /// Who answers below a path is at that origin, and not at every address of it.
  private mutating func nobody(at location: Location, of origin: Text) -> Text {
    let isBeside = world.book(for: snapshot.app.config).bases.contains { $0?.isOfOrigin(origin) == true }
    if !isBeside { return Text("no service is at ") + origin }
    var address = location
    address.query = []
    return Text("no service answers at ") + text(of: address)
  }

  private mutating func keep(_ cookies: [NamedValue], of service: Int) {
    for cookie in cookies {
      let kept = Browser.Cookie(service: service, name: cookie.name, value: cookie.value)
      let old = snapshot.browser.jar.firstIndex { $0.name.isSame(as: cookie.name) && isOneOrigin($0.service, service) }
      switch old {
      case let old? where cookie.value.isNull: snapshot.browser.jar.remove(at: old)
      case let old?: snapshot.browser.jar[old] = kept
      case nil where !cookie.value.isNull: snapshot.browser.jar.append(kept)
      case nil: break
      }
    }
  }

  /// Whether two services stand below one origin, and so share their cookies.
  private func isOneOrigin(_ service: Int, _ other: Int) -> Bool {
    if service == other { return true }
    let bases = world.book(for: snapshot.app.config).bases
    return bases[service].map { $0.isOfOrigin(bases[other]?.origin) } ?? false
  }

  mutating func submit(_ index: Int, fields: [Value]) throws(Stop) {
    guard case .page(let page)? = snapshot.browser.tab?.content, page.forms.indices.contains(index) else { return }
    let form = page.forms[index].written
    var body: [NamedValue] = []
    body.reserveCapacity(form.keys.count)
    for index in 0..<min(form.keys.count, fields.count) {
      guard let text = fields[index].asText else { continue }
      body.append(NamedValue(key: form.keys[index], value: .string(text)))
    }
    world.mark(&body, of: page.forms[index], on: page)
    if isRecording {
      record(.submit(from: lanes.person, to: lanes.browser, form: form.name, fields: body), refs: form.refs)
    }
    try refuseInTheOpen(body, to: page.forms[index].target, site: form.site)
    guard form.method == "GET" else { return try load(page.forms[index].target, method: form.method, form: body) }
    var target = page.forms[index].target
    target.query = body
    try load(target)
  }

  mutating func follow(_ index: Int) throws(Stop) {
    guard case .page(let page)? = snapshot.browser.tab?.content, page.links.indices.contains(index) else { return }
    let link = page.links[index]
    record(.follow(from: lanes.person, to: lanes.browser, link: link.name), refs: link.refs)
    try load(link.target)
  }

  /// The person asks once more for what could not be reached.
  mutating func again() throws(Stop) {
    guard case .unreachable(let asked)? = snapshot.browser.tab?.content else { return }
    record(.follow(from: lanes.person, to: lanes.browser, link: "again"))
    try load(asked.location, method: asked.method, form: asked.form)
  }

  mutating func closeBrowser() throws(Stop) {
    guard snapshot.browser.tab != nil else { return }
    leavePage()
    record(.close(from: lanes.person, to: lanes.browser))
    guard let event = flow.app.events.firstIndex(where: { $0.kind == .browserClosed }) else { return }
    try happen(event, fields: [], from: lanes.browser)
  }

  /// A navigation to one of the app's redirect URIs: the tab closes, the app gets what the query says to it.
  mutating func redirectToApp(_ location: Location) throws(Stop) {
    leavePage()
    try comeBack(with: location)
  }

  /// The app gets what the query of one of its redirect URIs says to it.
  mutating func comeBack(with location: Location) throws(Stop) {
    guard let event = flow.app.redirected else { return }
    try arriveAtApp(event, values: location.query.said(to: flow.app.events[event]), from: lanes.browser)
  }

  /// An event with fields by name; a stopped app is started by it, and offered it at its first wait.
  mutating func arriveAtApp(_ event: Int, values: [NamedValue], from: Int) throws(Stop) {
    let declared = flow.app.events[event].fields.fields
    var fields: [Value] = []
    fields.reserveCapacity(declared.count)
    for field in declared {
      let given = values.index(named: field.name).map { values[$0].value } ?? .null
      var value = given.read(as: field.type)
      if let text = value.text, !field.allows(text) || text.holdsNoUTF8 { value = .null }
      if given.isSecretText, value.text == nil, !value.isNull {
        throw .failed(.losesMark(field, of: flow.app.events[event]))
      }
      fields.append(value)
    }
    flow.app.events[event].fields.mark(&fields)
    guard snapshot.app.isRunning else {
      snapshot.app.offers.append(OfferedEvent(event: event, fields: fields, from: from))
      return try launch(from: from)
    }
    try happen(event, fields: fields, from: from)
  }
}

extension World {
  /// Marks what is filled into a form: what it declares secret, and what the services call so that show and take it.
  func mark(_ fields: inout [NamedValue], of form: ShownPage.Form, on page: ShownPage) {
    fields.mark(under: form.written.secretNames)
    let asked = if case .service(let service) = form.target.base { service } else { page.service }
    secrets(of: page.service, asked).mark(&fields, inQuery: form.written.method == "GET")
  }

  /// What is filled into a form, with the fields secret that are so by that alone.
  package func fields(of form: ShownPage.Form, on page: ShownPage) -> ObjectType {
    let declared = form.written.fields
    return ObjectType(
      title: declared.title,
      fields: declared.fields.map { field in
        var filled = [NamedValue(name: field.name, value: .string(Text("text")))]
        mark(&filled, of: form, on: page)
        var field = field
        if filled[0].value.isSecretText { field.secret = field.secret ?? field.name }
        return field
      })
  }
}

extension Text {
  /// Whether U+FFFD is in it, which stands for bytes that are no UTF-8 (`%ff`): what was meant is not known.
  fileprivate var holdsNoUTF8: Bool { !hasOrigin && string.unicodeScalars.contains("\u{FFFD}") }
}

extension [NamedValue] {
  /// What a query says to an event: nothing where it says twice what the event has a field for.
  ///
  /// RFC 6749, section 3.1, allows each parameter once. Where the first or the last counted, whoever could add one would
  /// choose; where that one alone were left out, they could take away what is held against something only where it is
  /// given, such as `iss` and `error`.
  func said(to event: Event) -> [NamedValue] {
    if areDistinct { return self }
    let declared = event.fields.fields
    for index in declared.indices where holdTwice(declared[index].name) { return [] }
    return self
  }
}

extension Browser.Navigation {
  /// What led to a request of the browser.
  fileprivate init(_ request: Request) {
    location = Location(of: request)
    method = request.method
    if case .form(let fields)? = request.body { form = fields }
  }
}
