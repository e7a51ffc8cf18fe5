import Expressions
import FlowSpec

/// What is done by hand to a simulated world, to be told as a scenario.
package struct Recording: Sendable {
  /// What a run of the scenario comes to.
  package enum Repetition: Sendable, Hashable {
    /// All that was done, and no more.
    case comesThere
    /// All that was done, and behind it what was still awaited, up to where it stops.
    case goesOn(to: String?)
    /// All that was done, and the error in which it has ended.
    case fails
    /// No scenario says all that was done, or a text that stands for a secret does not do what that did: what was to
    /// happen and does not, and what happens instead, where that is known.
    case goesElsewhere(expected: String?, found: String?)
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
  /// When somebody has last done something else since then.
  private var overtaken: Timestamp?
  /// Whether a timer went off at the instant of the last step: behind that a script lets none go off by itself.
  private var endsInTimer = false
  /// Whether something was done that no scenario says.
  private var hasGap = false
  private var course = Course()

  /// `start` is where it begins: where the scenario `after` has ended, if there is one.
  package init(_ world: World, after: String?, from start: Snapshot) {
    retelling = Retelling(world)
    (self.after, self.start) = (after, start)
    guard after != nil else { return }
    last = start
    if world.asked(in: start) != nil { askedSince = start.now }
  }

  /// Notes a choice that led from a snapshot to another, and what happened on the way.
  mutating func note(_ choice: Choice, from before: Snapshot, to after: Snapshot, _ happenings: [Happening]) {
    guard !hasEnded else { return }
    defer { last = after }
    course.add(happenings, of: retelling.world.flow)
    let asks = happenings.contains { if case .perform = $0.fact { true } else { false } }
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
      (askedSince, overtaken) = (isAsked ? after.now : nil, nil)
    } else if choice.isFromOutside {
      overtaken = before.now
    }
    if choice.isFromOutside { endsInTimer = false }
    if case .tick = choice, before.now == after.now { endsInTimer = true }
  }

  /// What comes now is not noted any more.
  package mutating func end() { hasEnded = true }

  private mutating func tell(performing failure: String?, _ fields: [Value], in snapshot: Snapshot) {
    var delay = snapshot.now.since(askedSince ?? snapshot.now)
    // What comes at the same instant in a script comes before its next step: it comes a little later.
    let isBehind = overtaken == snapshot.now
    if isBehind { delay += .milliseconds(1) }
    let told = retelling.tell(performing: failure, fields, after: delay == .zero ? nil : delay, in: snapshot)
    if isBehind { retelling.steps.append(.advance(.milliseconds(1))) }
    if !told { hasGap = true }
  }

  /// In a scenario the device does not wait for anybody: it takes longer than it was waited for.
  private mutating func tellLeft(since start: Timestamp?, at end: Timestamp, in snapshot: Snapshot) {
    let delay = end.since(start ?? end) + .seconds(3600)
    if !retelling.tell(performing: nil, nil, after: delay, in: snapshot) { hasGap = true }
  }

  /// The scenario as a document, for a world that was given this config, and what a run of it comes to.
  ///
  /// It says where that run ends. An app that is not running at the end is opened once more, since no scenario ends so.
  package func scenario(
    named name: String, config: [(name: String, value: Value)], failure: Diagnostic?
  ) -> (document: [UInt8], Repetition) {
    var whole = self
    if failure == nil { whole.close() } else if endsInTimer { whole.retelling.steps.append(.advance(.zero)) }
    whole.retelling.hideWhatWasTyped()
    let world = retelling.world
    func text(endingIn end: Snapshot?) -> String {
      whole.retelling.text(named: name, given: given(config), ends: end?.endName(of: world.flow))
    }
    func document(endingIn end: Snapshot?, _ repetition: Repetition) -> ([UInt8], Repetition) {
      (Array(text(endingIn: end).utf8), repetition)
    }
    let start = after == nil ? nil : start
    guard let run = world.replay(text(endingIn: nil), from: start, recording: true)?.outcome else {
      return document(endingIn: last, .goesElsewhere(expected: nil, found: nil))
    }
    var repeated = Course()
    repeated.add(run.happenings, of: world.flow)
    let departure = course.firstDeparture(from: repeated)
    guard !whole.hasGap, !whole.retelling.hasGap, departure == nil else {
      return document(
        endingIn: failure == nil ? last : nil, .goesElsewhere(expected: departure?.here, found: departure?.there))
    }
    if let failure {
      let fails = run.problems.contains { $0.code == failure.code && $0.place == failure.place }
      return document(endingIn: nil, fails ? .fails : .goesElsewhere(expected: failure.message, found: nil))
    }
    guard world.replay(text(endingIn: run.snapshot), from: start)?.outcome.succeeded == true else {
      return document(endingIn: run.snapshot, .goesElsewhere(expected: nil, found: nil))
    }
    let isThere = repeated.facts.count == course.facts.count
    return document(endingIn: run.snapshot, isThere ? .comesThere : .goesOn(to: run.snapshot.endName(of: world.flow)))
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
}
