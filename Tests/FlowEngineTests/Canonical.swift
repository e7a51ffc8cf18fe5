import Expressions
import FlowSpec

@testable import FlowEngine

extension World {
  /// The same world with nothing left that only counts: fresh values and identifiers renumbered by first appearance,
  /// instants relative to now, flights numbered from 1, rows that nothing can reach dropped.
  ///
  /// Two snapshots with equal canonical forms have equal futures. Idempotent. What an exploration knows snapshots by is
  /// held against it.
  func canonical(_ snapshot: Snapshot) -> Snapshot {
    var encoding = CanonicalEncoding(snapshot, of: flow)
    // It leaves out the rows that nobody can ask for again.
    var snapshot = encoding.keep(snapshot).snapshot
    var renumbering = Renumbering(snapshot, longest: flow.spans.last ?? .zero)
    renumbering.renumber(&snapshot)
    return snapshot
  }
}

/// Goes through a snapshot in one fixed order.
private struct Renumbering {
  private var renaming: Renaming
  private let shift: Duration
  private let now: Timestamp
  private var flights: [Int: Int] = [:]

  init(_ snapshot: Snapshot, longest: Duration) {
    (shift, now) = (Timestamp.start.since(snapshot.now), snapshot.now)
    // An instant that lies further back than anything is compared with is past, however far.
    let past = Timestamp.start.advanced(by: .zero - longest - .seconds(1))
    renaming = Renaming(shift: shift, past: past)
    for (index, flight) in snapshot.flights.enumerated() { flights[flight.number] = index + 1 }
  }

  mutating func renumber(_ snapshot: inout Snapshot) {
    snapshot.app.config = rename(snapshot.app.config)
    snapshot.app.store = rename(snapshot.app.store)
    if var run = snapshot.app.run {
      renumber(&run)
      snapshot.app.run = run
    }
    for index in snapshot.app.offers.indices {
      snapshot.app.offers[index].fields = rename(snapshot.app.offers[index].fields)
    }
    renumber(&snapshot.browser)
    for index in snapshot.inbox.indices { renumber(&snapshot.inbox[index]) }
    for index in snapshot.flights.indices { renumber(&snapshot.flights[index]) }
    for index in snapshot.exchanges.indices { renumber(&snapshot.exchanges[index]) }
    for index in snapshot.services.indices { snapshot.services[index] = rename(snapshot.services[index]) }
    snapshot.now = .start
    snapshot.flightsMade = snapshot.flights.count
    snapshot.transitionsNow = 0
    snapshot.mint.restart(fresh: renaming.freshCounts, identifiers: renaming.identifierCounts)
  }

  private mutating func rename(_ values: [Value]) -> [Value] { renaming.rename(values) }

  private mutating func rename(_ text: Text) -> Text { renaming.rename(text) }

  private mutating func rename(_ fields: [NamedValue]) -> [NamedValue] {
    var renamed = fields
    for index in renamed.indices { renamed[index].value = renaming.rename(renamed[index].value) }
    return renamed
  }

  private func moved(_ instant: Timestamp) -> Timestamp { instant.advanced(by: shift) ?? instant }

  private func number(_ flight: Int) -> Int { flights[flight] ?? 0 }

  private mutating func renumber(_ run: inout MachineRun) {
    run.memory = rename(run.memory)
    // Of timers that are due it counts alone which comes first.
    let due = run.levels.flatMap(\.timers).filter { $0.due <= now }.map(\.since)
    for index in run.levels.indices {
      var level = run.levels[index]
      for timer in level.timers.indices {
        let (instant, since) = (level.timers[timer].due, level.timers[timer].since)
        level.timers[timer].due = moved(instant)
        let rank = Duration.seconds(due.count { $0 < since })
        level.timers[timer].since = instant > now ? moved(since) : Timestamp.start.advanced(by: rank) ?? since
      }
      switch level.waiting {
      case .flight(let flight): level.waiting = .flight(number(flight))
      case .device(let input): level.waiting = .device(rename(input))
      case .retry(let due): level.waiting = .retry(due: moved(due))
      case .held(let until, let failure, let fields):
        level.waiting = .held(until: moved(until), failure: failure, rename(fields))
      case .entered, .events, .routine, .retryRoutine: break
      }
      level.lastResponse = level.lastResponse.map { rename($0) }
      run.levels[index] = level
    }
  }

