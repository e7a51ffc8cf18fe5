import Expressions
import FlowSpec

/// Writes a snapshot in one fixed order and with nothing that only counts: fresh values and identifiers by first
/// appearance, instants relative to now, flights from 1, rows that nothing can reach left out.
///
/// Each part is written by itself, so that it can be taken over where it is as it was in the snapshot before; of the
/// whole the parts' fingerprints are written, with what each of them made and named as the whole counts it. What a run
/// cannot change is left out: the app's `config`, the platform, what a model says of a page, counters.
struct CanonicalEncoding {
  /// Which parts a snapshot has, by their places in `places`.
  enum PartIndex {
    static let store = 0
    static let memory = 1
    static let tab = 2
    static let jar = 3
    static let inbox = 4
    static func request(of flight: Int) -> Int { 5 + 2 * flight }
    static func answer(to flight: Int) -> Int { 6 + 2 * flight }
    /// The first of the services.
    static func services(of snapshot: Snapshot) -> Int { request(of: snapshot.flights.count) }
    static func outlastsKill(_ place: Int) -> Bool { place == store || place == jar || place == inbox }
    /// Of what the snapshot has not.
    static let none: UInt64 = 0
  }

  /// The part that is being made.
  var part = EncodedPart()
  var whole = EncodedWhole()
  var parts = EncodedParts()
  var recent = RecentStores()
  /// What is written of every answer to a flight of the snapshot that was asked in last.
  var asked: (base: EncodedSnapshot, writer: FingerprintWriter)?
  /// Where the parts of the snapshot begin.
  var places: [UInt64] = []
  let tables: ServiceTables
  /// Of fresh values and identifiers, as they were met.
  private(set) var names: [(name: String, fingerprint: Fingerprint)] = []
  /// The last one of that length, -1 for none; counted round.
  private var nameByLength = Array(repeating: Int32(-1), count: 32)
  let isRounding: Bool
  /// Of more words of parts than these, or of an eighth as many of services' stores, both begin anew.
  let most: Int
  /// An instant that lies so far from now is past, however far: further than anything is compared with.
  private let reach: Interval
  /// So far behind a stored instant something may read differently, or what begins then may end where it does.
  private let turns: [Interval]
  /// As if each snapshot kept them.
  private let instants: [Timestamp]
  private(set) var now = Timestamp.start
  /// The latest instant that is past, since 1970.
  private(set) var past: Interval
  /// By their numbers.
  private var flights = Pile<Int>()

  init(of flow: Flow, times: Times? = nil, isRounding: Bool = true, most: Int = 1 << 23) {
    let times = times ?? Times(spans: flow.spans)
    (self.isRounding, self.most, instants) = (isRounding, most, times.instants)
    reach = Interval(.zero - (times.spans.max() ?? .zero) - .seconds(1))
    let behind = times.spans.map { $0 + .seconds(1) }
    // One comparison comes out otherwise from the instant on, another behind it. What lies farther ahead is rounded, and
    // these would be one snapshot.
    let exact = times.spans.filter { $0 >= .seconds(-Interval.near) }
    // What begins a second later ends behind the turn.
    let ends = times.waits.flatMap { wait in behind.map { $0 + .seconds(1) - wait } }
    turns = (exact + behind + ends).map(Interval.init)
    tables = ServiceTables(flow.services)
    past = Interval(now) + reach
  }

  init(_ snapshot: Snapshot, of flow: Flow, times: Times? = nil, isRounding: Bool = true) {
    self.init(of: flow, times: times, isRounding: isRounding)
    encode(snapshot, after: nil)
  }

  var writer: FingerprintWriter {
    @inline(__always) _read { yield part.writer }
    @inline(__always) _modify { yield &part.writer }
  }

  var fingerprint: Fingerprint { whole.all.writer.fingerprint }

  /// Begins anew with another snapshot, seen from its own or another instant; what is as it was before is not looked
  /// through again.
  mutating func encode(_ snapshot: Snapshot, at instant: Timestamp? = nil, after base: EncodedSnapshot?) {
    part.empty()
    places.removeAll(keepingCapacity: true)
    flights.empty()
    for index in snapshot.flights.indices { flights.append(snapshot.flights[index].number) }
    turn(to: instant ?? snapshot.now)
    writer.word(
      (snapshot.device.online ? 1 : 0) | (snapshot.app.run == nil ? 0 : 2) | (snapshot.browser.tab == nil ? 0 : 4))
    add(snapshot.app)
    add(snapshot.flights)
    add(snapshot.exchanges)
    writer.int(snapshot.browser.jar.count)
    writer.int(snapshot.inbox.count)
    // What was written so far changes with most steps, and begins the whole.
    swap(&part, &whole.all)
    placeValues(of: snapshot.app, after: base)
    place(snapshot.browser, after: base)
    place(inbox: snapshot.inbox, after: base)
    place(snapshot.flights, after: base)
    add(services: snapshot.services, after: base)
    whole.addInstants(seenFrom: now, isRounding: isRounding)
  }

