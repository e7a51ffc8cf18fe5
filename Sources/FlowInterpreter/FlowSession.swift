import Expressions
import FlowEngine
import FlowSpec

/// A flow at work in an app: on the app's own adapter and clock, with the app's own events.
///
/// Start it with `run()`, listen to `outputs`, and tell it what happens. What it cannot take at once, as behind a sleep
/// of the machine, it takes in the order in which it was told, also where the task that told it is cancelled meanwhile.
/// Services that are not live are simulated by their models, so the same session serves tests, demonstrations and the
/// real thing. Models forget at the end of a session: the next one's know nothing of a token that the app has kept.
public actor FlowSession {
  /// What the flow tells the app, in order; for one listener.
  ///
  /// It may lag behind: the session may have gone on, or be over, and what it is told then throws `notRunning`; `run()`
  /// says why.
  public nonisolated let outputs = FlowOutputs()

  /// The name of the flow.
  public nonisolated var flowName: String { world.flow.name }

  /// Names of what the store that it began with holds and the flow does not declare any more.
  ///
  /// They are those of keys, and of fields of rows as `notes.text`; what `keep` is given is without them.
  public nonisolated let dropped: [String]

  nonisolated let world: World
  let interface: FlowInterface
  let secretMembers: Names
  let adapter: (any Adapter)?
  let clock: any SessionClock
  let keep: @Sendable (FlowStore) async throws -> Void
  /// Wakes `run()` when there is something to do.
  let wakes: AsyncStream<Void>
  let wake: AsyncStream<Void>.Continuation
  var live: LiveRun
  var isRunning = false
  var isOver = false
  /// Whether it can be told something: once the flow has ended it cannot, however long `run()` takes to finish.
  var isListening: Bool { isRunning && !live.hasEnded && clockFailure == nil }
  /// Whether the app waits for the answer of a service.
  var awaitsAnswer: Bool { isListening && !isLeft && live.snapshot.app.awaitsAnswer }
  /// What launches the app in place of the person, in order.
  var openers: [Location] = []
  /// Whether the network was there when that was told last before the launch; `nil` where it was not.
  var startsOnline: Bool?
  /// How many asks `outputs` was told.
  var asksTold = 0
  /// Which of them was answered last.
  var askAnswered = 0
  let asker = FlowAsk.Asker()
  var told = Told()
  /// The scenario that it goes on after; `nil` where the app is launched.
  var resumed: String?
  /// The store that was last given to `keep`, or that it began with.
  var lastGiven: [Value]
  /// What has come of the run and is still to be done, in order.
  var pending: ArraySlice<LiveRun.Effect> = []
  /// The requests that are under way, by number; to finish one is to give it up.
  var underWay: [Int: AsyncStream<Void>.Continuation] = [:]
  /// The wait for what time brings next.
  var sleeper: (due: Timestamp, waker: AsyncStream<Void>.Continuation)?
  /// The run has not caught up with the clock yet.
  var isBehind = false
  /// Who tells it something waits until it has.
  var late: CheckedContinuation<Void, Never>?
  /// Whether somebody's turn to tell it something has come and is not over.
  var isBeingTold = false
  /// Who waits for their turn, in the order in which they came.
  var tellers: ArraySlice<CheckedContinuation<Void, Never>> = []
  /// The wait for what has come while the machine slept, of all who wait for it.
  var hearing: Task<Void, Never>?
  /// What the clock has thrown instead of waiting.
  var clockFailure: (any Error)?
  var tracer: TraceWriter?
  /// Counts what has happened to the run.
  var revision = 0
  /// Of which `outputs` has been told that it waits.
  var revisionTold = 0
  /// How often `outputs` has been told that it waits.
  var waitsTold = 0
  /// Whoever leads it has left.
  var isLeft = false
  /// How often the app has come into a goal.
  var goalsEntered = 0
  /// Does what simulated pages and mails offer, for who asks for it.
  var pages = AutomaticPerson()

  /// Prepares a session; nothing happens before `run()`.
  ///
  /// - Parameters:
  ///   - flow: What to run.
  ///   - services: The services that are real, and the adapter that reaches them.
  ///   - device: What the flow reads under `device`, and who performs its capabilities.
  ///   - clock: The time that the session lives in.
  ///   - config: Values in place of those that the flow gives its `config`.
  ///   - store: What was kept last; `nil` on the first launch of an installation. A store belongs to one session at a
  ///     time: of two, each would keep over what the other has kept.
  ///   - seed: What unguessable values and identifiers are made from, to repeat a session; `nil` takes 256 bits of the
  ///     system's generator. No two sessions of any installations may share one.
  ///   - traces: Whether `outputs` has the lines of the trace.
  ///   - keep: Keeps the store, durably, before it returns; all of it or nothing, since a task that is cancelled may cut
  ///     it short. Called with each new store in order, one at a time; no request that the flow makes behind a change goes
  ///     out before. What it throws ends the session. A closure that is not bound to an actor runs on none; the session
  ///     can be told things meanwhile, though not by `keep` itself: what is told behind a long sleep waits for it.
  public init(
    _ flow: CheckedFlow, live services: LiveServices = .none, device: FlowDevice = FlowDevice(),
    clock: any SessionClock = SystemClock(), config: [String: FlowValue] = [:], store: FlowStore? = nil,
    seed: String? = nil, traces: Bool = false,
    keep: @escaping @Sendable (_ store: FlowStore) async throws -> Void = { _ in }
  ) throws(StartError) {
    world = World(flow.flow, outside: try Outside(services, device, in: flow.flow))
    (interface, secretMembers) = (flow.interface, flow.flow.secretMembers)
    guard let now = Timestamp(sinceEpoch: clock.now) else { throw .badClock }
    var snapshot = world.initial(now: now, seed: .live(seed ?? .random))
    snapshot.device = Device(native: device.isNative, online: device.isOnline, platform: device.platform)
    snapshot.app.config = try flow.flow.config(with: config)
    var dropped: [String] = []
    if let store {
      (snapshot.app.store, dropped) = try store.restored(for: flow.flow)
    }
    if services.services.isEmpty {
      // No server takes an identifier for that of another installation: they are as in any simulated run.
      snapshot.mint = Mint(seed: snapshot.mint.seed, behind: store == nil ? [] : snapshot.app.store)
    }
    try world.refuseWhatIsNoAddress(config: snapshot.app.config)
    try world.refuseSecretsInTheOpen(config: snapshot.app.config)
    (live, lastGiven) = (LiveRun(world, from: snapshot), snapshot.app.store)
    if traces {
      tracer = TraceWriter(world, startedAt: now, config: snapshot.app.config)
      tracer?.know(snapshot, of: world)
    }
    adapter = services.adapter
    (self.clock, self.keep, self.dropped) = (clock, keep, dropped)
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit { outputs.finish() }

  /// What holds now of what `outputs` is told, for whoever comes later, as a view that is made anew: the state that the app
  /// is in, the last screen, the page that is open, what the device is asked, and that an answer is awaited, in this order,
  /// of each that there is.
  ///
  /// It may be ahead of a listener that lags behind. The values are the real ones, as in `outputs`. It is empty before the
  /// launch, and once the session is over, as `offers` is: `outputs` ends then, and `run()` says why.
  public var current: [FlowOutput] {
    guard isListening else { return [] }
    let leaf = live.snapshot.firstActive(of: world.flow) { _ in true }
    let entered = leaf.map { FlowOutput(StateEntered($0, of: world.flow.app, lane: world.appLane)) }
    // A person may have closed it, and another may be about to be told.
    let isOpen = live.snapshot.isBrowserOutside && !pending.contains(where: \.isOfBrowser)
    var asked = told.asked
    if case .asked(let ask, _, _)? = asked, (try? self.asked(ask)) == nil { asked = nil }
    return [entered, told.shown, isOpen ? told.opened : nil, asked, awaitsAnswer ? .awaitsAnswer(true) : nil]
      .compactMap(\.self)
  }

  /// The store as it is now: what was last given to `keep`, or is about to be.
  ///
  /// Once the session is over, it is what was last given to `keep`, or what the session began with; where `keep` has thrown
  /// only the app knows whether that was kept.
  public var store: FlowStore { FlowStore(isOver ? lastGiven : live.snapshot.app.store, of: world.flow) }
}

extension FlowSession: CustomReflectable {
  /// Nothing but its type: what it holds may be secret.
  public nonisolated var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

extension String {
  /// 256 bits of the system's generator.
  fileprivate static var random: String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in String(generator.next(), radix: 16) }.joined(separator: "-")
  }
}

