import FlowSpec

/// What carries the requests of a flow to its live services.
public protocol Adapter: Sendable {
  /// Sends one request, once, and gives what came back.
  ///
  /// Redirects are not followed: a 302 is an answer. Nothing is tried again: a flow says itself what may be repeated. An
  /// answer with an error status is an answer, no failure.
  ///
  /// Called on no actor, unless it is bound to one; calls may overlap.
  ///
  /// The task is cancelled when nobody waits for the answer any more: the flow has gone on, the time-out has passed, the
  /// session is over. What is returned or thrown then is dropped; a session ends only when every such task has returned.
  ///
  /// - Throws: `AdapterFailure`, which says whether the server may have acted.
  func answer(to request: AdapterRequest) async throws(AdapterFailure) -> AdapterResponse
}

/// One header of a request or an answer.
public struct AdapterHeader: Sendable, Hashable {
  /// In lower case in requests; as it came in answers.
  public var name: String
  /// Without control characters: where a flow has put one into a request, that is not sent, and counts as `unreachable`.
  public var value: String

  /// A header as it stands in a request or an answer.
  public init(_ name: String, _ value: String) {
    (self.name, self.value) = (name, value)
  }
}

extension AdapterHeader: CustomStringConvertible, CustomReflectable {
  /// Its name, and `••••••••` for its value, which might be secret.
  public var description: String { "\(name): \(hiddenText)" }

  /// Nothing but its `description`.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

/// A request of a flow to one of its live services.
///
/// It holds the real values of secrets, in its address, headers and body: what is logged is its `description`.
public struct AdapterRequest: Sendable, Hashable {
  /// The service's name in the flow.
  public let service: String
  /// Upper case: `GET POST PUT PATCH DELETE`.
  public let method: String
  /// Absolute and percent-encoded (RFC 3986).
  public let url: String
  /// In order, with `authorization` and `content-type` where they apply.
  ///
  /// `host`, `content-length` and the like are the adapter's.
  public let headers: [AdapterHeader]
  /// `nil` for a request without a body.
  public let body: [UInt8]?
  /// How long the flow waits for this try.
  ///
  /// The session holds to it; an adapter may give up by itself, with `lost`. An answer that comes before the session has
  /// noticed that the time is over is believed, however long the app was suspended: an adapter's own time-out should not
  /// count that time. `HTTPAdapter` reads for one more second what has come by then.
  public let timeout: Duration

  /// A request as a session makes it: to try an adapter without one.
  public init(
    service: String, method: String, url: String, headers: [AdapterHeader] = [], body: [UInt8]? = nil,
    timeout: Duration = .seconds(30)
  ) {
    (self.service, self.method, self.url, self.headers, self.body) = (service, method, url, headers, body)
    self.timeout = timeout
  }
}

extension AdapterRequest: CustomStringConvertible, CustomReflectable {
  /// Its method and service, without anything that might be secret.
  public var description: String { "\(method) to \(service)" }

  /// Nothing but its `description`.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

/// What a live service answered.
public struct AdapterResponse: Sendable, Hashable {
  /// The HTTP status: 100 to 999; another counts as no answer, `lost`.
  public var status: Int
  /// In the order in which they came, repeats kept.
  public var headers: [AdapterHeader]
  /// With the content encoding undone; the adapter bounds its size.
  ///
  /// A flow can keep and show texts of up to 1 MiB.
  public var body: [UInt8]

  /// An answer as it came.
  public init(status: Int, headers: [AdapterHeader] = [], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

extension AdapterResponse: CustomStringConvertible, CustomReflectable {
  /// Its status, without anything that might be secret.
  public var description: String { "\(status), \(body.count) bytes" }

  /// Nothing but its `description`.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

/// Why there is no answer.
public struct AdapterFailure: Error, Sendable, Hashable {
  /// Whether the server may have acted.
  public enum Kind: Sendable, Hashable {
    /// Nothing was sent: no network, no such host, refused, no trust. Asking again is safe.
    case unreachable
    /// It was sent, in part at least, and no answer came: the server may have acted.
    case lost
  }
  /// Whether the server may have acted.
  public var kind: Kind
  /// In words, for the trace; must hold nothing secret.
  public var reason: String

  /// A failure, with its reason in words.
  public init(_ kind: Kind, reason: String) {
    (self.kind, self.reason) = (kind, reason)
  }
}

/// The services of a flow that are real, and the adapter that reaches them.
public struct LiveServices: Sendable {
  /// One service, by its name among the flow's participants.
  public struct Service: Sendable, Hashable, ExpressibleByStringLiteral {
    /// Its name among the participants.
    public var name: String
    /// The address before every path, in place of the flow's `url`; `nil` for that of the flow.
    public var url: String?

    /// A service at an address, or at the one that the flow gives.
    public init(_ name: String, at url: String? = nil) {
      (self.name, self.url) = (name, url)
    }

    /// The name of a service that stands where the flow says.
    public init(stringLiteral name: String) { self.init(name) }
  }

  let services: [Service]
  let adapter: (any Adapter)?

  /// Services that are not named here are simulated by their models.
  public init(_ services: [Service], through adapter: any Adapter) {
    (self.services, self.adapter) = (services, adapter)
  }

  /// Everything is simulated.
  public static let none = LiveServices()

  private init() {
    services = []
    adapter = nil
  }
}
