import Expressions

/// States, transitions and keys of the app or of a service, with every name resolved to an index.
package final class Machine: Sendable {
  package let store: [Key]
  package let memory: [Key]
  package let config: [ConfigKey]
  /// The values of `config`.
  package let configValues: [Value]
  /// What `store` and `memory` begin with.
  package let initialStore: [Value]
  package let initialMemory: [Value]
  /// Events in document order of declaration; `EventHandler.event` indexes this.
  package let events: [Event]
  /// Which event a navigation to a redirect URI is, where the flow takes it.
  package let redirected: Int?
  package let emits: [ObjectType]
  package let states: [State]
  /// For each state the state itself and those around it, from the inside out.
  private let enclosing: [[Int]]
  /// The first is the machine's own flow; others are its sub-flows.
  package let routines: [Routine]
  /// Keys of the store whose entries an expression counts, goes through or compares as a whole.
  package let traversed: Set<Int>
  /// By key of the store, whether it is a table of which none counts or goes through the rows.
  package let mayDropRows: [Bool]
  /// Whether an expression reads `response.text`; where none does, the text of a JSON body is never made.
  package let readsResponseText: Bool
  /// What expressions read of answers, as a trace shows it: `response.json.?error`.
  package let responseReadings: Set<String>
  /// Those of them that conditions alone read: of a list or a map only the names in it are told.
  package let responseLooks: Set<String>
  /// By key, as expressions name it, the largest number that it is compared with.
  package let bounds: [String: Bound]
  /// The lets that its document declares.
  let lets: [String: Let]
  /// Where they are written.
  let definitions: [String: Site]
  /// The document in which it stands.
  let document: Declaration

  init(
    store: [Key], memory: [Key], config: [ConfigKey], events: [Event], emits: [ObjectType], states: [State],
    routines: [Routine], traversed: Set<Int>, readsResponseText: Bool, responseReadings: Set<String>,
    responseLooks: Set<String>, bounds: [String: Bound], lets: [String: Let], definitions: [String: Site],
    document: Declaration
  ) {
    (self.store, self.memory, self.config) = (store, memory, config)
    configValues = config.map(\.value)
    initialStore = store.map(\.initial)
    initialMemory = memory.map(\.initial)
    self.events = events
    redirected = events.firstIndex { $0.kind == .browserRedirected }
    (self.emits, self.states) = (emits, states)
    enclosing = states.indices.map { Self.enclosing($0, of: states) }
    (self.routines, self.traversed) = (routines, traversed)
    mayDropRows = store.indices.map { store[$0].isTable && !traversed.contains($0) }
    (self.readsResponseText, self.responseReadings) = (readsResponseText, responseReadings)
    (self.responseLooks, self.bounds) = (responseLooks, bounds)
    (self.lets, self.definitions, self.document) = (lets, definitions, document)
  }

  private static func enclosing(_ state: Int, of states: [State]) -> [Int] {
    Array(sequence(first: state) { states[$0].parent })
  }

  /// Whether it takes that the browser has come back, or was closed.
  package var hearsOfBrowser: Bool { redirected != nil || events.contains { $0.kind == .browserClosed } }

  /// The state itself and those around it, from the inside out.
  package func enclosing(_ state: Int) -> [Int] { enclosing[state] }

  /// The name of the sub-flow that has a state, `nil` for the flow itself.
  package func subflow(of state: State) -> String? { state.routine == 0 ? nil : routines[state.routine].name }

  /// Whether a state is another, or stands around it.
  package func encloses(_ outer: Int, _ inner: Int) -> Bool {
    enclosing[inner].contains(outer)
  }

  /// The innermost state that encloses source and target and is not the target: it is not left.
  package func border(source: Int, target: Int) -> Int {
    enclosing[target].dropFirst().first { encloses(target, source) || encloses($0, source) } ?? target
  }

  /// The states that a transition to one enters, from the outside in; without a source all around it, as where a sub-flow
  /// begins.
  func entered(_ target: Int, from source: Int?) -> [Int] {
    let border = source.map { self.border(source: $0, target: target) }
    return enclosing(target).prefix { $0 != border }.reversed() + starts(in: target)
  }

  /// What a transition of a state does, with what the states do that it enters, and the last of these.
  func deeds(of transition: Transition, in source: Int) -> (actions: [Action], leaf: Int?) {
    guard case .state(let target) = transition.target else { return (transition.actions, nil) }
    let entered = entered(target, from: source)
    return (transition.actions + entered.flatMap { states[$0].entry }, entered.last ?? target)
  }

  /// Those that are entered with a state, from the outside in.
  func starts(in state: Int) -> [Int] { Array(sequence(first: state) { self.states[$0].start }.dropFirst()) }

  /// The state that is waited in after entering this one: compound states are entered down to a leaf.
  func leaf(of state: Int) -> Int { starts(in: state).last ?? state }
}

/// A number with which a count is compared.
package struct Bound: Sendable, Hashable {
  package let number: Int64
  /// The setting that says it, `nil` where it is written out.
  package let setting: String?
}