extension Flow {
  fileprivate func config(with given: [String: FlowValue]) throws(StartError) -> [Value] {
    var values = app.config.map(\.value)
    for (name, value) in given.sorted(by: { $0.key < $1.key }) {
      guard let index = app.config.firstIndex(where: { $0.name == name }) else { throw .unknownConfig(name) }
      guard let given = value.value.flatMap(app.config[index].field.given) else { throw .badConfig(name) }
      values[index] = given
    }
    if let index = configOfNoRedirectURI(in: values) { throw .noRedirectURI(config: app.config[index].name) }
    return values
  }
}

extension World {
  /// What is given may be no address, and what the flow makes of its config may turn out to be none.
  fileprivate func refuseWhatIsNoAddress(config: [Value]) throws(StartError) {
    for service in outside.services.sorted() where !isOfHTTP(service, config: config) {
      throw .badAddress(service: flow.participants[flow.services[service].participant].name)
    }
  }

  /// What is known before anything runs; the run itself refuses the rest.
  fileprivate func refuseSecretsInTheOpen(config: [Value]) throws(StartError) {
    for service in outside.services.sorted() where isOpen(service, config: config) {
      guard flow.secret(sentTo: service) != nil else { continue }
      throw .secretInTheOpen(service: flow.participants[flow.services[service].participant].name)
    }
  }
}

extension Outside {
  fileprivate init(_ services: LiveServices, _ device: FlowDevice, in flow: Flow) throws(StartError) {
    self.init()
    self.device = device.isLive
    for service in services.services {
      let index = flow.services.firstIndex { flow.participants[$0.participant].name == service.name }
      guard let index else { throw .unknownService(service.name) }
      guard self.services.insert(index).inserted else { throw .serviceTwice(service.name) }
      if let url = service.url { addresses[index] = Text(url) }
    }
    for index in self.services.sorted() where addresses[index] == nil && flow.services[index].url == nil {
      throw .noAddress(service: flow.participants[flow.services[index].participant].name)
    }
    for (index, service) in flow.services.enumerated() where !self.services.contains(index) && service.model == nil {
      throw .noModel(service: flow.participants[service.participant].name)
    }
    for (from, service) in flow.services.enumerated() {
      let destinations = service.model?.pageDestinations.map { flow.instance($0, namedBy: from) } ?? []
      for to in destinations where self.services.contains(from) != self.services.contains(to) {
        throw .pageCrosses(
          from: flow.participants[service.participant].name,
          to: flow.participants[flow.services[to].participant].name)
      }
    }
  }
}
