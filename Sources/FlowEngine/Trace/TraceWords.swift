import Expressions
import FlowSpec
import JSONSyntax

/// What every trace of a flow says alike, prepared once.
final class TraceWords: Sendable {
  /// Without a scenario.
  let header: TraceHeader
  /// The members of the header before those of the scenario, and those behind its start.
  let headerStart: [UInt8]
  let headerEnd: [UInt8]
  /// The members that say whom a line is about, by participant.
  let who: [[UInt8]]
  let from: [[UInt8]]
  let to: [[UInt8]]
  /// The first members of the lines that are most of a trace, by participant.
  let state: [[UInt8]]
  let transition: [[UInt8]]
  let set: [[UInt8]]
  /// What people call events and capabilities, by name: an event's name has a dot, a capability's has none.
  let titles: [String: String]
  let screenTitles: [String: String]
  let secrets: SecretMembers
  private let states: IdentityTable<StateWords>
  private let transitions: IdentityTable<TransitionWords>
  private let conditions: IdentityTable<ConditionWords>
  private let keys: IdentityTable<KeyWords>

  /// What is not prepared is made whenever it is asked for.
  convenience init(_ flow: Flow, arePrepared: Bool = true) {
    var titles: [String: String] = [:]
    for event in flow.app.events { titles[event.name] = event.title }
    for capability in flow.capabilities { titles[capability.name] = capability.title }
    var model = Model(secrets: SecretMembers(flow))
    if arePrepared { model.add(flow.app, lane: Lanes(flow).app, service: nil) }
    for (index, service) in flow.services.enumerated() where arePrepared {
      // Who acts in a model that answers for several participants shows where it happens.
      guard let own = service.model,
        !flow.services.indices.contains(where: { $0 != index && flow.services[$0].model === own })
      else { continue }
      model.add(own, lane: service.participant, service: index)
    }
    self.init(TraceHeader(flow), titles: titles, screenTitles: flow.screenTitles, model: model)
  }

  init(
    _ header: TraceHeader, titles: [String: String] = [:], screenTitles: [String: String] = [:],
    model: Model = Model(secrets: SecretMembers())
  ) {
    self.header = header
    self.titles = titles
    self.screenTitles = screenTitles
    headerStart = JSONWriter.behind { header.writeFlow(to: &$0) }
    headerEnd = JSONWriter.behind { header.writeParticipants(to: &$0) }
    who = Self.members("who", header)
    from = Self.members("from", header)
    to = Self.members("to", header)
    state = Self.members("who", header, behind: .state)
    transition = Self.members("who", header, behind: .transition)
    set = Self.members("who", header, behind: .set)
    secrets = model.secrets
    states = IdentityTable(model.states)
    transitions = IdentityTable(model.transitions)
    conditions = IdentityTable(model.conditions)
    keys = IdentityTable(model.keys)
  }

  /// A member with the name of each participant, behind the kind of a line where it is given.
  private static func members(_ name: StaticString, _ header: TraceHeader, behind kind: TraceKind? = nil) -> [[UInt8]] {
    header.participants.map { participant in
      JSONWriter.behind(room: 64) { line in
        line.member("kind", kind?.rawValue)
        line.member(name, participant.name)
      }
    }
  }

  /// `nil` for what has no words of its own: a state of a model that answers for several participants.
  func words(of state: State) -> StateWords? { states[ObjectIdentifier(state)] }

  /// The same; what every route may give stands on no place of its own, either.
  func words(of transition: Transition) -> TransitionWords? { transitions[ObjectIdentifier(transition)] }

  func words(of condition: PlacedExpression) -> ConditionWords {
    conditions[ObjectIdentifier(condition)] ?? ConditionWords(condition, hidden: secrets.anywhere)
  }

  func words(of key: Key) -> KeyWords { keys[ObjectIdentifier(key)] ?? KeyWords(key) }
}

extension TraceWords {
  /// The words for what a flow and its models are made of.
  struct Model {
    let secrets: SecretMembers
    private(set) var states: [(object: ObjectIdentifier, element: StateWords)] = []
    private(set) var transitions: [(object: ObjectIdentifier, element: TransitionWords)] = []
    private(set) var conditions: [(object: ObjectIdentifier, element: ConditionWords)] = []
    private(set) var keys: [(object: ObjectIdentifier, element: KeyWords)] = []

    init(secrets: SecretMembers) { self.secrets = secrets }

    mutating func add(_ model: ServiceModel, lane: Happening.Lane, service: Int) {
      add(model.machine, lane: lane, service: service)
      for route in model.routes {
        add(route.next, at: route.line, of: model.machine, lane: lane, service: service)
      }
      for transition in model.sometimes { add(transition.when) }
    }

    mutating func add(_ machine: Machine, lane: Happening.Lane, service: Int?) {
      states.reserveCapacity(states.count + machine.states.count)
      transitions.reserveCapacity(transitions.count + machine.transitionCount)
      conditions.reserveCapacity(conditions.count + machine.transitionCount)
      keys.reserveCapacity(keys.count + machine.store.count + machine.memory.count)
      for key in machine.store + machine.memory { keys.append((ObjectIdentifier(key), KeyWords(key))) }
      for state in machine.states {
        if state.parent != nil { states.append((ObjectIdentifier(state), StateWords(state, of: machine, lane: lane))) }
        if case .request(let spec) = state.activity { add(spec.retry?.when) }
        let all = [state.next] + state.on.map(\.transitions) + state.after.map(\.transition)
        for transitions in all { add(transitions, at: state.name, of: machine, lane: lane, service: service) }
      }
    }

    private mutating func add(
      _ added: [Transition], at source: String, of machine: Machine, lane: Happening.Lane, service: Int?
    ) {
      for transition in added {
        let words = TransitionWords(transition, of: machine, source: source, lane: lane, service: service)
        // What stands on a whole service says on whose route it was taken.
        if service == nil || !source.isEmpty { transitions.append((ObjectIdentifier(transition), words)) }
        add(transition.when)
      }
    }

    private mutating func add(_ condition: Condition?) {
      switch condition {
      case nil: break
      case .expression(let placed)?:
        conditions.append((ObjectIdentifier(placed), ConditionWords(placed, hidden: secrets.anywhere)))
      case .all(let inner)?, .any(let inner)?: for condition in inner { add(condition) }
      case .not(let inner)?: add(inner)
      }
    }
  }
}

extension StateWords {
  convenience init(_ state: State, of machine: Machine, lane: Happening.Lane) {
    let subflow = state.routine == 0 ? nil : machine.routines[state.routine].name
    self.init(lane: lane, name: state.name, title: state.title, subflow: subflow, isGoal: state.isGoal)
  }
}

extension TransitionWords {
  convenience init(
    _ transition: Transition, of machine: Machine, source: String, lane: Happening.Lane, service: Int?
  ) {
    let target: Target =
      switch transition.target {
      case .stay: .stay
      case .state(let index): .state(machine.states[index].name)
      case .end(let name): .end(name)
      case .reply: .reply
      }
    self.init(
      lane: lane, source: source, name: transition.name, target: target, service: service, id: transition.id)
  }
}

extension JSONWriter {
  /// What is written behind a member of an object, its comma first; nothing where nothing is.
  static func behind(room: Int = 128, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(room: room)
    writer.beginObject()
    write(&writer)
    if writer.count == 1 { return [] }
    var bytes = writer.taken()
    bytes[0] = UInt8(ascii: ",")
    return bytes
  }
}
