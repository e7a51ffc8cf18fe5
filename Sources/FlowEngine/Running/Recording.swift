import Expressions
import FlowSpec

/// What is done by hand to a simulated world, to be told as a scenario.
package struct Recording: Sendable {
  private var retelling: Retelling
  /// The scenario that it goes on after, and where that has ended.
  private let after: String?
  private let start: Snapshot
  /// Where it has come to; `nil` before anything has happened.
  private var last: Snapshot?
  private var hasEnded = false
  /// Since when the device is asked for what it is asked for now.
  private var askedSince: Timestamp?
  /// Whether something else was done since then.
  private var isOvertaken = false
  /// Whether something was done that no scenario says.
  private var hasGap = false

  /// `start` is where it begins: where the scenario `after` has ended, if there is one.
  package init(_ world: World, after: String?, from start: Snapshot) {
    retelling = Retelling(world)
    (self.after, self.start) = (after, start)
    if after != nil {
      last = start
      if world.asked(in: start) != nil { askedSince = start.now }
    }
  }

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
    func text(endingIn end: Snapshot?) -> String {
      retelling.text(named: name, given: given(config), ends: end?.endName(of: retelling.world.flow))
    }
    guard let last, !hasGap, let run = replay(text(endingIn: nil)) else {
      return (Array(text(endingIn: last).utf8), false)
    }
    if let failure {
      let isRepeated = run.outcome.problems.contains { $0.code == failure.code && $0.place == failure.place }
      return (Array(text(endingIn: nil).utf8), isRepeated)
    }
    guard run.passed != nil else { return (Array(text(endingIn: last).utf8), false) }
    let whole = text(endingIn: run.outcome.snapshot)
    return (Array(whole.utf8), replay(whole)?.outcome.succeeded == true)
  }

  private func given(_ config: [(name: String, value: Value)]) -> [(name: String, json: String)] {
    let settings = config.map { (name: $0.name, json: $0.value.asTemplateJSON) }
    return (after.map { [(name: "after", json: retelling.quoted($0))] } ?? [])
      + (settings.isEmpty ? [] : [(name: "config", json: retelling.object(settings))])
  }

  /// A run of the scenario, and whether it came past where this one stands.
  private func replay(_ text: String) -> World.Replay? {
    retelling.world.replay(text, from: after == nil ? nil : start) { [last] snapshot in
      last.map(snapshot.stands) ?? false
    }
  }
}

extension Diagnostic {
  fileprivate var place: Site? { labels.first?.site }
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
