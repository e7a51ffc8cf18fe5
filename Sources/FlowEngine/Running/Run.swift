import Expressions
import FlowSpec

/// What came of running a flow to its end.
package struct RunOutcome: Sendable {
  var happened: Record
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

  /// Where a run begins that goes on after this one.
  package var nextStart: Snapshot {
    var start = snapshot
    // Requests are counted anew, unless some of the earlier run are still under way.
    if start.flights.isEmpty { start.flightsMade = 0 }
    return start
  }

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
    let world = World(flow)
    /// `behind` are the scenarios that start from this one, to find a circle.
    func outcome(of scenario: Scenario?, kept: [Value]? = nil, behind: [String] = []) -> RunOutcome {
      do throws(Refusal) {
        var start = try startingPoint(of: scenario, behind: behind)
        for (key, value) in config { start.app.config[key] = value }
        if let kept { start.restore(kept) }
        var driver = Driver(world: world, snapshot: start, scenario: scenario, recording: true)
        driver.run()
        return driver.outcome()
      } catch {
        return refused(error.diagnostic, world: world)
      }
    }
    func startingPoint(of scenario: Scenario?, behind: [String]) throws(Refusal) -> Snapshot {
      guard let scenario else { return world.initial(now: .start) }
      guard let name = scenario.given.after else {
        return try world.laid(out: scenario.given, over: world.initial(now: scenario.given.now ?? .start))
      }
      let chain = behind + [scenario.name]
      guard !chain.contains(name) else { throw Refusal(.scenarioCircle(chain + [name], at: scenario.siteOfAfter)) }
      guard let earlier = scenarios(name) else {
        throw Refusal(.unknownScenario(name, at: scenario.siteOfAfter, among: []))
      }
      let ended = outcome(of: earlier, behind: chain)
      guard ended.succeeded else { throw Refusal(.earlierFailed(name, scenario: scenario)) }
      return try world.laid(out: scenario.given, over: ended.nextStart)
    }
    return outcome(of: scenario, kept: kept)
  }

  /// A run with an automatic person; `happenings` stay empty where they are not recorded.
  package static func runAutomatically(_ world: World, recording: Bool) -> RunOutcome {
    var driver = Driver(world: world, snapshot: world.initial(now: .start), scenario: nil, recording: recording)
    driver.run()
    return driver.outcome()
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
