import Expressions
import FlowEngine
import FlowSpec

/// What a flow and its app name to each other: what an app's tests hold its own handlers against, so that a screen that is
/// new in the flow fails a test and not a person.
///
/// All in the order in which the flow declares it, or first names it; screens by name.
public struct FlowInterface: Sendable, Hashable {
  /// The states that `FlowOutput.entered` can tell, those of sub-flows behind the flow's own.
  public let states: [FlowState]
  /// What the flow itself can end with; what `FlowSession.run()` returns.
  public let ends: [String]
  /// What a person does: `PersonAct.event`.
  public let events: [FlowSignal]
  /// The links that lead into the app; its system has to know them, and tells them with `FlowSession.arrive(at:)`.
  public let links: [FlowLink]
  /// Where the browser comes back to the app, as the flow's own `config` has it.
  public let redirectURIs: [String]
  /// What the flow takes of the query with which it comes back; empty where nothing does.
  public let redirectFields: [FlowField]
  /// What `FlowOutput.emitted` can tell.
  public let emits: [FlowSignal]
  /// What `FlowOutput.shown` can tell.
  ///
  /// Of a screen that the flow does not declare the fields are those that are shown with it anywhere, of any type.
  public let screens: [FlowSignal]
  /// What `FlowOutput.asked` can ask of a live device.
  public let capabilities: [FlowCapability]
  /// The HTTP peers, which `LiveServices` names.
  public let services: [FlowService]
  /// What `FlowSession.init` takes as `config`.
  public let config: [FlowField]
  /// What `FlowStore` keeps.
  public let store: [FlowField]
}

/// A state of the app.
public struct FlowState: Sendable, Hashable {
  /// Its name, which only its sub-flow or the flow itself has once.
  public let name: String
  /// The sub-flow that has it, `nil` for the flow itself.
  public let subflow: String?
  /// The name of the state that it stands in, `nil` where that is the flow or the sub-flow itself.
  public let parent: String?
  /// What people call it, `nil` where the flow has no title for it.
  public let title: String?
  /// Whether it is what the flow is for.
  public let isGoal: Bool
  /// Whether the person may leave the app in it.
  public let isRest: Bool
}

/// Something that the app tells the flow or hears from it, with values.
public struct FlowSignal: Sendable, Hashable {
  /// In full: `user.signsIn`.
  public let name: String
  /// What people call it, `nil` where the flow has no title for it; emits have none.
  public let title: String?
  /// The values that come with it; one that is null may be left out.
  public let fields: [FlowField]
}

/// A link that leads into the app.
public struct FlowLink: Sendable, Hashable {
  /// As the flow names it: `signIn`.
  public let name: String
  /// Its address, with variables in braces: `https://app.example/sign-in/{token}`.
  public let address: String
  /// What the flow takes of it; empty where nothing does.
  public let fields: [FlowField]
}

/// What the app can ask of the device.
public struct FlowCapability: Sendable, Hashable {
  /// As `FlowOutput.asked` says it.
  public let name: String
  /// What people call it.
  public let title: String
  /// What is given with it.
  public let input: [FlowField]
  /// What `FlowSession.performed(_:for:)` takes.
  public let result: [FlowField]
  /// What `FlowSession.failedToPerform(_:for:)` takes.
  public let failures: [String]
}

/// An HTTP peer of the flow.
public struct FlowService: Sendable, Hashable {
  /// As `LiveServices` names it.
  public let name: String
  /// What people call it; its name where the flow has no title for it.
  public let title: String
  /// Where it answers, as the flow's own `config` has it; `nil` where the flow does not say.
  public let url: String?
  /// Whether it can be simulated; otherwise it has to be live.
  public let hasModel: Bool
}

/// A value that goes into a flow or comes out of it, as the flow declares it.
public struct FlowField: Sendable, Hashable {
  /// The name that the value stands under.
  public let name: String
  /// What people call it, `nil` where the flow has no title for it.
  public let title: String?
  /// What it holds; a string where only some words are allowed, a map where it is a table.
  public let type: FlowValueType
  /// The fields of its rows where it is a table; `nil` for anything else.
  public let rows: [FlowField]?
  /// Whether it must not be seen.
  public let isSecret: Bool
  /// The only words that it can hold, `nil` for any value.
  public let allowed: [String]?
  /// What it is to begin with, null where it is unset then: of a `config` what the flow itself gives it, of a table the
  /// rows that it has.
  ///
  /// `nil` for what is no `config`, no key of the store and no field of its rows, and for what is secret or has secret
  /// fields.
  public let initial: FlowValue?

