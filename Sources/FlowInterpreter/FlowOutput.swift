import Expressions

/// Something that a session tells the app.
///
/// Values are the real ones, secrets included: what is logged is its `description`, that of its fields, or the trace.
public enum FlowOutput: Sendable, Hashable {
  /// The app is in this state now; `subflow` is the sub-flow that has it, `nil` for the flow itself; `isGoal` when it is
  /// what the flow is for.
  case entered(state: String, subflow: String?, title: String?, isGoal: Bool)
  /// What the flow tells the app's listeners, at most once.
  ///
  /// What the same step stores is kept before: a kill in between loses the emit. What must not be missed stands in the
  /// store too.
  case emitted(String, FlowFields)
  /// A screen to show, until the next one.
  case shown(screen: String, FlowFields)
  /// An address to open in the system's browser or an in-app browser tab (RFC 8252), never in a web view.
  ///
  /// Where it comes back to one of the flow's `redirectUris`, tell `FlowSession.arrive(at:)`; when the person closes it,
  /// `FlowSession.person(_:with:)` with `.closesBrowser`. Only pages of live services are opened so: simulated pages
  /// stand among `FlowSession.offers`.
  case opened(url: String)
  /// The browser tab that was opened is not needed any more: the flow has closed it, has come back from it, or has
  /// ended.
  case closedBrowser
  /// A live device is to do this; tell `FlowSession.performed(_:for:)` or `FlowSession.failedToPerform(_:for:)`.
  ///
  /// Hand the ask on with the result: one that comes too late is then never taken for that of another ask.
  case asked(FlowAsk, capability: String, FlowFields)
  /// What the device was asked is not asked any more: the state that asked was left before there was an answer, as when a
  /// timer goes off, or the session is over: the flow has ended or has failed, the session was stopped or cancelled, or
  /// `keep` or the clock has thrown.
  ///
  /// Take its prompt away, so that nobody answers it.
  case withdrawn(FlowAsk)
  /// Whether the app waits for the answer of a service now, from its request until the state decides on it, the pauses
  /// between two tries included, but for what else a sub-flow waits that a `retry` calls: to show that, with a spinner, say.
  ///
  /// Told when that has changed, before `waiting`; it is `false` to begin with, and once the session is over. An answer that
  /// is there at once, as those of simulated services mostly are, changes nothing, nor does one that leads to the next
  /// request at once.
  case awaitsAnswer(Bool)
  /// What happens by itself at this instant has happened: the flow waits for a person, an answer or time.
  ///
  /// `FlowSession.offers` says what a person can do.
  case waiting
  /// A line of the trace, with its line break; secrets are aliases. Only where the session was started with `traces`.
  case traced(String)
}

extension FlowOutput: CustomStringConvertible, CustomReflectable {
  /// What it tells, with the names of values in place of them, and of an address its origin alone.
  public var description: String {
    switch self {
    case .entered(let state, let subflow, _, let isGoal):
      "entered \(state)" + (subflow.map { " of \($0)" } ?? "") + (isGoal ? ", the goal" : "")
    case .emitted(let name, let fields): "emitted \(name)\(Self.names(of: fields))"
    case .shown(let screen, let fields): "shown \(screen)\(Self.names(of: fields))"
    case .opened(let url): "opened \(url.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//"))/…"
    case .closedBrowser: "closedBrowser"
    case .asked(let ask, let capability, let fields):
      "asked \(capability)\(Self.names(of: fields)), ask \(ask.number)"
    case .withdrawn(let ask): "withdrawn ask \(ask.number)"
    case .awaitsAnswer(let awaits): awaits ? "awaits an answer" : "awaits no answer"
    case .waiting: "waiting"
    case .traced(let line): "traced \(line)"
    }
  }

  /// Nothing but its `description`.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }

  private static func names(of fields: FlowFields) -> String {
    fields.values.isEmpty ? "" : " (\(fields.values.keys.sorted().joined(separator: ", ")))"
  }
}

/// What a device is, and who performs what the flow asks of it.
public struct FlowDevice: Sendable, Hashable {
  /// `device.native`.
  public var isNative: Bool
  /// `device.online` when the session starts; tell changes to `FlowSession.network(isOnline:)`.
  public var isOnline: Bool
  /// `device.platform`.
  public var platform: String
  /// Whether capabilities are asked of the app; otherwise the flow's examples are taken.
  public var isLive: Bool

  /// A device that is native, online and simulated unless something else is said.
  public init(isNative: Bool = true, isOnline: Bool = true, platform: String = "ios", isLive: Bool = false) {
    (self.isNative, self.isOnline, self.platform, self.isLive) = (isNative, isOnline, platform, isLive)
  }
}