  /// What is written from now on is seen from an instant.
  mutating func turn(to instant: Timestamp) {
    if instant == now { return }
    now = instant
    past = Interval(now) + reach
  }

  /// The next instant at which something may read differently: where a stored one matters and just behind that, and not so
  /// soon that this is the same snapshot still.
  var nextTurn: Timestamp? {
    var first: Interval?
    let still = isRounding ? whole.still(seenFrom: now) : .zero
    for index in whole.all.instants.indices { take(&first, behind: whole.all.instants[index], after: still) }
    for index in 0..<whole.stores.instants { take(&first, behind: whole.stores.instant(at: index), after: still) }
    return first.map { Interval(now) + $0 }.flatMap { Timestamp(seconds: $0.seconds, nanoseconds: $0.nanoseconds) }
  }

  private func take(_ first: inout Interval?, behind instant: EncodedPart.Instant, after still: Interval) {
    if !instant.isStored { return }
    let ahead = Interval(from: now, to: instant)
    for turn in turns {
      let turn = ahead + turn
      if turn > still, first.map({ turn < $0 }) ?? true { first = turn }
    }
  }

  /// A number for a name, the same for the same name.
  mutating func number(of name: String) -> Int32 {
    // Few names are as long as another.
    let place = name.utf8.count & (nameByLength.count - 1)
    let usual = nameByLength[place]
    if usual >= 0, names[Int(usual)].name == name { return usual }
    let number = names.firstIndex { $0.name == name } ?? names.count
    if number == names.count {
      var writer = FingerprintWriter()
      writer.text(name)
      names.append((name, writer.fingerprint))
    }
    nameByLength[place] = Int32(number)
    return Int32(number)
  }

  mutating func add(stored instant: Timestamp) {
    let instant = EncodedPart.Instant(instant, isStored: true)
    writer.int(instant.isPast(past) ? -1 : part.number(of: instant))
  }

  /// Where a flight stands, -1 when it is not under way any more.
  func index(ofFlight number: Int) -> Int { flights.indices.first { flights[$0] == number } ?? -1 }

  mutating func add(plain string: String?) {
    writer.word(string == nil ? 0 : 1)
    if let string { writer.text(string) }
  }

  private mutating func placeValues(of app: App, after base: EncodedSnapshot?) {
    let isSame = base?.snapshot.app.store.isIdentical(to: app.store) ?? false
    place(PartIndex.store, of: isSame ? base : nil) { encoding in
      encoding.add(app.store)
      for instant in encoding.instants { encoding.add(stored: instant) }
    }
    guard let memory = app.run?.memory else { return places.append(PartIndex.none) }
    let isSameMemory = base?.snapshot.app.run?.memory.isIdentical(to: memory) ?? false
    place(PartIndex.memory, of: isSameMemory ? base : nil) { $0.add(memory) }
  }

  private mutating func add(_ app: App) {
    if let run = app.run { add(run.levels) }
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

  mutating func add(_ levels: [Level]) {
    writer.int(levels.count)
    // Levels are big: none is copied to be looked at.
    for index in levels.indices {
      writer.int(levels[index].routine)
      writer.int(levels[index].leaf)
      writer.int(levels[index].timers.count)
      for timer in levels[index].timers {
        writer.int(timer.state)
        writer.int(timer.index)
        writer.int(part.number(of: EncodedPart.Instant(timer.due, isStored: false)))
        // How long it is overdue nothing asks, only which comes first.
        if timer.due <= now { writer.int(levels.dueTimers(before: timer, at: now)) }
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
      writer.int(index(ofFlight: number))
    case .device(let input):
      writer.word(3)
      add(input)
    case .retry(let due):
      writer.word(4)
      writer.add(Interval(from: now, to: due))
    case .routine: writer.word(5)
    case .retryRoutine: writer.word(6)
    case .held(let until, let failure, let fields):
      writer.word(7)
      writer.add(Interval(from: now, to: until))
      writer.text(failure ?? "")
      add(fields)
    }
  }
}
