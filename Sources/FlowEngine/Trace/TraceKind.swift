/// What a line of a trace tells: its `kind`.
package enum TraceKind: String, Sendable, Hashable, CaseIterable {
  /// Somebody opens the app, or a link does.
  case launched
  /// The run goes on where another scenario ended.
  case resumed
  case killed
  /// The choice that begins a step.
  case choice
  /// A state is entered.
  case state
  /// A transition is taken, with the guard lines that decided.
  case transition
  case event
  case request
  /// An answer to a request, or the failure in its place.
  case answer
  /// The device is asked for something.
  case perform
  /// What the device answers.
  case result
  /// The browser shows a page.
  case page
  case submit
  case follow
  /// Mail arrives in the inbox.
  case mail
  case openMail
  /// Keys change: what they were and what they are.
  case set
  case emit
  case show
  /// The browser tab opens on an address.
  case open
  case close
  /// Time passes.
  case clock
  /// A fault of the scenario strikes.
  case fault
  /// The run stops. Always the last line.
  case ended
}
