import Expressions

/// Builds the machine of one document, with every name resolved to an index.
struct MachineBuilder: Sendable {
  enum Purpose: Sendable {
    case app, service
  }

  /// A state whose index is known and that is still to be built.
  struct Slot: Sendable {
    let name: String
    let declaration: Declaration
    let parent: Int?
    let routine: Int
    let site: Site
  }

  let purpose: Purpose
  let document: Declaration
  let surroundings: Surroundings
  var compilation: Compilation
  var store: [Key] = []
  var memory: [Key] = []
  var config: [ConfigKey] = []
  /// Where each key stands among those of store and memory together.
  var keyIndices: [String: Int] = [:]
  var groups: [String: [(area: Place.Area, key: Int)]] = [:]
  var events: [Event] = []
  /// Where each event stands, by its name.
  var eventIndices: [String: Int] = [:]
  /// Names that are declared as events and are none.
  var refusedEvents: Set<String> = []
  var emits: [ObjectType] = []
  /// Where each emit stands, by its name.
  var emitIndices: [String: Int] = [:]
  /// Events, sub-flows and emits (`emits.NAME`) whose declarations are wrong: what they bring may be anything.
  var broken: Set<String> = []
  var screens: [String: ObjectType] = [:]
  /// Names whose values are secret in the traffic of a service.
  lazy var listedSecrets = document["secrets"].items.compactMap { SecretName($0.string ?? "") }
  /// Whose events are declared, by what stands before the first dot.
  lazy var lanes = Set(document["events"].entries.map { String($0.name.prefix { $0 != "." }) })
  var actionLists: [String: Declaration] = [:]
  /// Named lists being inlined, outermost first.
  var inlining: [String] = []
  /// How many actions the `do` under way has by now, those of named lists counted wherever they are used.
  var actionCount = 0
  /// How many parts all named lists and groups come to so far, each counted wherever it is used.
  var partCount = 0
  /// Named lists that were found to contain themselves.
  var circular: Set<String> = []
  var slots: [Slot] = []
  var routines: [Routine] = []
  /// Where each sub-flow stands, by its name; the first of a name counts.
  var routineIndices: [String: Int] = [:]
  /// State names of each routine.
  var stateNames: [[String: Int]] = []
  /// Names of the ends of each routine.
  var endNames: [Set<String>] = []
  /// State names in order, of the routines in which one was sought in vain.
  var sortedNames: [Int: [String]] = [:]
  /// Kinds of participants, and "redirectUris", that were found missing.
  var missing: Set<String> = []
  var transitionCount = 0
  /// The variables of all routes of a service, for what any of them may come to.
  var anyPath = ValueType.dyn
  /// What is in scope everywhere in this machine.
  var base = Standing(scope: Scope(variables: []))

  init(
    _ purpose: Purpose, _ document: Declaration, _ surroundings: Surroundings, _ findings: Findings,
    _ references: References
  ) {
    (self.purpose, self.document, self.surroundings) = (purpose, document, surroundings)
    compilation = Compilation(document, findings, references)
    readKeys()
    base = standing()
    readLets()
    for entry in document["actions"].entries {
      compilation.ledger.declare(.action, entry.name, at: entry.nameSite)
      actionLists[entry.name] = entry.value
    }
    if purpose == .app { readSignals() }
    compilation.checkRefs(of: document)
    collectStates()
  }

  /// The finished machine; what stands beside it (routes) has been built before, so that all events are known.
  mutating func machine() -> Machine {
    let states = slots.indices.map { state($0) }
    refuseDeepCalls(of: states)
    var (traversed, responseReadings, taken): (Set<[String]>, Set<String>, Set<String>) = ([], [], [])
    var readsResponseText = false
    for placed in compilation.noted {
      if !placed.expression.facts.traversed.isEmpty { traversed.formUnion(placed.expression.facts.traversed) }
      readsResponseText = readsResponseText || placed.expression.facts.references.contains(["response", "text"])
      for reading in placed.expression.readings where reading.name.hasPrefix("response.") {
        responseReadings.insert(reading.name)
        if placed.expression.type != .bool { taken.insert(reading.name) }
      }
    }
    let machine = Machine(
      store: store, memory: memory, config: config, events: events, emits: emits, states: states, routines: routines,
      traversed: Set(store.indices.filter { traversed.contains(["store", store[$0].name]) }),
      readsResponseText: readsResponseText, responseReadings: responseReadings,
      responseLooks: responseReadings.subtracting(taken), bounds: bounds, lets: base.scope.lets,
      definitions: compilation.definitions, document: document)
    compilation.warnOfDoubtful(in: machine)
    return machine
  }

