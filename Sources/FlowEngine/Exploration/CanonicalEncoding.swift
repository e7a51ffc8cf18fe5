import Expressions
import FlowSpec

/// Writes a snapshot in one fixed order, as `canonical` knows it: fresh values and identifiers by first appearance,
/// instants relative to now, flights from 1, rows that nothing can reach left out.
///
/// What a run cannot change is left out too: the app's `config`, what a model says of a page, counters.
struct CanonicalEncoding {
  struct Made: Equatable {
    var number: Int
    /// Index into `names`.
    var name: Int32
    var isFresh: Bool
  }

  /// What is written, and what is counted on the way.
  struct Scope {
    var writer = FingerprintWriter()
    /// Fresh values and identifiers in the order in which they appeared.
    var made: [Made] = []
    /// Instants that are stored and not past, and those of timers, in the order in which they appeared.
    var instants: [Timestamp] = []
    /// Stored instants that are not past.
    var stored: [Timestamp] = []
    /// The latest stored instant that is past.
    var lastPast: Timestamp?

    /// Begins anew in the same room.
    mutating func empty() {
      writer = FingerprintWriter()
      if !made.isEmpty { made.removeAll(keepingCapacity: true) }
      if !instants.isEmpty { instants.removeAll(keepingCapacity: true) }
      if !stored.isEmpty { stored.removeAll(keepingCapacity: true) }
      lastPast = nil
    }
  }

  var scope = Scope()
  /// For a part, of which there is one at a time.
  var spare = Scope()
  /// What the last snapshot was made of.
  var parts = EncodedParts()
  let tables: [ServiceTables]
  /// How the services' stores were written.
  var section = ServiceSection()
  /// Rows that nothing holds so far: room that is used again.
  var waiting: [(service: Int, row: Int)] = []
  /// Of fresh values and identifiers, as they were met.
  private var names: [String] = []
  /// The last one of that length, -1 for none; counted round.
  private var nameByLength = Array(repeating: Int32(-1), count: 32)
  private let isRounding: Bool
  /// An instant that lies so far back is past, however far: further than anything is compared with.
  private let reach: Duration
  private var now = Timestamp.start
  private(set) var past: Timestamp?
  private var flights: [Int] = []
  /// Room that is used again.
  private var spans: [Span] = []
  private var order: [Int] = []

  init(of flow: Flow, isRounding: Bool = true) {
    self.isRounding = isRounding
    reach = (flow.spans.last ?? .zero) + .seconds(1)
    tables = flow.services.map(ServiceTables.init)
    past = now.advanced(by: .zero - reach)
  }

  init(_ snapshot: Snapshot, of flow: Flow, isRounding: Bool = true) {
    self.init(of: flow, isRounding: isRounding)
    encode(snapshot, after: nil)
  }

  var fingerprint: Fingerprint { scope.writer.fingerprint }

  var writer: FingerprintWriter {
    _read { yield scope.writer }
    _modify { yield &scope.writer }
  }

  /// Begins anew with another snapshot; what is as it was before is not looked through again.
  mutating func encode(_ snapshot: Snapshot, after base: EncodedSnapshot?) {
    begin(snapshot.now)
    flights.removeAll(keepingCapacity: true)
    for index in snapshot.flights.indices { flights.append(snapshot.flights[index].number) }
    writer.word((snapshot.device.online ? 1 : 0) | (snapshot.device.native ? 2 : 0))
    writer.text(snapshot.device.platform)
    add(snapshot.app, after: base)
    add(snapshot.browser, after: base)
    add(inbox: snapshot.inbox, after: base)
    writer.int(snapshot.flights.count)
    add(snapshot.flights, after: base)
    writer.int(snapshot.exchanges.count)
    for index in snapshot.exchanges.indices { add(snapshot.exchanges[index]) }
    add(services: snapshot.services, after: base)
    addInstants()
  }

