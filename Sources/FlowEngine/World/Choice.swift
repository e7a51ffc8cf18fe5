import Expressions

/// One thing that could happen now.
///
/// Flights are named by their number, everything else as the flow counts it.
package enum Choice: Sendable, Hashable {
  /// What becomes of an answer.
  package enum Fate: Sendable, Hashable {
    case arrives
    /// The server acts, its answer never comes.
    case lost
    /// The server acts at once, its answer comes so much later.
    case held(Duration)
    /// The server acts, and something between answers so in its place, as a proxy that has waited long enough.
    case replaced(Answer)
  }

  /// The person opens the app.
  case launch
  /// The app is killed between two steps.
  case kill
  /// The service receives a flight, and answers as its model says; `reply` asks for a `sometimes` by name.
  case deliver(flight: Int, reply: String?, Fate)
  /// Nothing could be sent.
  case unreachable(flight: Int)
  /// An answer reaches who waits for it, and no model made it: of a real service, or written in a scenario. The model does not act.
  case receive(flight: Int, Answer, Fate = .arrives)
  /// The device does what it was asked for; `failure` is a named one, `fields` the result in declared order, empty where
  /// the example that it would be cannot be made.
  case perform(failure: String?, fields: [Value])
  /// The same, so much later.
  case performLater(Duration, failure: String?, fields: [Value])
  /// Index into the app's events, its fields in declared order.
  case event(Int, fields: [Value])
  /// Index of a form on the page that is shown.
  case submit(form: Int, fields: [Value])
  case follow(link: Int)
  /// Ask once more for what could not be reached.
  case again
  case closeBrowser
  /// An address that something outside has opened leads to the app: a redirect from a real browser, a link.
  case visit(Location)
  /// Index into the inbox, then of the link that is followed; `nil` when the mail has none.
  case openMail(Int, link: Int?)
  case offline, online
  /// Time moves to the next due instant, and what is due there first happens; without `timers` no `after` does.
  case tick(timers: Bool)
  /// Time moves, and nothing falls due on the way.
  case clock(to: Timestamp)
  /// A choice whose step is cut off by a kill after so many durable writes: in place of the next one, or of what the
  /// app asks for behind them.
  indirect case killed(during: Choice, keeping: Int)

  /// Whether a person or the network does it: no circle goes round by itself through such a one.
  var isFromOutside: Bool {
    switch self {
    case .deliver, .unreachable, .receive, .perform, .performLater, .tick, .clock, .killed: false
    case .launch, .kill, .event, .submit, .follow, .again, .closeBrowser, .visit, .openMail, .offline, .online: true
    }
  }
}
