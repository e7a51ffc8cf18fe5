import Expressions
import FlowSpec

/// Makes choices happen one by one, each to the point where every machine waits again.
///
/// It is large: what is often asked of it is `mutating` even where nothing changes, or all of it would be copied to be
/// looked at.
struct Step: ~Copyable {
  /// Who acts.
  enum Actor: Hashable {
    case app
    /// A service's exchange, by the number of the flight that it answers.
    case exchange(Int)
    /// A service at rest, by index: only to lay out what a scenario gives.
    case service(Int)
  }

  /// Why a step stops before its end.
  enum Stop: Error {
    case failed(Diagnostic)
    /// The kill that was asked for.
    case killed
  }

  let world: World
  var snapshot: Snapshot
  private(set) var isRecording: Bool
  /// What all of its choices led to.
  var happened = Record()
  var frame: Frame
  /// Whose view the frame holds: its store and memory are there, and not in the snapshot, until it is let go of.
  var looking: Actor?
  /// The service whose store the frame holds for an exchange.
  var serviceLookedAt = 0
  /// A store of a service was looked at since the choice began.
  var hasLookedAtService = false
  /// What `set` or `clear` is about to write.
  var writes: [Write] = []
  /// Durable writes of the app in this step.
  var durableWrites = 0
  /// The app came into a goal in this step.
  var enteredGoal = false
  /// The app asked a service, the device or the browser behind the last of them.
  var asksBehindWrites = false
  /// The kill strikes in place of the durable write, or of what the app asks for, after so many.
  var writesKept: Int?
  /// The states that were entered and the transitions that were taken; `nil` where nobody asks.
  var reached: Reached?
  /// Where a kill could cut the step off, by how many durable writes are kept then; `nil` where nobody asks.
  var cuts: [Cut]?
  /// The flight at whose answer the step stops, before anything becomes of it; `nil` where nobody asks.
  var stopsAtAnswerTo: Int?
  /// The answer at which it stopped.
  var stopped: (answer: Response, reply: String?, refs: [String])?
  /// What was settled for nobody, in order.
  var earlyTries: [EarlyTry] = []
  /// What `open` asked for; the browser begins to load when the step is over.
  var opening: (location: Location, refs: [String], site: Site)?
  /// Mail of the exchange whose answer is leaving.
  var outgoing: [Mail] = []
  /// The line of the answer or event that is being handled, to give it the ref of the transition it leads to.
  var cause: Int?
  /// Sources of the last transitions, once there are nearly too many of them at one instant.
  var lastStates: [State] = []
  /// Whose answer `response` is, an index into `Flow.participants`.
  var peer: Int?
  /// The line of the launch, until the first state takes it over.
  var launchLine: Int?

  var flow: Flow { world.flow }
  var lanes: Lanes { world.lanes }

  init(world: World, snapshot: consuming Snapshot, isRecording: Bool) {
    self.world = world
    frame = Frame(
      roots: Root.slots(device: Self.slots(of: snapshot.device), now: snapshot.now), mint: snapshot.mint)
    self.snapshot = snapshot
    self.isRecording = isRecording
    if isRecording { happened.reserve() }
  }

  /// The snapshot, and what happened.
  consuming func end() -> (Snapshot, Record) { (snapshot, happened) }

  /// What a choice led to, beside the snapshot and what happened.
  struct Report {
    var failure: Diagnostic?
    var kills: Range<Int>
    var enteredGoal: Bool
  }

  /// Goes on in another snapshot; what happened so far is told.
  mutating func restart(in snapshot: Snapshot, recording: Bool) {
    let (device, now) = (self.snapshot.device, self.snapshot.now)
    self.snapshot.become(snapshot)
    isRecording = recording
    if !happened.happenings.isEmpty { happened = Record() }
    if snapshot.device != device { lookAtDevice() }
    if snapshot.now != now { lookAtClock() }
  }

  /// Makes a choice happen; where it leads to the answer of the flight that is named, up to that.
  mutating func take(_ choice: Choice, stoppingAtAnswerTo flight: Int? = nil) -> Report {
    begin()
    stopsAtAnswerTo = flight
    return report { step throws(Stop) in
      do throws(Stop) {
        try step.make(choice)
        if step.stopped == nil { try step.finish() }
      } catch {
        guard case .killed = error else { throw error }
        step.kill(keeping: step.writesKept)
      }
    }
  }

  /// Runs all of the step that changes the snapshot, and settles what nobody waits for behind it.
  mutating func report(of part: (inout Step) throws(Stop) -> Void) -> Report {
    var failure: Diagnostic?
    do throws(Stop) {
      try part(&self)
      if stopped == nil { try settleOrphans() }
    } catch {
      if case .failed(let diagnostic) = error { failure = diagnostic }
    }
    swap(&frame.mint, &snapshot.mint)
    lookAway()
    return Report(
      failure: failure, kills: 0..<(asksBehindWrites ? durableWrites + 1 : durableWrites), enteredGoal: enteredGoal)
  }

  /// Forgets what the last choice led to; what is counted of one choice begins anew.
  mutating func begin() {
    // One of them holds the mint, so that it changes in place; the other is not looked at meanwhile.
    swap(&frame.mint, &snapshot.mint)
    frame.budget = Frame.usualBudget
    if !outgoing.isEmpty { outgoing = [] }
    if opening != nil { opening = nil }
    if !earlyTries.isEmpty { earlyTries = [] }
    (cause, peer, launchLine, writesKept, stopsAtAnswerTo) = (nil, nil, nil, nil, nil)
    (durableWrites, enteredGoal, asksBehindWrites, hasLookedAtService) = (0, false, false, false)
  }

