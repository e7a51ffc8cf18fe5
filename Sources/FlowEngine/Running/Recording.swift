import Expressions
import FlowSpec

/// What is done by hand to a simulated world, to be told as a scenario.
package struct Recording: Sendable {
  /// What a run of the scenario comes to.
  package enum Repetition: Sendable {
    /// The place where what was done has led.
    case comesThere
    /// The same error, in which what was done has ended.
    case fails
    /// Something else: no scenario says all that was done, or it depends on a secret, for which something else stands.
    case goesElsewhere
  }

  private var retelling: Retelling
  /// The scenario that it goes on after, and where that has ended.
  private let after: String?
  private let start: Snapshot
  /// Where it has come to; `nil` before anything has happened.
  private var last: Snapshot?
  private var hasEnded = false
  /// Since when the device is asked for what it is asked for now.
  private var askedSince: Timestamp?
  /// Whether somebody has done something else since then.
  private var isOvertaken = false
  /// Whether a timer went off at the instant of the last step: behind that a script lets none go off by itself.
  private var endsInTimer = false
  /// Whether something was done that no scenario says.
  private var hasGap = false

  /// `start` is where it begins: where the scenario `after` has ended, if there is one.
  package init(_ world: World, after: String?, from start: Snapshot) {
    retelling = Retelling(world)
    (self.after, self.start) = (after, start)
    guard after != nil else { return }
    last = start
    if world.asked(in: start) != nil { askedSince = start.now }
  }

  /// Notes a choice that led from a snapshot to another; `asks` says whether the device was asked for something there.
  mutating func note(_ choice: Choice, from before: Snapshot, to after: Snapshot, asks: Bool) {
    guard !hasEnded else { return }
    defer { last = after }
    let wasAsked = retelling.world.asked(in: before) != nil
    let isAsked = retelling.world.asked(in: after) != nil
    var isAnswered = false
    if wasAsked, case .perform(let failure, let fields) = choice {
      isAnswered = true
      tell(performing: failure, fields, in: before)
    } else {
      if wasAsked, asks || !isAsked { tellLeft(since: askedSince, at: after.now, in: before) }
      if !retelling.tell(choice, in: before, isStart: last == nil) { hasGap = true }
    }
    if isAnswered || asks || !isAsked || askedSince == nil {
      (askedSince, isOvertaken) = (isAsked ? after.now : nil, false)
    } else if choice.isFromOutside {
      isOvertaken = true
    }
    if case .tick = choice, before.now == after.now {
      endsInTimer = true
    } else if choice.isFromOutside {
      endsInTimer = false
    }
  }

  /// What comes now is not noted any more.
  package mutating func end() { hasEnded = true }

  private mutating func tell(performing failure: String?, _ fields: [Value], in snapshot: Snapshot) {
    let delay = snapshot.now.since(askedSince ?? snapshot.now)
    // What somebody does before the device at the same instant cannot be said.
    if isOvertaken, delay == .zero { hasGap = true }
    let told = retelling.tell(performing: failure, fields, after: delay == .zero ? nil : delay, in: snapshot)
    if !told { hasGap = true }
  }

  /// In a scenario the device does not wait for anybody: it takes longer than it was waited for.
  private mutating func tellLeft(since start: Timestamp?, at end: Timestamp, in snapshot: Snapshot) {
    let delay = end.since(start ?? end) + .seconds(3600)
    if !retelling.tell(performing: nil, nil, after: delay, in: snapshot) { hasGap = true }
  }

  /// The scenario as a document, for a world that was given this config, and what a run of it comes to.
  ///
  /// It says where that run ends, which goes on while an answer, a time-out or a retry is to come; an app that is not
  /// running at the end is opened once more, since no scenario ends so.
  package func scenario(
    named name: String, config: [(name: String, value: Value)], failure: Diagnostic?
  ) -> (document: [UInt8], Repetition) {
    var whole = self
    if failure == nil { whole.close() }
    func text(endingIn end: Snapshot?) -> String {
      whole.retelling.text(named: name, given: given(config), ends: end?.endName(of: retelling.world.flow))
    }
    guard let last, let run = replay(text(endingIn: nil)) else {
      return (Array(text(endingIn: last).utf8), .goesElsewhere)
    }
    let isWhole = !whole.hasGap && !whole.retelling.hasGap
    if let failure {
      let fails = run.outcome.problems.contains { $0.code == failure.code && $0.place == failure.place }
      return (Array(text(endingIn: nil).utf8), isWhole && fails ? .fails : .goesElsewhere)
    }
    guard isWhole, run.passed != nil else { return (Array(text(endingIn: last).utf8), .goesElsewhere) }
    let document = text(endingIn: run.outcome.snapshot)
    let succeeds = replay(document)?.outcome.succeeded == true
    return (Array(document.utf8), succeeds ? .comesThere : .goesElsewhere)
  }

  /// Says what stands open where it was left.
  private mutating func close() {
    guard let last else { return }
    if retelling.world.asked(in: last) != nil { tellLeft(since: askedSince, at: last.now, in: last) }
    if last.app.run == nil, last.app.ended == nil {
      retelling.steps.append(.launch)
    } else if endsInTimer {
      retelling.steps.append(.advance(.zero))
    }
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
