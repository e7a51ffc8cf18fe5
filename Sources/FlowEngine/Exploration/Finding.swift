import FlowSpec

/// Something that an exploration found.
package struct Finding: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A step could not be finished.
    case runError = "run-error"
    /// No goal and no end can be reached any more.
    case noWayToGoal = "no-way-to-goal"
    /// The app would be left where it is in no goal, no rest and no end.
    case stop = "stopped-elsewhere"
    /// No goal and no end can be reached any more without killing the app.
    case onlyByKill = "only-by-kill"
    /// A goal from which the app comes to none when it is killed there and opened again.
    case lostByKill = "lost-by-kill"
    /// Killed where a person or an answer has left the goal, the app is in it once more when it is opened again.
    case backAgain = "back-again"
    /// An event that comes to this state leads to nothing.
    case ignored
    /// No move enters this state.
    case neverEntered = "never-entered"
  }
  package var kind: Kind
  /// The state that it is about: where the app is, or what was not entered; `nil` while the app is not running.
  package var state: String?
  /// Where the app comes when it is opened again, a state or an end; `nil` for the other kinds.
  package var target: String?
  /// The event that leads to nothing, or by which a person left the goal; `nil` for the other kinds, and where an answer or
  /// a timer has left it.
  package var event: String?
  /// What went wrong in a step, `nil` for the other kinds.
  package var diagnostic: Diagnostic?
  /// Which timer is still set where the app is left; `nil` for none.
  package var timer: String?
  /// Where no goal can be reached any more, the states that the app can still come to, in document order.
  package var statesAhead: [String] = []
  /// In how many snapshots it was found; 0 for a state that was never entered.
  package var snapshots = 0
  /// How many moves a shortest way there has.
  package var moves = 0
  /// These moves in words, where no scenario was found that says them and they are not too many; else empty.
  package var way: [String] = []
  /// What a shortest scenario that leads there says; a run of it was seen to come there.
  ///
  /// `nil` where no scenario can say it.
  var retelling: Retelling?
  /// Which of those of its kind that have a scenario it is, from 1: scenarios of one folder need different names.
  var ordinal = 1

  /// That scenario, as an author would write it.
  package var scenario: String? {
    guard let retelling else { return nil }
    var name = ordinal == 1 ? kind.rawValue : "\(kind.rawValue)-\(ordinal)"
    // None goes on after itself.
    while retelling.world.startingPoint?.lineage.contains(name) == true { name += "-again" }
    return retelling.text(named: name)
  }

  /// No goal is reached from the first launch on: there is no way on which it is lost.
  package var isOfWholeFlow: Bool { kind == .noWayToGoal && moves == 0 }
}