  private mutating func renumber(_ browser: inout Browser) {
    for index in browser.jar.indices { browser.jar[index].value = renaming.rename(browser.jar[index].value) }
    switch browser.tab?.content {
    case .loading(let flight): browser.tab?.content = .loading(number(flight))
    case .page(var page):
      renumber(&page)
      browser.tab?.content = .page(page)
    case .unreachable(var asked):
      renumber(&asked.location)
      asked.form = asked.form.map { rename($0) }
      browser.tab?.content = .unreachable(asked)
    case .outside(var location):
      renumber(&location)
      browser.tab?.content = .outside(location)
    case nil: break
    }
  }

  private mutating func renumber(_ page: inout ShownPage) {
    let (title, text) = (rename(page.title), page.text.map { rename($0) })
    let forms = page.forms.map { form in
      var target = form.target
      renumber(&target)
      let examples = form.examples.map { example in example.map { renaming.rename($0) } }
      return ShownPage.Form(written: form.written, target: target, examples: examples)
    }
    let links = page.links.map { link in
      var target = link.target
      renumber(&target)
      return ShownPage.Link(name: link.name, title: link.title, target: target, refs: link.refs)
    }
    page = ShownPage(
      service: page.service, key: page.key, title: title, text: text, forms: forms, links: links, refs: page.refs)
  }

  private mutating func renumber(_ location: inout Location) {
    for index in location.path.indices { location.path[index] = rename(location.path[index]) }
    location.query = rename(location.query)
  }

  private mutating func renumber(_ mail: inout Mail) {
    mail.to = mail.to.map { rename($0) }
    mail.subject = mail.subject.map { rename($0) }
    mail.text = mail.text.map { rename($0) }
    for index in mail.links.indices { renumber(&mail.links[index].location) }
  }

  private mutating func renumber(_ flight: inout Flight) {
    flight.number = number(flight.number)
    flight.due = moved(flight.due)
    if case .exchange(let outer) = flight.caller { flight.caller = .exchange(number(outer)) }
    var request = flight.request.parts
    renumber(&request)
    flight.request = Request(request)
    guard case .held(let until, var answer, let reply, let refs) = flight.stage else { return }
    renumber(&answer)
    flight.stage = .held(until: moved(until), answer, reply: reply, refs: refs)
  }

  private mutating func renumber(_ request: inout Request.Parts) {
    for index in request.path.indices { request.path[index] = rename(request.path[index]) }
    request.query = rename(request.query)
    request.headers = rename(request.headers)
    request.bearer = request.bearer.map { rename($0) }
    request.cookies = rename(request.cookies)
    request.body = request.body.map { rename($0) }
  }

  private mutating func rename(_ body: Body) -> Body {
    switch body {
    case .json(let value): .json(renaming.rename(value))
    case .form(let fields): .form(rename(fields))
    case .text(let text): .text(rename(text))
    }
  }

  private mutating func renumber(_ answer: inout Answer) {
    guard case .response(let given) = answer else { return }
    var response = given.parts
    response.headers = rename(response.headers)
    response.cookies = rename(response.cookies)
    response.body = response.body.map { rename($0) }
    if var page = response.page {
      renumber(&page)
      response.page = page
    }
    if var location = response.location {
      renumber(&location)
      response.location = location
    }
    answer = .response(Response(response))
  }

  private mutating func renumber(_ exchange: inout Exchange) {
    exchange.flight = number(exchange.flight)
    exchange.request = rename(exchange.request)
    renumber(&exchange.run)
    for index in exchange.mail.indices { renumber(&exchange.mail[index]) }
  }
}
