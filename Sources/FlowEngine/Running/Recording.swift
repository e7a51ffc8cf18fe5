import Expressions
import FlowSpec

/// What is done by hand to a simulated world, to be told as a scenario.
package struct Recording: Sendable {
  private var retelling: Retelling
  /// Where it has come to; `nil` before anything has happened.
  private var last: Snapshot?
  private var hasEnded = false
  /// Since when the device is asked for what it is asked for now.
  private var askedSince: Timestamp?
  /// Whether something else was done since then.
  private var isOvertaken = false
  /// Whether something was done that no scenario says.
  private var hasGap = false

  package init(_ world: World) { retelling = Retelling(world) }

  /// Notes a choice that led from a snapshot to another.
  mutating func note(_ choice: Choice, from before: Snapshot, to after: Snapshot) {
    guard !hasEnded else { return }
    defer { last = after }
    let world = retelling.world
    let wasAsked = world.asked(in: before) != nil
    let isAsked = world.asked(in: after) != nil
    switch choice {
    case .perform(let failure, let fields) where wasAsked:
      let delay = before.now.since(askedSince ?? before.now)
      // What comes before the device at the same instant cannot be said.
      if isOvertaken, delay == .zero { hasGap = true }
      hasGap = !tell(performing: failure, fields, after: delay, in: before) || hasGap
    default:
      if wasAsked, !isAsked {
        // In a scenario the device does not wait for anybody: it takes longer than it was waited for.
        let delay = before.now.since(askedSince ?? before.now) + .seconds(3600)
        hasGap = !tell(performing: nil, nil, after: delay, in: before) || hasGap
      }
      hasGap = !retelling.tell(choice, in: before, isStart: last == nil) || hasGap
    }
    let isAskedAnew = if case .perform = choice { true } else { !wasAsked }
    if isAskedAnew { (askedSince, isOvertaken) = (isAsked ? after.now : nil, false) } else { isOvertaken = true }
  }

  /// What comes now is not noted any more.
  package mutating func end() { hasEnded = true }

  private mutating func tell(
    performing failure: String?, _ fields: [Value]?, after delay: Duration, in snapshot: Snapshot
  ) -> Bool {
    retelling.tell(performing: failure, fields, after: delay == .zero ? nil : delay, in: snapshot)
  }

  /// The scenario as a document, for a world that was given this config, and whether a run of it comes to the same place,
  /// or fails in the same way.
  ///
  /// It says where that run ends, which goes on while an answer, a time-out or a retry is to come.
  package func scenario(
    named name: String, config: [(name: String, value: Value)], failure: Diagnostic?
  ) -> (document: [UInt8], comesThere: Bool) {
    let settings = config.map { (name: $0.name, json: $0.value.asTemplateJSON) }
    let given = settings.isEmpty ? [] : [(name: "config", json: retelling.object(settings))]
    func text(endingIn end: Snapshot?) -> String {
      retelling.text(named: name, given: given, ends: end?.endName(of: retelling.world.flow))
    }
    let world = retelling.world
    guard let last, !hasGap, let first = world.replay(text(endingIn: nil), past: { $0.stands(where: last) }) else {
      return (Array(text(endingIn: last).utf8), false)
    }
    if let failure {
      let isRepeated = first.outcome.problems.contains {
        $0.code == failure.code && $0.labels.first?.site == failure.labels.first?.site
      }
      return (Array(text(endingIn: nil).utf8), isRepeated)
    }
    let whole = text(endingIn: first.passed == nil ? last : first.outcome.snapshot)
    return (Array(whole.utf8), first.passed != nil && world.replay(whole)?.outcome.succeeded == true)
  }
}

extension Snapshot {
  /// What a scenario says of where it stops: the flow's end, or the innermost active state; `nil` while the app does not
  /// run.
  fileprivate func endName(of flow: Flow) -> String? {
    // Of two states with one name the flow's own is meant.
    let own = Set(flow.app.states.filter { $0.routine == 0 }.map(\.name))
    return app.ended ?? firstActive(of: flow) { $0.routine == 0 || !own.contains($0.name) }?.name
  }

  /// Whether the app, its browser and its mail are at the same place at the same instant, whatever values they have.
  fileprivate func stands(where other: Snapshot) -> Bool {
    now == other.now && app.ended == other.app.ended && flightsMade == other.flightsMade
      && app.run?.levels.map(\.leaf) == other.app.run?.levels.map(\.leaf)
      && page?.service == other.page?.service && page?.key == other.page?.key
      && inbox.map(\.name) == other.inbox.map(\.name)
  }
}
