import Expressions
import FlowSpec

/// What came of going through every snapshot that a flow can reach.
package struct Exploration: Sendable {
  /// Snapshots that were reached and differ in their fingerprints, and those from which time alone passes.
  package var snapshots: Int
  /// Those of them whose moves were all tried.
  package var expanded: Int
  package var moves: Int
  package var findings: [Finding]
  /// Where the way on leads through a kill alone: a person knows to do that, and nobody wants it of them.
  package var onlyByKill: [Finding]
  /// Goals that a kill loses: opened again, the app comes to none.
  package var lostByKill: [Finding]
  /// What persons leave a goal by, or answers, that a kill brings back.
  package var backAgain: [Finding]
  /// Links, redirects and what persons do that led to nothing where they came.
  package var ignored: [Finding]
  /// Transitions that no move took, replies of models among them, of states that were entered and of routes: what nothing
  /// in these documents leads to, as where a model never gives the answer that the flow waits for.
  ///
  /// None where it began behind a scenario.
  package var neverTaken: [String]
  /// The flow has a goal, and it was in none of these snapshots, nor at an end.
  package var lacksGoal: Bool
  /// It was told not to go on.
  package var isStopped: Bool
  /// Guards look at instants by more spans, or at more instants that no snapshot keeps, than count.
  var hasMoreTimes: Bool
  /// The scenario where whose run ends it began; `nil` for the first launch.
  package var startingPoint: String?
  /// Answers that no model gives were tried, too.
  package var triedUnexpected: Bool
  /// Not everything that was found has a scenario, or a shortest one: there was too much of it.
  var hasMoreToTell: Bool
  /// What makes it long, where it did not come to its end.
  package var varieties: [Variety]

  /// Every move of every snapshot was tried.
  package var isComplete: Bool { expanded == snapshots }

  /// Findings that more looking would not take back: a state that was not entered so far is none.
  package var weaknesses: [Finding] { findings.filter { isComplete || $0.kind != .neverEntered } }

  /// The states that were not entered so far; none where every move was tried.
  package var notEntered: [String] {
    isComplete ? [] : findings.filter { $0.kind == .neverEntered }.compactMap(\.state)
  }

  /// What is not tried, and what is taken together, in sentences.
  package var limits: [String] {
    let beginning =
      startingPoint.map {
        "It begins where scenario \"\($0)\" ends, with its settings and device; what lies before is not looked for."
      } ?? "Settings are the flow's own; the device is native, of platform \"\(Device().platform)\"."
    return [
      beginning,
      "Fields have their example values; of mails with one name the newest is opened.",
      "What can be delivered is delivered before anybody acts, unless its answer is held up, by half of its time-out; so is what the device does where events or timers stand beside it, to before, between and behind those timers.",
      "What a model gives only sometimes arrives at once, and nobody forges an answer. "
        + (triedUnexpected
          ? "Of answers that no model gives these are tried, where an app awaits one: 200 and 503 with a page, 204, 200 with null, and its model's with one header left out or with a date for its text, or with one member of its JSON left out, or one value of each other type in its place, and for a number that as text, -1 and 99999999999999; of a list, in its first element; of a large answer the first \(Value.mostUnexpected), or fewer. The service has not acted then; behind what is no GET the page at 503 and what is made of its usual answer come once more where it has. So are the app's links and redirect URIs with nothing in their query, where the app takes them, or a link opens it."
          : "No answer is another than its model's: --unexpected tries such, too."),
      "What a service asks once nobody waits for it any more goes as usual, and at once.",
      "The app is killed where it waits and at durable writes, in a step that ends with an error at the first \(Explorer.mostCutsBeforeError).",
      "Time passes to timers, to where comparing instants, with now or by spans, comes out otherwise, and to where a timer or an instant that is set then ends behind that: what needs another moment is not found. What reads a date, a time of day or a count of seconds waits for nothing: it may be found wrongly.",
      "Of spans that only data say, of waits, and of instants in texts, settings and guards, \(Times.mostNoted) each count, one such instant at each place\(hasMoreTimes ? ": there are more here" : "").",
      "Snapshots that differ only in how far ahead instants lie, more than \(Duration.seconds(Interval.near).inUnits), may count as one; while nobody acts, time passes from each.",
      "Snapshots that differ only in the date or the time of day count as one: what a flow reads of these is tried once.",
      "Snapshots are told apart by 128-bit fingerprints.",
    ] + (hasMoreToTell ? ["There was too much to tell: not all of it has a scenario, or a shortest one."] : [])
  }

  /// So many snapshots are looked at unless more are asked for.
  package static let usualMost = 1_000_000

  /// Tries every move in every snapshot that can be reached from the first launch or another starting point, breadth first, until
  /// there are `most` snapshots.
  ///
  /// `goesOn` hears before each snapshot how many were gone on from so far, and how many wait; false ends it there.
  package static func of(
    _ flow: Flow, from startingPoint: StartingPoint? = nil, unexpected: Bool = false, most: Int = usualMost,
    while goesOn: (_ expanded: Int, _ waiting: Int) -> Bool = { _, _ in true }
  ) -> Exploration {
    func world(_ times: Times? = nil) -> World {
      World(flow, settlesOrphans: true, times: times, startingPoint: startingPoint, triesUnexpected: unexpected)
    }
    var explorer = Explorer(world: world(), most: most)
    explorer.explore(while: goesOn)
    // What was taken together so far may not be the same in times that were not known.
    while explorer.times.isNew, !explorer.isStopped {
      explorer = Explorer(world: world(explorer.times.known), most: most)
      explorer.explore(while: goesOn)
    }
    return withoutActuallyEscaping(goesOn) { goesOn in
      let (expanded, isStopped) = (explorer.expanded, explorer.isStopped)
      explorer.effort.goesOn = { isStopped || goesOn(expanded, 0) }
      defer { explorer.effort.goesOn = { true } }
      return Exploration(of: explorer)
    }
  }

  /// What an explorer has found, the graver first.
  private init(of explorer: borrowing Explorer) {
    let isReal = explorer.real()
    let failures = explorer.failures.filter { isReal[$0.node] }
    snapshots = isReal.count(where: \.self)
    expanded = isReal.prefix(explorer.expanded).count(where: \.self)
    moves =
      explorer.edges.count { isReal[$0.to] && explorer.passing[$0.from] != $0.to } + failures.count
    findings = explorer.findings(isReal)
    onlyByKill = explorer.onlyByKill(isReal)
    (lostByKill, backAgain) = explorer.relaunches(isReal)
    ignored = explorer.ignoredEvents(isReal)
    let world = explorer.world
    neverTaken = world.startingPoint == nil ? explorer.unreached.transitionNames : []
    lacksGoal = world.flow.app.states.contains(where: \.isGoal) && !explorer.nodes.contains(where: \.isGoal)
    (isStopped, hasMoreTimes) = (explorer.isStopped, explorer.times.isFull)
    (startingPoint, triedUnexpected) = (world.startingPoint?.scenario, world.triesUnexpected)
    varieties = explorer.varieties()
    hasMoreToTell = explorer.effort.isSpent
  }
}