/// A flow or sub-flow: a tree of states below an implicit root.
package struct Routine: Sendable {
  package let name: String
  package let title: String?
  /// Index of the implicit compound state that holds the routine's states.
  ///
  /// It has no name, is never shown, and carries what stands on the flow itself: `on`, `after`.
  package let root: Int
  /// Names of its ends, in declared order; the main flow's are those its `end`s name.
  package let ends: [String]
}

package final class State: Sendable {
  package enum Activity: Sendable {
    /// Waits, or decides when it has `next`.
    case none
    case request(RequestSpec)
    case perform(PerformSpec)
    /// Index into `Machine.routines`.
    case call(Int)
    /// A compound state; the state that is entered with it.
    case compound(start: Int)
    case end(String)
  }
  package let name: String
  package let title: String?
  /// `nil` for a routine's root.
  package let parent: Int?
  package let routine: Int
  package let refs: [String]
  /// Those that a message of its `do` takes: none where being in it causes a message itself.
  package let refsOfEntry: [String]
  /// Those that no message takes.
  package let refsOfLine: [String]
  package let entry: [Action]
  package let activity: Activity
  /// The state that is entered with it, `nil` where it has none in it.
  package let start: Int?
  package let next: [Transition]
  /// In document order.
  package let on: [EventHandler]
  package let after: [Timer]
  package let isGoal: Bool
  package let isRest: Bool
  /// Its name; `extent` is the whole of it.
  package let site: Site
  let extent: Site

  init(
    name: String, title: String?, parent: Int?, routine: Int, refs: [String], entry: [Action], activity: Activity,
    next: [Transition], on: [EventHandler], after: [Timer], isGoal: Bool, isRest: Bool, site: Site,
    extent: Site
  ) {
    (self.name, self.title, self.parent, self.routine, self.refs) = (name, title, parent, routine, refs)
    refsOfEntry = activity.asks ? [] : refs
    refsOfLine = entry.contains(where: \.carriesRefs) ? [] : refsOfEntry
    (self.entry, self.activity) = (entry, activity)
    if case .compound(let start) = activity { self.start = start } else { start = nil }
    (self.next, self.on, self.after, self.isGoal, self.isRest) = (next, on, after, isGoal, isRest)
    (self.site, self.extent) = (site, extent)
  }
}

extension State.Activity {
  /// Whether it causes a message that the state's ref can go to: the request, the question to the device.
  fileprivate var asks: Bool {
    switch self {
    case .request, .perform: true
    case .none, .call, .compound, .end: false
    }
  }
}

package struct EventHandler: Sendable {
  /// Index into `Machine.events`.
  package let event: Int
  package let transitions: [Transition]
}

package struct Timer: Sendable {
  package enum Due: Sendable {
    case wait(PlacedTemplate)
    case at(PlacedTemplate)
  }
  package let due: Due
  package let transition: [Transition]
}

package final class Transition: Sendable {
  package enum Target: Sendable {
    case stay
    /// Index into `Machine.states`.
    case state(Int)
    case end(String)
    case reply(Reply)

    /// Whether no state is left.
    var isStay: Bool { if case .stay = self { true } else { false } }
  }
  /// Counts over the machine, for coverage.
  package let id: Int
  package let name: String?
  package let refs: [String]
  package let when: Condition?
  /// The line that its guard is, when it is one alone.
  package let line: PlacedExpression?
  package let actions: [Action]
  package let target: Target
  /// Never happens by itself; only in services.
  package let isSometimes: Bool
  /// Whether one of its actions carries its refs.
  package let causesMessage: Bool
  /// Whether something in it is wrong, for which it lacks its target or its actions.
  let hasMistake: Bool
  package let site: Site

  init(
    id: Int, name: String?, refs: [String], when: Condition?, actions: [Action], target: Target, isSometimes: Bool,
    hasMistake: Bool, site: Site
  ) {
    (self.id, self.name, self.refs, self.when) = (id, name, refs, when)
    if case .expression(let placed) = when { line = placed } else { line = nil }
    (self.actions, self.target, self.isSometimes) = (actions, target, isSometimes)
    causesMessage = actions.contains(where: \.carriesRefs)
    (self.hasMistake, self.site) = (hasMistake, site)
  }
}

package final class PlacedExpression: Sendable {
  package let expression: Expression
  /// The string token that holds it.
  package let site: Site
  /// Where it begins in the decoded string: 0 but for the key of a row in a path.
  package let offset: Int
  /// Refs of the lets that it uses.
  package let refs: [String]

  init(expression: Expression, site: Site, offset: Int, refs: [String]) {
    (self.expression, self.site, self.offset, self.refs) = (expression, site, offset, refs)
  }
}

package final class PlacedTemplate: Sendable {
  package let template: Template
  /// The string token that holds it.
  package let site: Site
  /// Where it begins in the decoded string: 0 but for a segment of a path.
  package let offset: Int
  /// Its text, where there is no expression in it and it surely may be sent.
  package let literal: Value?

  init(template: Template, site: Site, offset: Int) {
    self.template = template
    literal = template.literalText.flatMap { $0.utf8.count < 4096 ? .string($0) : nil }
    (self.site, self.offset) = (site, offset)
  }
}