/// Something that a person does.
public enum PersonAct: Sendable, Hashable {
  /// An event that the flow declares: `user.signsIn`.
  case event(String)
  /// Submits a form of the simulated page that is shown.
  case submits(form: String)
  /// Follows a link of the simulated page that is shown; `again` where it cannot be reached.
  case follows(link: String)
  /// Opens the newest simulated mail of this name, or the one that came as so many of them (the oldest is 1), and follows
  /// its first link or the one named.
  case opens(mail: String, nth: Int? = nil, link: String? = nil)
  /// Closes the browser tab, simulated or real.
  ///
  /// `InputError.unknown` where it is closed already, which an app that hears late of its tab ignores.
  case closesBrowser
}

/// Something that a person is offered now.
public struct FlowOffer: Sendable, Hashable {
  /// Something that is filled in.
  public struct Field: Sendable, Hashable {
    /// The name to give its value under.
    public let name: String
    /// What people call it, `nil` where the flow has no title for it.
    public let title: String?
    /// What it holds, as the flow declares it; a string where only some words are allowed.
    public var type: FlowValueType { FlowValueType(declared.type) }
    /// Whether it must not be seen: a password.
    public let isSecret: Bool
    /// The only words that it can hold, `nil` for any value.
    public let allowed: [String]?
    /// What the flow gives as an example, null where it gives none.
    public let example: FlowValue
    package let declared: ObjectType.Field
    /// The example as the trace shows it, `nil` where it is secret, and where nothing is traced.
    package let shown: String?
  }
  /// What to tell the session when the person does it.
  public let act: PersonAct
  /// What people call it, `nil` where the flow has no title for it.
  public let title: String?
  /// What can be given with it, in order.
  public let fields: [Field]

  /// An offer as a session makes it: for previews, and to test what shows it.
  public init(act: PersonAct, title: String? = nil, fields: [Field] = []) {
    (self.act, self.title, self.fields) = (act, title, fields)
  }
}

extension FlowOffer: CustomStringConvertible, CustomReflectable {
  /// What can be done, with the names of its fields: their examples may be secret.
  public var description: String {
    let names = fields.isEmpty ? "" : " (\(fields.map(\.name).joined(separator: ", ")))"
    return "\(act)\(names)"
  }

  /// Nothing but its `description`.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

extension FlowOffer.Field: CustomStringConvertible, CustomReflectable {
  /// Its name and type, without its example, which may be secret.
  public var description: String { "\(name) (\(isSecret ? "secret " : "")\(type.rawValue))" }

  /// Nothing but its `description`.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

extension FlowOffer.Field {
  /// A field as a session offers it: for previews, and to test what shows it.
  public init(
    name: String, title: String? = nil, type: FlowValueType = .string, isSecret: Bool = false,
    allowed: [String]? = nil, example: FlowValue = .null
  ) {
    let declared = ObjectType.Field(
      name: name, type: type.declared, secret: isSecret ? name : nil, allowed: allowed, title: title)
    self.init(
      name: name, title: title, isSecret: isSecret, allowed: allowed, example: example, declared: declared, shown: nil)
  }
}

/// What a field can hold, by the names that flows have for it.
public enum FlowValueType: String, Sendable, Hashable, CaseIterable {
  /// `FlowValue.string`.
  case string
  /// `FlowValue.bool`.
  case bool
  /// `FlowValue.int`.
  case int
  /// `FlowValue.double`, or a whole number.
  case double
  /// `FlowValue.instant`, or its text (RFC 3339).
  case timestamp
  /// `FlowValue.duration`, or its text: `90s`, `3d`.
  case duration
  /// Any value.
  case json
  /// `FlowValue.list`.
  case list
  /// `FlowValue.map`.
  case map

  init(_ type: ValueType) {
    self =
      switch type {
      case .string: .string
      case .bool: .bool
      case .int: .int
      case .double: .double
      case .timestamp: .timestamp
      case .duration: .duration
      case .list: .list
      case .map, .object: .map
      case .dyn, .null: .json
      case .optional(let inner): FlowValueType(inner)
      }
  }

  /// What stands for it where nothing is known of what a list or a map holds.
  fileprivate var declared: ValueType {
    switch self {
    case .string: .string
    case .bool: .bool
    case .int: .int
    case .double: .double
    case .timestamp: .timestamp
    case .duration: .duration
    case .json: .dyn
    case .list: .list(.dyn)
    case .map: .map(key: .string, value: .dyn)
    }
  }
}

/// What became of an event.
public enum Reception: Sendable, Hashable {
  /// It has led to something, or will where the flow keeps such events for a state that takes them.
  ///
  /// What that stores may not be kept yet: a kill before `keep` is done loses it, with the link that was opened.
  case taken
  /// Nothing in the state that the app is in takes it.
  case ignored
}