  private mutating func make(_ choice: Choice) throws(Stop) {
    if choice.isFromOutside { snapshot.transitionsNow = 0 }
    switch choice {
    case .killed(let inner, let keeping):
      writesKept = keeping
      try make(inner)
    case .launch: try launch(from: lanes.person)
    // A kill of what does not run is nothing; an app that has ended is there still.
    case .kill: if snapshot.app.run != nil { kill(keeping: nil) }
    case .deliver(let flight, let reply, let fate): try deliver(flight, reply: reply, fate: fate)
    case .unreachable(let flight): try receive(.failure(.unreachable, reason: nil), flight: flight)
    case .receive(let flight, let answer, .held(let delay)): hold(answer, flight: flight, for: delay)
    case .receive(let flight, let answer, _): try receive(answer, flight: flight)
    case .perform(let failure, let fields): try performed(failure: failure, fields: fields)
    case .performLater(let delay, let failure, let fields): perform(after: delay, failure: failure, fields: fields)
    case .event(let event, let fields): try happen(event, fields: fields, from: lanes.actors[event])
    case .submit(let form, let fields): try submit(form, fields: fields)
    case .follow(let link): try follow(link)
    case .again: try again()
    case .closeBrowser: try closeBrowser()
    case .visit(let location): try visit(location)
    case .openMail(let mail, let link): try openMail(mail, link: link)
    case .offline: try goOffline()
    case .online: try goOnline()
    case .tick(let timers): try tick(timers: timers)
    case .clock(let instant): moveClock(to: instant)
    }
  }

  /// What stands at the end of every step: offers, and the page that was asked for.
  mutating func finish() throws(Stop) {
    try offerWhatWaits()
    // What is opened may be the app's own redirect URI, whose event may open the next page.
    while let opening {
      try askBehindWrites()
      self.opening = nil
      if isRecording {
        record(.open(from: lanes.app, to: lanes.browser, url: opening.location), refs: opening.refs)
      }
      try load(opening.location, site: opening.site)
      try offerWhatWaits()
    }
  }

  mutating func record(_ fact: consuming Happening.Fact, refs: consuming [String] = []) {
    guard isRecording else { return }
    happened.happenings.append(Happening(at: snapshot.now, refs: refs, fact: fact))
  }

  mutating func lane(of actor: Actor) -> Int {
    switch actor {
    case .app: lanes.app
    case .exchange(let flight): lanes.services[service(ofExchange: flight)]
    case .service(let service): lanes.services[service]
    }
  }

  @inline(__always)
  func machine(of actor: Actor) -> Machine {
    switch actor {
    case .app: return flow.app
    case .exchange(let flight): return machine(ofService: service(ofExchange: flight))
    case .service(let service): return machine(ofService: service)
    }
  }

  @inline(__always)
  func machine(ofService service: Int) -> Machine {
    guard let model = flow.services[service].model else {
      preconditionFailure("only a service that has a model acts")
    }
    return model.machine
  }

  /// The place of the exchange that answers a flight; `nil` when it is not under way any more.
  @inline(__always)
  func index(ofExchange flight: Int) -> Int? {
    // Exchanges are big: none is copied to be looked at.
    for index in snapshot.exchanges.indices where snapshot.exchanges[index].flight == flight { return index }
    return nil
  }

  @inline(__always)
  func service(ofExchange flight: Int) -> Int { snapshot.exchanges[knownIndex(ofExchange: flight)].service }

  @inline(__always)
  private func knownIndex(ofExchange flight: Int) -> Int {
    guard let index = index(ofExchange: flight) else {
      preconditionFailure("an exchange is asked for only while it is under way")
    }
    return index
  }

  @inline(__always)
  func index(ofFlight number: Int) -> Int? {
    for index in snapshot.flights.indices where snapshot.flights[index].number == number { return index }
    return nil
  }

  /// The active routines of an actor, none when it is not running, or not any more.
  @inline(__always)
  func levels(of actor: Actor) -> [Level] {
    switch actor {
    case .app: return snapshot.app.run?.levels ?? []
    case .exchange(let flight):
      guard let index = index(ofExchange: flight) else { return [] }
      return snapshot.exchanges[index].run.levels
    case .service: return []
    }
  }

  /// Changes the run of an actor, or looks at it where it stands; `nil` when it is not running any more.
  @inline(__always)
  @discardableResult
  mutating func change<Result>(_ actor: Actor, _ body: (inout MachineRun) -> Result) -> Result? {
    switch actor {
    case .app: return snapshot.app.run?.change(body)
    case .exchange(let flight):
      guard let index = index(ofExchange: flight) else { return nil }
      return body(&snapshot.exchanges[index].run)
    case .service: return nil
    }
  }

  /// The innermost active state on a level.
  mutating func leaf(of actor: Actor, level: Int) -> Int { change(actor) { $0.levels[level].leaf } ?? 0 }

  @inline(__always)
  mutating func change(_ actor: Actor, level: Int, _ body: (inout Level) -> Void) {
    change(actor) { run in
      guard run.levels.indices.contains(level) else { return }
      body(&run.levels[level])
    }
  }
}

extension MachineRun {
  /// In place: a run that is copied first would copy what it holds when it changes.
  @inline(__always)
  fileprivate mutating func change<Result>(_ body: (inout MachineRun) -> Result) -> Result { body(&self) }
}
