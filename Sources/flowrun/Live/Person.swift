import FlowInterpreter
import FlowSpec

/// Who leads a run that is not automatic: answers that were given, or a person at the terminal.
protocol Person: Sendable {
  /// What is done next, `nil` when nothing more will be.
  ///
  /// Asked when all that happens by itself at this instant has happened. Asked anew when the situation changes: the task is
  /// then cancelled, and what it gives is dropped.
  func act(in situation: Situation) async throws(Failure) -> Act?

  /// Something is about to be told while a question may stand unanswered.
  func isInterrupted()
}

/// What somebody who leads a run has to know.
struct Situation: Sendable {
  let standing: FlowStanding
  /// How many steps of a script were taken.
  let stepsTaken: Int
  /// Whether nothing is live: time passes only when somebody lets it.
  let isVirtual: Bool
  /// Why the last act could not be done, as a sentence without a full stop.
  let refusal: String?
}

/// Something that is done to a run.
enum Act: Sendable {
  case person(PersonAct, with: [String: FlowValue])
  /// A step of a script, which is offered now.
  case step(Scenario.Step)
  /// What the automatic person would do with the simulated page or mail.
  case page
  /// An address that leads to the app was opened.
  case arrives(at: String)
  /// Nothing: simulated time goes on to what falls due next, real time goes on by itself.
  case timePasses
  case advances(Duration)
  case network(isOnline: Bool)
  case kill
  case launch(after: Duration)
  case relaunch(after: Duration)
  /// Something is to go wrong with the next request that it fits.
  case goesWrong(Scenario.Fault)
  /// What was to go wrong with this is not to, after all.
  case goesAsUsual(Scenario.Fault.Target)
  case performed([String: FlowValue])
  case failedToPerform(String)
  case leaves

  /// How much time it lets pass, where it says so.
  var time: Duration? {
    switch self {
    case .advances(let time), .launch(let time), .relaunch(let time): time
    default: nil
    }
  }
}
