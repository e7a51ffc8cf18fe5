import Expressions
import FlowSpec

/// The simulated world of one flow: pure functions over a snapshot, of what may happen in it and what comes of that.
package final class World: Sendable {
  package let flow: Flow
  let lanes: Lanes
  package let outside: Outside
  /// With the config that its runs start with.
  let usualBook: AddressBook
  /// Whether a step settles what nobody waits for any more, however long it would take; otherwise it is delivered by who
  /// drives the world, so that it can go wrong as anything else does.
  let settlesOrphans: Bool
  /// The same for all traces of its runs.
  let words: TraceWords
  /// By which an exploration looks at instants.
  let times: Times
  /// Where an exploration begins; `nil` for the first launch.
  let startingPoint: StartingPoint?
  /// Whether an exploration tries answers that no model gives.
  let triesUnexpected: Bool

  /// By service.
  private let secretNames: [SecretNames]
  /// Of each two services that both have some, by the later one and the earlier, where these are few; of many hardly any
  /// talk with each other.
  private let pairedNames: [[SecretNames?]]
  private let noSecretNames = SecretNames([])
  /// By service, whether one of its routes has a variable with a secret name.
  let hidesPaths: [Bool]
  /// What the services' stores begin with.
  private let initialStores: [[Value]]

  package init(
    _ flow: Flow, outside: Outside = Outside(), settlesOrphans: Bool = false, times: Times? = nil,
    startingPoint: StartingPoint? = nil, triesUnexpected: Bool = false
  ) {
    self.flow = flow
    (self.startingPoint, self.triesUnexpected) = (startingPoint, triesUnexpected)
    self.outside = outside
    self.settlesOrphans = settlesOrphans
    self.times = times ?? Times(spans: flow.spans)
    usualBook = AddressBook(flow, outside, flow.app.configValues)
    lanes = Lanes(flow)
    words = TraceWords(flow)
    let secretNames = flow.services.map { SecretNames($0.secrets) }
    self.secretNames = secretNames
    pairedNames = Self.pairedNames(of: flow.services)
    hidesPaths = flow.services.indices.map { service in
      let names = secretNames[service].path
      return flow.services[service].model?.routes.contains { route in
        route.variables.contains { names.index(of: $0.name) != nil }
      } ?? false
    }
    initialStores = flow.services.map { $0.model?.machine.initialStore ?? [] }
  }

  /// The one in which scenarios of `other` are run, as from its first launch: nothing of it is made anew.
  init(replaying other: World) {
    (flow, lanes, words, times) = (other.flow, other.lanes, other.words, other.times)
    (outside, usualBook) = (other.outside, other.usualBook)
    (secretNames, pairedNames, hidesPaths) = (other.secretNames, other.pairedNames, other.hidesPaths)
    initialStores = other.initialStores
    (settlesOrphans, startingPoint, triesUnexpected) = (false, nil, false)
  }

  /// What is secret by its name in what goes between two services, or between one and the app; neither has no names.
  func secrets(of service: Int?, _ other: Int? = nil) -> SecretNames {
    guard let one = service ?? other else { return noSecretNames }
    guard let other, other != one, !flow.services[other].secrets.isEmpty else { return secretNames[one] }
    if flow.services[one].secrets.isEmpty { return secretNames[other] }
    let (first, last) = (min(one, other), max(one, other))
    return (pairedNames.isEmpty ? nil : pairedNames[last][first]) ?? Self.names(of: first, last, in: flow.services)
  }

  private static func pairedNames(of services: [Service]) -> [[SecretNames?]] {
    let isNaming = services.map { !$0.secrets.isEmpty }
    guard isNaming.count(where: \.self) <= 16 else { return [] }
    return services.indices.map { last in
      isNaming[last] ? (0..<last).map { isNaming[$0] ? names(of: $0, last, in: services) : nil } : []
    }
  }

  private static func names(of first: Int, _ last: Int, in services: [Service]) -> SecretNames {
    SecretNames(services[first].secrets + services[last].secrets)
  }

  /// What a choice led to.
  package struct Outcome: Sendable {
    package var snapshot: Snapshot
    /// In order; empty where they were not asked for.
    package var happenings: [Happening]
    /// Why the step could not be finished; the snapshot is then where it stopped.
    package var failure: Diagnostic?
    /// What was settled for nobody, in order.
    var earlyTries: [EarlyTry]
    /// After how many durable writes of the app a kill cuts the step off: before the next, or before what the app asks for.
    package var kills: Range<Int>
  }

  /// The world before anything happened: the app installed, not running.
  package func initial(now: Timestamp, seed: Mint.Seed = .simulated) -> Snapshot {
    Snapshot(
      now: now,
      device: Device(),
      app: App(config: flow.app.configValues, store: flow.app.initialStore),
      services: initialStores,
      mint: Mint(seed: seed)
    )
  }

  /// Makes a choice happen.
  ///
  /// It must be one that `moves(in:isStart:)` or `personChoices(in:)` lists, or one of those that only a driver makes.
  package func take(_ choice: Choice, in snapshot: consuming Snapshot, recording: Bool = true) -> Outcome {
    var step = Step(world: self, snapshot: snapshot, isRecording: recording)
    let report = step.take(choice)
    let earlyTries = step.earlyTries
    let (snapshot, happened) = step.end()
    return Outcome(
      snapshot: snapshot, happenings: happened.told, failure: report.failure, earlyTries: earlyTries,
      kills: report.kills)
  }
}

/// Where the run of a scenario has ended, for what goes on from there.
package struct StartingPoint: Sendable {
  /// The name of the scenario, and of those that it goes on after.
  let lineage: [String]
  let snapshot: Snapshot
  var scenario: String { lineage[0] }

  /// The run must have succeeded; the scenario's own name is the first.
  package init(_ outcome: RunOutcome, lineage: [String]) {
    precondition(!lineage.isEmpty, "A scenario has a name.")
    (self.lineage, snapshot) = (lineage, outcome.nextStart)
  }

  /// Where no scenario has ended.
  init(_ snapshot: Snapshot) { (lineage, self.snapshot) = ([""], snapshot) }
}

/// Which participant is which.
struct Lanes: Sendable {
  let app: Int
  let person: Int
  /// By event of the app: the person with whose name it begins, or the first of them.
  let actors: [Int]
  let browser: Int
  let inbox: Int
  let device: Int
  /// By service.
  let services: [Int]

  /// What a flow does not declare stands on the app's own lane: such a flow cannot reach it.
  init(_ flow: Flow) {
    func index(of kind: Participant.Kind) -> Int? { flow.participants.firstIndex { $0.kind == kind } }
    let app = index(of: .app) ?? 0
    self.app = app
    let person = index(of: .person) ?? app
    self.person = person
    actors = flow.app.events.map { event in
      flow.participants.firstIndex { $0.kind == .person && event.name.hasPrefix("\($0.name).") } ?? person
    }
    browser = index(of: .browser) ?? app
    // A link that something outside opens is followed by somebody.
    inbox = index(of: .inbox) ?? person
    device = index(of: .device) ?? app
    services = flow.services.map(\.participant)
  }
}
