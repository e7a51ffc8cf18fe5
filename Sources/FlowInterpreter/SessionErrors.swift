import FlowSpec

/// Why a session cannot start.
///
/// `description` is a sentence for people.
public enum StartError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No service of the flow has this name.
  case unknownService(String)
  /// A service is named twice among those that are live.
  case serviceTwice(String)
  /// The clock shows no time of the years 1 to 9999.
  case badClock
  /// The session has run, or runs: what goes on from its store is another session.
  case hasRun
  /// The address of a live service, given or made of the config, is no absolute `http` or `https` address
  /// as RFC 3986 has it, without user, query and fragment: a host that is not in ASCII is written as `xn--…`.
  case badAddress(service: String)
  /// A live service has no address: the flow gives none, and neither does who starts the session.
  case noAddress(service: String)
  /// Secrets are sent to a live service over `http` that is not on this machine.
  case secretInTheOpen(service: String)
  /// A service that is not live has no model either.
  case noModel(service: String)
  /// A page of one service leads to another, and only one of the two is live: no browser could show both.
  case pageCrosses(from: String, to: String)
  /// The flow has no `config` of this name.
  case unknownConfig(String)
  /// The value does not fit what the flow declares for this `config`.
  case badConfig(String)
  /// The value of this `config` makes a redirect URI of the app that is no absolute address.
  case noRedirectURI(config: String)
  /// The store that was kept cannot be used, and why.
  case unusableStore(StoreProblem)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .unknownService(let name): "the flow has no service \"\(name)\""
    case .serviceTwice(let name): "the live service \"\(name)\" is named twice"
    case .badClock: "the clock shows a time outside the years 1 to 9999"
    case .hasRun: "a session runs once: make another with the store that was kept last"
    case .badAddress(let service):
      "the address of service \"\(service)\" is no http or https address with a host, written in ASCII, "
        + "and without user, query and fragment"
    case .noAddress(let service): "the flow gives no address for service \"\(service)\""
    case .secretInTheOpen(let service):
      "secrets are sent to service \"\(service)\", and its address is http: use https, or an address of this machine"
    case .noModel(let service): "service \"\(service)\" has no model, so it has to be live"
    case .pageCrosses(let from, let to):
      "pages of \"\(from)\" lead to \"\(to)\": either both are live, or none of them"
    case .unknownConfig(let name): "the flow has no config \"\(name)\""
    case .badConfig(let name): "the value for config \"\(name)\" does not fit what the flow declares"
    case .noRedirectURI(let name):
      "the value for config \"\(name)\" makes no redirect URI of the app: a whole address such as "
        + "com.example.app:/callback, without a fragment"
    case .unusableStore(let problem): "the store that was kept cannot be used: \(problem)"
    }
  }
}

/// Why something cannot be told to a session.
///
/// `description` is a sentence for people.
public enum InputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The session has not begun to run, or is over: so it is once its flow has ended or failed, also while `run()` has not
  /// returned yet.
  case notRunning
  /// The flow has no such event, or no page, form, link or mail of that name is there now, with the nearest name; or the page
  /// that it was is there no more.
  case unknown(String, nearest: String?)
  /// The event, form or result has no such field.
  case unknownField(String)
  /// The value does not fit what is declared for this field, weighs more than 1 MiB, is of more than 128 levels, or holds
  /// a `double` that is no finite number.
  case badValue(field: String)
  /// The address is none of the app's redirect URIs, and none of its links matches it; or it is of more than half a MiB.
  case foreignAddress
  /// The device is asked for nothing now, or not for what is meant any more, or was not given to the session as live.
  case nothingAsked
  /// The capability has no such failure.
  case unknownFailure(String)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .notRunning: "the session does not run"
    case .unknown(let name, let nearest):
      "there is no \"\(name)\" here" + (nearest.map { ", did you mean \"\($0)\"?" } ?? "")
    case .unknownField(let name): "there is no field \"\(name)\""
    case .badValue(let field): "the value for \"\(field)\" does not fit what the flow declares"
    case .foreignAddress: "the address is none of the app's redirect URIs or links"
    case .nothingAsked: "the device is not asked for this"
    case .unknownFailure(let name): "the capability has no failure \"\(name)\""
    }
  }
}

/// A run error: the flow, or a model, did what cannot be done.
///
/// The session is over; the store is as it was last kept, and a new session can begin with it.
public struct RunError: Error, Sendable, CustomStringConvertible {
  /// What went wrong, with the place in the document.
  public let diagnostic: FlowDiagnostic
  package let cause: Diagnostic

  /// An error as a session throws it: for previews, and to test what shows it.
  public init(_ diagnostic: FlowDiagnostic) { (self.diagnostic, cause) = (diagnostic, diagnostic.withoutPlace) }

  init(_ cause: Diagnostic) {
    self.cause = cause
    diagnostic = FlowDiagnostic(DiagnosticRenderer().shown([cause])[0])
  }

  /// The diagnostic as a terminal shows it.
  public var description: String { diagnostic.description }
}
