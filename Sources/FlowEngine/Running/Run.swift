import Expressions
import FlowSpec

/// What came of running a flow to its end.
package struct RunOutcome: Sendable {
  let happened: Record
  package var ended: Ended
  /// Run errors, steps not offered, faults that never struck, another end than the scenario says; with their places.
  package var problems: [Diagnostic]
  /// The instant at which the run started.
  package var startedAt: Timestamp
  /// The world in which it ended.
  package var snapshot: Snapshot
  /// What it ran in.
  let world: World

  package var happenings: [Happening] { happened.told }

  /// It went as the scenario says, or, where it says nothing, ended at a goal, a rest or an end.
  package var succeeded: Bool { problems.isEmpty }
}

/// Runs a flow: the scenario's script and faults, or the automatic person, choose what happens.
package enum Running {
  /// Without a scenario the person is automatic.
  ///
  /// `kept` is the app's store as an earlier run left it, for a scenario that says nothing of it itself; `config` are
  /// values by slot that count more than those of the flow and of scenarios; `scenarios` finds the one that `given.after`
  /// names.
  package static func run(
    _ flow: Flow, scenario: Scenario?, kept: [Value]? = nil, config: [Int: Value] = [:],
    scenarios: (String) -> Scenario?
  ) -> RunOutcome {
    run(World(flow), scenario: scenario, kept: kept, config: config, scenarios: scenarios, behind: [])
  }

  /// A run with an automatic person; `happenings` stay empty where they are not recorded.
  package static func runAutomatically(_ world: World, recording: Bool) -> RunOutcome {
    var driver = Driver(world: world, snapshot: world.initial(now: .start), scenario: nil, recording: recording)
    driver.run()
    return driver.outcome()
  }

  /// `behind` are the scenarios that start from this one, to find a circle.
  private static func run(
    _ world: World, scenario: Scenario?, kept: [Value]? = nil, config: [Int: Value],
    scenarios: (String) -> Scenario?, behind: [String]
  ) -> RunOutcome {
    var start: Snapshot
    do throws(Refusal) {
      start = try startingPoint(world, scenario: scenario, config: config, scenarios: scenarios, behind: behind)
      for (key, value) in config { start.app.config[key] = value }
    } catch {
      return refused(error.diagnostic, world: world)
    }
    if let kept { start.restore(kept) }
    var driver = Driver(world: world, snapshot: start, scenario: scenario, recording: true)
    driver.run()
    return driver.outcome()
  }

  private static func startingPoint(
    _ world: World, scenario: Scenario?, config: [Int: Value], scenarios: (String) -> Scenario?, behind: [String]
  ) throws(Refusal) -> Snapshot {
    guard let scenario else { return world.initial(now: .start) }
    var snapshot = world.initial(now: scenario.given.now ?? .start)
    if let after = scenario.given.after {
      snapshot = try end(
        of: after, world: world, for: scenario, config: config, scenarios: scenarios, behind: behind)
    }
    return try world.laid(out: scenario.given, over: snapshot)
  }

  private static func end(
    of name: String, world: World, for scenario: Scenario, config: [Int: Value], scenarios: (String) -> Scenario?,
    behind: [String]
  ) throws(Refusal) -> Snapshot {
    let chain = behind + [scenario.name]
    guard !chain.contains(name) else { throw Refusal(.scenarioCircle(chain + [name], at: scenario.siteOfAfter)) }
    guard let earlier = scenarios(name) else {
      throw Refusal(.unknownScenario(name, at: scenario.siteOfAfter, among: []))
    }
    let outcome = run(world, scenario: earlier, config: config, scenarios: scenarios, behind: chain)
    guard outcome.succeeded else { throw Refusal(.earlierFailed(name, scenario: scenario)) }
    var snapshot = outcome.snapshot
    // Requests are counted anew, unless some of the earlier run are still under way.
    if snapshot.flights.isEmpty { snapshot.flightsMade = 0 }
    return snapshot
  }

  private static func refused(_ diagnostic: Diagnostic, world: World) -> RunOutcome {
    let snapshot = world.initial(now: .start)
    return RunOutcome(
      happened: Record(), ended: Ended(lane: world.lanes.app, how: .error(diagnostic.message)), problems: [diagnostic],
      startedAt: snapshot.now, snapshot: snapshot, world: world)
  }
}

extension Snapshot {
  /// Gives the app, before anything happened, a store that an earlier run kept.
  ///
  /// Everything else begins anew, servers too: they must not take an old token for one of their own.
  fileprivate mutating func restore(_ store: [Value]) {
    precondition(store.count == app.store.count, "A store has a value for each key.")
    app.store = store
    mint = Mint(behind: store)
  }
}

/// Why a run cannot begin.
package struct Refusal: Error {
  package let diagnostic: Diagnostic
  init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
}

extension Timestamp {
  /// When a simulated run starts unless its scenario says otherwise: 2026-01-01T09:00:00Z.
  package static let start: Timestamp = {
    guard let start = Timestamp(seconds: 1_767_258_000) else { preconditionFailure("2026 lies within CEL's range") }
    return start
  }()
}