  /// Whether it must not be seen, or in a table some field of its rows.
  var holdsSecrets: Bool { isSecret || rows?.contains(where: \.holdsSecrets) == true }

  init(_ field: ObjectType.Field, initial: Value? = nil, rows: [FlowField]? = nil) {
    (name, title, type) = (field.name, field.title, FlowValueType(field.type))
    (isSecret, allowed) = (field.secret != nil, field.allowed)
    let isHidden = isSecret || field.type.secretInside != nil
    (self.initial, self.rows) = (isHidden ? nil : initial.map { FlowValue($0) }, rows)
  }

  fileprivate init(_ key: Key) {
    let rows = key.rowKeepings.map { FlowField($0.field, initial: $0.initial.value) }
    self.init(key.field, initial: key.initial, rows: key.isTable ? rows : nil)
  }
}

extension CheckedFlow {
  /// What the flow and its app name to each other, for the app's tests.
  public var interface: FlowInterface { FlowInterface(flow) }
}

extension FlowInterface {
  init(_ flow: Flow) {
    let app = flow.app
    states = app.states.filter { $0.parent != nil }.map { FlowState($0, of: app) }
    ends = app.routines[0].ends
    events = app.events.filter { $0.kind == .person }
      .map { FlowSignal(name: $0.name, title: $0.title, fields: $0.fields.fields.map { FlowField($0) }) }
    links = flow.links.map { FlowLink($0, of: app) }
    redirectURIs = flow.redirectURIs.compactMap { $0.text(over: app.configValues)?.string }
    redirectFields = app.redirected.map { app.events[$0].fields.fields.map { FlowField($0) } } ?? []
    emits = app.emits.map { FlowSignal(name: $0.title, title: nil, fields: $0.fields.map { FlowField($0) }) }
    screens = Self.screens(of: flow)
    capabilities = flow.capabilities.map(FlowCapability.init)
    services = flow.services.map { FlowService($0, of: flow) }
    config = app.config.map { FlowField($0.field, initial: $0.value) }
    store = app.store.map { FlowField($0) }
  }

  private static func screens(of flow: Flow) -> [FlowSignal] {
    var screens: [String: [FlowField]] = [:]
    for case .show(let screen, let given) in flow.app.actions.map(\.kind) {
      var fields = screens[screen] ?? []
      for value in given where !fields.contains(where: { $0.name == value.name }) {
        fields.append(FlowField(value.declared ?? ObjectType.Field(name: value.name, type: .dyn)))
      }
      screens[screen] = fields
    }
    return screens.sorted { $0.key < $1.key }
      .map { FlowSignal(name: $0.key, title: flow.screenTitles[$0.key], fields: $0.value) }
  }
}

extension FlowState {
  fileprivate init(_ state: State, of app: Machine) {
    // The outermost are named nowhere.
    let parent = state.parent.flatMap { app.states[$0].parent == nil ? nil : app.states[$0].name }
    self.init(
      name: state.name, subflow: app.subflow(of: state), parent: parent,
      title: state.title, isGoal: state.isGoal, isRest: state.isRest)
  }
}

extension FlowLink {
  fileprivate init(_ link: LinkPattern, of app: Machine) {
    self.init(
      name: link.name, address: link.text,
      fields: link.event.map { app.events[$0].fields.fields.map { FlowField($0) } } ?? [])
  }
}

extension FlowCapability {
  fileprivate init(_ capability: Capability) {
    self.init(
      name: capability.name, title: capability.title, input: capability.input.fields.map { FlowField($0) },
      result: capability.result.fields.map { FlowField($0) }, failures: capability.failures)
  }
}

extension FlowService {
  fileprivate init(_ service: Service, of flow: Flow) {
    let participant = flow.participants[service.participant]
    self.init(
      name: participant.name, title: participant.title,
      url: service.url?.text(over: flow.app.configValues)?.string, hasModel: service.model != nil)
  }
}