  private mutating func begin(_ instant: Timestamp) {
    scope.empty()
    if instant == now { return }
    now = instant
    past = now.advanced(by: .zero - reach)
  }

  /// A number for a name, the same for the same name.
  mutating func number(of name: String) -> Int32 {
    // Few names are as long as another.
    let place = name.utf8.count & (nameByLength.count - 1)
    let usual = nameByLength[place]
    if usual >= 0, names[Int(usual)] == name { return usual }
    let number = names.firstIndex(of: name) ?? names.count
    if number == names.count { names.append(name) }
    nameByLength[place] = Int32(number)
    return Int32(number)
  }

  mutating func add(stored instant: Timestamp) {
    if let past, instant <= past {
      scope.lastPast = max(scope.lastPast ?? instant, instant)
      return writer.int(-1)
    }
    if !scope.stored.contains(instant) { scope.stored.append(instant) }
    add(seen: instant)
  }

  /// An instant stands where it appeared for the first time; when it is, is said at the end.
  private mutating func add(seen instant: Timestamp) {
    if let index = scope.instants.firstIndex(of: instant) { return writer.int(index) }
    writer.int(scope.instants.count)
    scope.instants.append(instant)
  }

  private mutating func addInstants() {
    spans.removeAll(keepingCapacity: true)
    for instant in scope.instants { spans.append(Span(from: now, to: instant)) }
    if isRounding { spans.roundAhead(&order) }
    for span in spans { add(span) }
  }

  private mutating func add(_ instant: Timestamp) { add(Span(from: now, to: instant)) }

  private mutating func add(_ span: Span) {
    writer.word(UInt64(bitPattern: span.seconds))
    writer.int(Int(span.nanoseconds))
  }

  private mutating func add(flight number: Int) { writer.int(flights.firstIndex(of: number) ?? -1) }

  mutating func add(plain string: String?) {
    writer.word(string == nil ? 0 : 1)
    if let string { writer.text(string) }
  }

  private mutating func add(_ app: App, after base: EncodedSnapshot?) {
    parts.store = add(app.store, like: base?.snapshot.app.store, base?.parts.store)
    writer.word(app.run == nil ? 0 : 1)
    if let run = app.run {
      parts.memory = add(run.memory, like: base?.snapshot.app.run?.memory, base?.parts.memory)
      add(run.levels)
    } else {
      parts.memory = nil
    }
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

  private mutating func add(_ levels: [Level]) {
    writer.int(levels.count)
    // Levels are big: none is copied to be looked at.
    for index in levels.indices {
      writer.int(levels[index].routine)
      writer.int(levels[index].leaf)
      writer.int(levels[index].timers.count)
      for timer in levels[index].timers {
        writer.int(timer.state)
        writer.int(timer.index)
        add(seen: timer.due)
      }
      add(levels[index].waiting)
      writer.int(levels[index].attempts)
      writer.word(levels[index].lastResponse == nil ? 0 : 1)
      if let response = levels[index].lastResponse { add(response) }
      add(plain: levels[index].callEnded)
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

  private mutating func add(_ browser: Browser, after base: EncodedSnapshot?) {
    addJar(browser.jar, after: base)
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

  private mutating func add(_ flights: [Flight], after base: EncodedSnapshot?) {
    parts.requests.removeAll(keepingCapacity: true)
    for index in flights.indices {
      let request = part(of: flights[index].request, after: base)
      parts.requests.append(request)
      add(flights[index], request: request)
    }
  }

  private mutating func add(_ flight: Flight, request: EncodedPart) {
    switch flight.caller {
    case .app: writer.word(0)
    case .browser: writer.word(1)
    case .nobody: writer.word(2)
    case .exchange(let outer):
      writer.word(3)
      add(flight: outer)
    }
    writer.int(flight.from)
    add(request)
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
    add(exchange.run.memory)
    add(exchange.run.levels)
    add(plain: exchange.wanted)
    writer.int(exchange.mail.count)
    for mail in exchange.mail { add(mail) }
  }
}
