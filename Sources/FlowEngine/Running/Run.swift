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
    func outcome(of scenario: Scenario?, over base: Snapshot, kept: [Value]? = nil) -> RunOutcome {
      do throws(Refusal) {
        var start = base
        if let scenario { start = try world.laid(out: scenario.given, over: base) }
        for (key, value) in config { start.app.config[key] = value }
        if let kept { start.restore(kept) }
        var driver = Driver(world: world, snapshot: start, scenario: scenario, recording: true)
        driver.run()
        return driver.outcome()
      } catch {
        return refused(error.diagnostic, world: world)
      }
    }
    guard let scenario else { return outcome(of: nil, over: world.initial(now: .start), kept: kept) }
    do throws(Refusal) {
      let chain = try chain(before: scenario, scenarios)
      var base = world.initial(now: (chain.first ?? scenario).given.now ?? .start)
      for earlier in chain {
        let ended = outcome(of: earlier, over: base)
        guard ended.succeeded else { throw Refusal(.earlierFailed(earlier.name, scenario: scenario)) }
        base = ended.nextStart
      }
      return outcome(of: scenario, over: base, kept: kept)
    } catch {
      return refused(error.diagnostic, world: world)
    }
  }

  /// The scenarios that are run before one, as `given.after` says, the first one first.
  private static func chain(
    before scenario: Scenario, _ scenarios: (String) -> Scenario?
  ) throws(Refusal) -> [Scenario] {
    var chain = [scenario]
    while let last = chain.last, let name = last.given.after {
      if let start = chain.firstIndex(where: { $0.name == name }) {
        throw Refusal(.scenarioCircle(chain[start...].map(\.name) + [name], at: last.siteOfAfter))
      }
      guard chain.count <= Scenario.deepest else { throw Refusal(.scenariosTooDeep(at: scenario.siteOfAfter)) }
      guard let earlier = scenarios(name) else {
        throw Refusal(.unknownScenario(name, at: last.siteOfAfter, among: []))
      }
      chain.append(earlier)
    }
    return chain.dropFirst().reversed()
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
