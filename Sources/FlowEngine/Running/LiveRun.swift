import Expressions
import FlowSpec

/// A run that is led from outside: by real time, by people, by what is live of its world.
///
/// What is simulated goes on by itself: behind every choice everything happens that can be delivered at that instant.
package struct LiveRun: Sendable {
  /// What has come of it.
  package enum Effect: Sendable {
    /// The app's store, which has to be kept before anything behind this is done.
    case stored([Value])
    case happened(Happening)
    /// A real browser has to open this address.
    case opened(Text)
    /// What the app opened there is not needed any more.
    case closed
  }

  package let world: World
  package private(set) var snapshot: Snapshot
  /// Why it cannot go on.
  package private(set) var failure: Diagnostic?
  /// Whether it has said how it ended: nothing happens any more.
  private var isOver = false
  /// Whether nothing that is told to it can lead to anything any more.
  package var hasEnded: Bool { isOver || failure != nil || snapshot.app.ended != nil }
  private var effects: [Effect] = []
  /// Addresses that opened the app behind the one that has launched it, until it waits for them.
  private var visits: ArraySlice<Location> = []
  /// Whether it was launched and has waited for nothing that is told to it yet.
  private var isLaunching = false
  /// How often the app has asked the device for something.
  package private(set) var asks = 0
  private var faults = FaultCounter()
  /// Whether a person chooses, who cannot know whether a try can be answered as they wish.
  private var isByHand = false
  private let startedAt: Timestamp
  /// How long each live request may take that has not gone out yet, by number: none of it has passed.
  private var unsent: [Int: Duration] = [:]
  /// Whether it ends with an error where the run of a scenario does, for its length.
  package var isLimited = false
  /// Time passes, and what fell due on the way happens.
  private var isAdvancing = false
  private var choicesTaken = 0
  private var happeningsTold = 0
  /// What notes all that happens to it; `nil` where nobody asks.
  package var recording: Recording?

  /// `scenario` is the one that it goes on after, `nil` for none.
  package init(_ world: World, from snapshot: Snapshot, after scenario: String? = nil) {
    (self.world, self.snapshot) = (world, snapshot)
    startedAt = snapshot.now
    guard let scenario else { return }
    effects.append(.happened(Happening(at: snapshot.now, refs: [], fact: .resumed(scenario: scenario))))
  }

  /// Makes a choice happen, and all that follows from it at this instant; gives what the choice itself led to.
  @discardableResult
  package mutating func take(_ choice: Choice) -> [Happening] {
    guard !isOver, failure == nil else { return [] }
    let happenings = step(choice)
    settle()
    return happenings
  }

  /// Launches the app, by the first of these addresses if there is one; the others come in one by one, each as soon as a
  /// state waits for no answer.
  package mutating func launch(by addresses: [Location]) {
    (visits, isLaunching) = (addresses.dropFirst(), true)
    take(addresses.first.map { .visit($0) } ?? .launch)
  }

  /// An address leads to the app: until the launch has come to rest it waits for that, as those that have launched it,
  /// unless a page is open that it may come back from.
  package mutating func visit(_ address: Location) -> [Happening] {
    guard isLaunching, snapshot.app.isRunning, snapshot.browser.tab == nil else { return take(.visit(address)) }
    visits.append(address)
    return []
  }

  /// From now on something goes wrong with what is simulated.
  ///
  /// What a person chooses takes the place of what they chose for this request before, and a reply waits for a try that
  /// it can be given to.
  package mutating func arm(_ fault: Scenario.Fault, byHand: Bool) {
    isByHand = byHand
    if byHand { faults.forgetIdle(fault.target) }
    faults.add(fault)
  }

  /// What a person has chosen for this and has not struck yet goes as usual again.
  package mutating func disarm(_ target: Scenario.Fault.Target) { faults.forgetIdle(target) }

  /// What is to go wrong and has not yet, with words for it.
  package var armed: [(target: Scenario.Fault.Target, words: String)] {
    faults.idle.map { ($0.fault.target, $0.fault.words(in: world.flow)) }
  }

  /// The same as what is wrong with a run that is over.
  package var idleFaults: [Diagnostic] {
    let timer = timerStillSet
    return faults.idle.map { .faultNeverStruck($0, timer: timer, in: world.flow) }
  }

  /// Says of the app's timer that goes off next how a script lets it; `nil` where none is set.
  package var timerStillSet: String? { world.timerStillSet(in: snapshot, since: startedAt) }

  /// The page that is open in a real browser counts as closed, which nobody has told; `reason` says why.
  package mutating func givePageUp(because reason: String) {
    guard !isOver, failure == nil, case .outside? = snapshot.browser.tab?.content else { return }
    step(.closeBrowser, because: reason)
    settle()
  }

  /// Time has come to an instant: what falls due on the way happens, each at its own time.
  ///
  /// An instant that has passed already is no news: the clock never goes back.
  ///
  /// - Returns: Whether all of it has happened; `false` when it stopped on the way, behind the `most` that may.
  @discardableResult
  package mutating func advance(to instant: Timestamp, most: Int = .max) -> Bool {
    guard !isOver else { return true }
    var left = most
    isAdvancing = true
    defer { isAdvancing = false }
    while failure == nil, let due = nextDue, due <= instant {
      guard left > 0 else { return false }
      left -= 1
      take(.tick(timers: true))
    }
    if failure == nil, snapshot.now < instant { take(.clock(to: instant)) }
    return true
  }

  /// The answer to a live request has come by an instant, if somebody waits for it.
  ///
  /// It has come before whatever fell due meanwhile: nobody knows how long it was there while the machine slept, and the
  /// server has done what it says. That there is none is said by the time-out where that is over.
  package mutating func receive(_ answer: Answer, for number: Int, by instant: Timestamp) {
    guard !isOver, failure == nil, let flight = request(number) else { return }
    if case .failure = answer, flight.due <= instant { return }
    let due = nextDue.flatMap { $0 <= instant ? $0 : nil }
    if snapshot.now < due ?? instant { step(.clock(to: due ?? instant)) }
    guard failure == nil else { return }
    step(.receive(flight: number, answer))
    settle(letsTimePass: due == nil)
  }

  /// A live request goes out, and its time begins; `nil` when it was given up before.
  ///
  /// That may be long after the flow has made it: the machine slept, or the store had to be kept first.
  package mutating func send(_ number: Int, at instant: Timestamp?) -> (flight: Flight, timeout: Duration)? {
    guard let timeout = unsent.removeValue(forKey: number),
      let index = snapshot.flights.firstIndex(where: { $0.number == number })
    else { return nil }
    let start = max(instant ?? snapshot.now, snapshot.now)
    snapshot.flights[index].due = start.advanced(by: timeout) ?? start
    return (snapshot.flights[index], timeout)
  }

  /// What has come of it since it was last asked, in order.
  package mutating func takeEffects() -> [Effect] { exchange(&effects, with: []) }

  /// Says how it ended, as the last that happens: live requests that are under way are cut off.
  ///
  /// Of one that has not gone out, as it was refused, there is nothing to say: no server can have acted on it.
  package mutating func end() {
    guard !isOver else { return }
    isOver = true
    let sent = snapshot.flights.filter { world.isLive($0.request.service) && unsent[$0.number] == nil }
    for flight in sent {
      effects.append(.happened(Happening(at: snapshot.now, refs: [], fact: .cutOff(flight, to: world))))
    }
    if failure != nil || snapshot.app.ended != nil, case .outside? = snapshot.browser.tab?.content {
      effects.append(.closed)
    }
    let how = failure.map { .error($0.message) } ?? snapshot.stop(of: world.flow)
    effects.append(
      .happened(Happening(at: snapshot.now, refs: [], fact: .ended(Ended(lane: world.lanes.app, how: how)))))
  }

  /// Lets everything happen that can be delivered at this instant; without what time brings, where it is not let pass.
  package mutating func settle(letsTimePass: Bool = true) {
    while failure == nil {
      if let orphan = world.indexOfSentOrphan(in: snapshot) {
        deliver(snapshot.flights[orphan])
      } else if let address = visits.first, snapshot.app.isAtRest {
        visits.removeFirst()
        step(.visit(address))
      } else if let flight = snapshot.flights.first(where: canBeDelivered) {
        deliver(flight)
      } else if !world.outside.device, let (capability, input) = world.asked(in: snapshot) {
        let fault = strike(faults.faults(for: capability))
        step(world.performance(of: capability, input: input, fault, in: snapshot))
      } else if letsTimePass, let due = nextDue, due <= snapshot.now {
        step(.tick(timers: true))
      } else {
        if snapshot.app.isAtRest { isLaunching = false }
        return
      }
    }
  }

  private mutating func deliver(_ flight: Flight) {
    let fault = strike(struck(flight))
    step(world.delivery(of: flight, fault, in: snapshot))
  }

  private func canBeDelivered(_ flight: Flight) -> Bool {
    flight.stage == .sent && (!world.isLive(flight.request.service) || flight.isCutOff(by: snapshot.device))
  }

  /// The faults that strike this try; what a person has asked for and cannot be given now goes on waiting.
  private mutating func struck(_ flight: Flight) -> [Scenario.Fault] {
    let before = faults
    let struck = faults.faults(for: flight, isCutOff: flight.isCutOff(by: snapshot.device))
    guard isByHand, !struck.isEmpty,
      case .success(let choice) = world.delivery(of: flight, struck.first, in: snapshot),
      world.take(choice, in: snapshot, recording: false).failure?.isOfReplyAskedFor == true
    else { return struck }
    faults = before
    return []
  }

  /// Tells of a fault that strikes; two for one try are an error.
  private mutating func strike(_ struck: [Scenario.Fault]) -> Scenario.Fault? {
    if struck.count > 1 { failure = .twoFaults(struck) }
    guard failure == nil, let fault = struck.first else { return nil }
    let fact = Happening.Fact.fault(fault.words(in: world.flow))
    effects.append(.happened(Happening(at: snapshot.now, refs: [], fact: fact)))
    return fault
  }

  /// Nothing happens any more behind an error.
  private mutating func step(_ choice: Result<Choice, Refusal>) {
    guard failure == nil else { return }
    switch choice {
    case .success(let choice): step(choice)
    case .failure(let refusal): failure = refusal.diagnostic
    }
  }

  @discardableResult
  private mutating func step(_ choice: Choice, because reason: String? = nil) -> [Happening] {
    var outcome = world.take(choice, in: snapshot)
    if let reason {
      // What closes a page is the first that comes of it.
      outcome.happenings[0].fact = .close(from: world.lanes.browser, to: world.lanes.app, reason: reason)
    }
    let (before, words) = (snapshot, world.describe(choice, in: snapshot))
    snapshot = outcome.snapshot
    choicesTaken += 1
    happeningsTold += 1 + outcome.happenings.count
    failure = outcome.failure.map { faults.told($0, in: snapshot) } ?? tooLong
    recording?.note(choice, from: before, to: snapshot, outcome.happenings)
    asks += outcome.happenings.count { if case .perform = $0.fact { true } else { false } }
    holdTime(ofFlightsBehind: before.flightsMade)
    if snapshot.app.store != before.app.store { effects.append(.stored(snapshot.app.store)) }
    effects.append(.happened(Happening(at: before.now, refs: [], fact: .choice(words))))
    effects += outcome.happenings.map { .happened($0) }
    addBrowser(outcome.happenings, before: before.browser.tab?.content, isClosedByPerson: choice == .closeBrowser)
    return outcome.happenings
  }

  /// Live requests that were just made time out no earlier than they go out.
  private mutating func holdTime(ofFlightsBehind last: Int) {
    for (index, flight) in snapshot.flights.enumerated()
    where flight.number > last && world.isLive(flight.request.service) {
      unsent[flight.number] = flight.due.since(snapshot.now)
      snapshot.flights[index].due = .latest
    }
  }

  private var tooLong: Diagnostic? {
    guard isLimited, choicesTaken > Driver.mostChoices || happeningsTold > Driver.mostHappenings else { return nil }
    return .tooLong(world.flow, nil, isAdvancing: isAdvancing)
  }

  private mutating func addBrowser(
    _ happenings: [Happening], before: Browser.Tab.Content?, isClosedByPerson: Bool
  ) {
    let after = snapshot.browser.tab?.content
    if case .outside(let location)? = after {
      let isNew = after != before || happenings.contains { if case .open = $0.fact { true } else { false } }
      if isNew { effects.append(.opened(world.text(of: location, config: snapshot.app.config))) }
    } else if case .outside? = before, !isClosedByPerson {
      effects.append(.closed)
    }
  }
}

extension Timestamp {
  /// Behind everything that falls due.
  fileprivate static let latest: Timestamp = {
    guard let latest = Timestamp(seconds: 253_402_300_799) else { preconditionFailure("9999 lies within CEL's range") }
    return latest
  }()
}