  private var bounds: [String: Bound] {
    var bounds: [String: Bound] = [:]
    for comparison in compilation.noted.flatMap(\.expression.facts.comparisons)
    where ["store", "memory"].contains(comparison.path.first) {
      let name = comparison.path.joined(separator: ".")
      for bound in comparison.bounds.map({ Bound(number: $0, setting: nil) }) + setting(at: comparison.otherPath)
      where bound.number > bounds[name]?.number ?? .min {
        bounds[name] = bound
      }
    }
    return bounds
  }

  private func setting(at path: [String]) -> [Bound] {
    guard path.count == 2, path[0] == "config", let key = config.first(where: { $0.name == path[1] }),
      case .int(let number) = key.value
    else { return [] }
    return [Bound(number: number, setting: key.name)]
  }

  private mutating func readKeys() {
    config = document["config"].entries.compactMap { compilation.configKey($0) }
    store = document["store"].entries.compactMap { compilation.key($0) }
    memory = document["memory"].entries.compactMap { compilation.key($0) }
    checkUniqueNames(store + memory)
    for (index, key) in (store + memory).enumerated() {
      let isStored = index < store.count
      for group in key.groups {
        groups[group, default: []].append((isStored ? .store : .memory, isStored ? index : index - store.count))
      }
    }
    var declared: Set<String> = []
    for group in namedGroups {
      guard let name = group.string, groups[name] != nil, declared.insert(name).inserted else { continue }
      compilation.ledger.declare(.group, name, at: group.site)
    }
  }

  /// The groups of all keys, as they stand there.
  private var namedGroups: [Declaration] {
    [document["store"], document["memory"]].flatMap(\.entries).flatMap { $0.value["group"].items }
  }

  private mutating func checkUniqueNames(_ keys: [Key]) {
    keyIndices.reserveCapacity(keys.count)
    for (index, key) in keys.enumerated() {
      if let first = keyIndices[key.name] {
        refuse(key.name, at: key.site, after: keys[first])
      } else {
        keyIndices[key.name] = index
      }
    }
    var told: Set<String> = []
    for group in namedGroups {
      guard let name = group.string, let first = keyIndices[name], told.insert(name).inserted else { continue }
      refuse(name, at: group.site, after: keys[first])
    }
  }

  private mutating func refuse(_ name: String, at site: Site, after first: Key) {
    compilation.findings.error(
      "duplicate-name", "\"\(name)\" is the name of a key already", at: site, "again",
      help: "store, memory and groups share their names: paths in \"set\" and \"clear\" are bare",
      related: (first.site, "first"))
  }

  private func standing() -> Standing {
    func object(_ title: String, _ fields: [ObjectType.Field]) -> ValueType {
      .object(ObjectType(title: title, fields: fields))
    }
    let variables = [
      Scope.Variable(name: "store", type: object("store", store.map(\.field)), root: Root.store.rawValue),
      Scope.Variable(name: "memory", type: object("memory", memory.map(\.field)), root: Root.memory.rawValue),
      Scope.Variable(name: "config", type: object("config", config.map(\.field)), root: Root.config.rawValue),
      Scope.Variable(name: "device", type: .object(Standing.device), root: Root.device.rawValue),
      Scope.Variable(name: "now", type: .timestamp, root: Root.now.rawValue),
    ]
    return Standing(
      scope: Scope(
        variables: variables, elsewhere: Standing.elsewhere,
        abilities: Scope.Abilities(rawValue: purpose == .service ? Scope.Abilities.jwt.rawValue : 0)))
  }
}
