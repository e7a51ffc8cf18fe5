import Expressions
import FlowSpec

/// Writes a snapshot in one fixed order, as `canonical` knows it: fresh values and identifiers by first appearance,
/// instants relative to now, flights from 1, rows that nothing can reach left out.
///
/// What a run cannot change is left out too: the app's `config`, what a model says of a page, counters.
struct CanonicalEncoding {
  struct Made {
    var isFresh: Bool
    var number: Int
    var name: String
  }

  var writer = FingerprintWriter()
  /// Fresh values and identifiers in the order in which they appeared.
  var made: [Made] = []
  /// Instants that are stored and not past, and those of timers, in the order in which they appeared.
  private var instants: [Timestamp] = []
  /// Stored instants that are not past.
  private(set) var stored: [Timestamp] = []
  private let now: Timestamp
  /// An instant that lies further back than anything is compared with is past, however far.
  private let past: Timestamp?
  private var flights: [Int] = []

  init(_ snapshot: Snapshot, of flow: Flow, isRounding: Bool = true) {
    now = snapshot.now
    past = snapshot.now.advanced(by: .zero - (flow.spans.last ?? .zero) - .seconds(1))
    flights = snapshot.flights.map(\.number)
    writer.word(snapshot.device.online ? 1 : 0)
    writer.word(snapshot.device.native ? 1 : 0)
    writer.text(snapshot.device.platform)
    add(snapshot.app)
    add(snapshot.browser)
    add(inbox: snapshot.inbox)
    writer.int(snapshot.flights.count)
    for flight in snapshot.flights { add(flight) }
    writer.int(snapshot.exchanges.count)
    for exchange in snapshot.exchanges { add(exchange) }
    add(services: snapshot.services, of: flow)
    addInstants(isRounding: isRounding)
  }

  mutating func add(stored instant: Timestamp) {
    if let past, instant <= past { return writer.int(-1) }
    if !stored.contains(instant) { stored.append(instant) }
    add(seen: instant)
  }

  /// An instant stands where it appeared for the first time; when it is, is said at the end.
  private mutating func add(seen instant: Timestamp) {
    if let index = instants.firstIndex(of: instant) { return writer.int(index) }
    writer.int(instants.count)
    instants.append(instant)
  }

  private mutating func addInstants(isRounding: Bool) {
    guard !instants.isEmpty else { return }
    let spans = instants.map { $0.since(now) }
    for span in isRounding ? spans.roundedAhead : spans { add(span) }
  }

  private mutating func add(_ instant: Timestamp) { add(instant.since(now)) }

  private mutating func add(flight number: Int) { writer.int(flights.firstIndex(of: number) ?? -1) }

  mutating func add(plain string: String?) {
    writer.word(string == nil ? 0 : 1)
    if let string { writer.text(string) }
  }

  private mutating func add(_ app: App) {
    add(app.store)
    writer.word(app.run == nil ? 0 : 1)
    if let run = app.run { add(run) }
    add(plain: app.ended)
    writer.int(app.offers.count)
    for offer in app.offers {
      writer.int(offer.event)
      add(offer.fields)
      writer.int(offer.from)
    }
    writer.int(app.unheard?.event ?? -1)
    writer.word(app.unheard?.isDue ?? false ? 1 : 0)
  }

  private mutating func add(_ run: MachineRun) {
    add(run.memory)
    writer.int(run.levels.count)
    for level in run.levels {
      writer.int(level.routine)
      writer.int(level.leaf)
      writer.int(level.timers.count)
      for timer in level.timers {
        writer.int(timer.state)
        writer.int(timer.index)
        add(seen: timer.due)
      }
      add(level.waiting)
      writer.int(level.attempts)
      writer.word(level.lastResponse == nil ? 0 : 1)
      if let response = level.lastResponse { add(response) }
      add(plain: level.callEnded)
    }
  }

  private mutating func add(_ waiting: Waiting) {
    switch waiting {
    case .entered: writer.word(0)
    case .events: writer.word(1)
    case .flight(let number):
      writer.word(2)
      add(flight: number)
    case .device(let input):
      writer.word(3)
      add(input)
    case .retry(let due):
      writer.word(4)
      add(due)
    case .routine: writer.word(5)
    case .retryRoutine: writer.word(6)
    }
  }

  private mutating func add(_ browser: Browser) {
    writer.int(browser.jar.count)
    for cookie in browser.jar {
      writer.int(cookie.service)
      writer.text(cookie.name)
      add(cookie.value)
    }
    guard let tab = browser.tab else { return writer.int(-1) }
    writer.int(tab.redirects)
    switch tab.content {
    case .loading(let number):
      writer.word(0)
      add(flight: number)
    case .page(let page):
      writer.word(1)
      add(page)
    case .unreachable(let asked):
      writer.word(2)
      add(asked.location)
      writer.text(asked.method)
      writer.word(asked.form == nil ? 0 : 1)
      if let form = asked.form { add(form) }
    case .outside(let location):
      writer.word(3)
      add(location)
    }
  }

  private mutating func add(_ flight: Flight) {
    switch flight.caller {
    case .app: writer.word(0)
    case .browser: writer.word(1)
    case .nobody: writer.word(2)
    case .exchange(let outer):
      writer.word(3)
      add(flight: outer)
    }
    writer.int(flight.from)
    add(flight.request)
    writer.int(flight.route ?? -1)
    add(flight.stage)
    switch flight.fate {
    case .arrives: writer.word(0)
    case .lost: writer.word(1)
    case .held(let delay):
      writer.word(2)
      add(delay)
    }
    add(flight.due)
  }

  private mutating func add(_ stage: Flight.Stage) {
    switch stage {
    case .sent: writer.word(0)
    case .serving: writer.word(1)
    case .held(let until, let answer, let reply, _):
      writer.word(2)
      add(until)
      add(answer)
      add(plain: reply)
    case .lost: writer.word(3)
    }
  }

  private mutating func add(_ exchange: Exchange) {
    add(flight: exchange.flight)
    writer.int(exchange.service)
    add(exchange.request)
    add(exchange.run)
    add(plain: exchange.wanted)
    writer.int(exchange.mail.count)
    for mail in exchange.mail { add(mail) }
  }
}
