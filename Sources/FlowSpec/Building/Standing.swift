import Expressions

/// What expressions can read and call at a place.
struct Standing: Sendable {
  var scope: Scope
  /// What the conditions that hold here test for null, as expressions name it, each once.
  var tested: [String] = []
  /// What is there for as long as nothing takes it away while a state waits: its `do` has set it.
  var kept: [String] = []
  /// The state that has been entered, for what is there on every way to it; `nil` where nobody knows what came since.
  var state: Int?
  /// What may have been taken away since then, as expressions name it.
  var gone: Set<String> = []
  /// What is surely not there, as it was cleared just before.
  var emptied = EmptiedKeys()
  /// The service whose answer `response` is.
  var answering: Destination?
  /// The key to which a value is given, of one without rows.
  var setting: String?
  /// The name of the event that `event` is; `nil` where its declaration is wrong.
  var hearing: String?

  func reading(_ name: String, _ type: ValueType, _ root: Root) -> Standing {
    reading(Scope.Variable(name: name, type: type, root: root.rawValue))
  }

  private func reading(_ variable: Scope.Variable) -> Standing {
    var copy = self
    copy.scope.variables.removeAll { $0.name == variable.name }
    copy.scope.variables.append(variable)
    return copy
  }

  func reading(_ event: Event) -> Standing {
    var copy = reading("event", .object(event.fields), .event)
    copy.hearing = event.name
    return copy
  }

  func readingResponse(of service: Destination? = nil) -> Standing {
    var copy = reading(Self.responseVariable)
    copy.answering = service
    copy.emptied = EmptiedKeys()
    return copy
  }

  func reading(result: ObjectType) -> Standing { reading("result", .object(result), .result) }

  func reading(requestWithPath path: ValueType) -> Standing {
    reading("request", .object(Self.request(path: path)), .request)
  }

  /// Where addresses are declared, which hold at no one moment.
  func readingOnly(_ names: [String]) -> Standing {
    var copy = self
    let sentence = "an address of a participant can read \(names.joined(separator: ", ")) alone"
    for variable in scope.variables where !names.contains(variable.name) {
      copy.scope.elsewhere[variable.name] = sentence
    }
    copy.scope.variables.removeAll { !names.contains($0.name) }
    return copy
  }

  func able(to abilities: Scope.Abilities) -> Standing {
    var copy = self
    copy.scope.abilities = Scope.Abilities(rawValue: scope.abilities.rawValue | abilities.rawValue)
    return copy
  }

  func setting(_ place: Place) -> Standing {
    var copy = self
    copy.setting = place.isOfTable ? nil : place.declared.name
    return copy
  }

  func testing(_ condition: Condition?) -> Standing {
    var copy = self
    for placed in condition?.expressions ?? [] {
      copy.tested.addMissing(placed.expression.facts.tested)
    }
    copy.emptied = emptied.testing(condition)
    return copy
  }
}

extension Standing {
  /// Behind actions: what they set to something that is surely there needs no test until they may take it away, and what
  /// they clear is not there until they set it.
  func behind(_ actions: [Action]) -> Standing {
    var copy = self
    for action in actions where !action.assignments.isEmpty || !action.cleared.isEmpty {
      let (sure, lost) = (action.surelySet, action.mayLose)
      if state != nil, !lost.isEmpty { copy.gone.formUnion(lost) }
      copy.tested.remove(all: lost)
      copy.kept.remove(all: lost + sure)
      copy.tested.addMissing(sure)
      copy.emptied = copy.emptied.behind(action)
    }
    return copy
  }

  /// In a list that others may name too: what it reads may be there elsewhere.
  var shared: Standing {
    var copy = self
    copy.emptied = EmptiedKeys()
    return copy
  }

  /// While a state waits that has done this: what that has set may be taken away meanwhile.
  func waiting(behind actions: [Action]) -> Standing {
    var copy = self
    let behind = behind(actions)
    copy.kept = behind.tested.filter { !tested.contains($0) }
    copy.gone = behind.gone
    return copy
  }

  /// Where anything may have happened since a state was entered.
  var atAnotherTime: Standing {
    var copy = self
    copy.state = nil
    return copy
  }
}

extension [String] {
  /// Of few each is compared, of many a set tells which they are.
  fileprivate mutating func remove(all names: [String]) {
    if isEmpty || names.isEmpty { return }
    if names.count <= 8 {
      removeAll(where: names.contains)
    } else {
      removeAll(where: Set(names).contains)
    }
  }
}

extension Action {
  /// What is surely there when it is done, as it sets that.
  var surelySet: [String] { assignments.filter(\.value.isSurelyPresent).compactMap(\.place.nameOfValue) }

  /// What may not be there when it is done, as expressions name it.
  var mayLose: [String] {
    cleared.compactMap(\.nameOfValue)
      + assignments.lazy.filter { !$0.value.isSurelyPresent && !$0.isThereAsBefore }.compactMap(\.place.nameOfValue)
  }
}

extension Assignment {
  /// Whether a key that is there stays so, as it is set to what is made of itself:
  /// `memory.pause < duration('30s') ? memory.pause + duration('5s') : memory.pause`.
  fileprivate var isThereAsBefore: Bool {
    guard case .template(let placed) = value, placed.template.isAlone, let samples = place.declared.samples,
      let expression = placed.template.expressions.first, expression.facts.lets.isEmpty,
      expression.facts.references == [[place.area.rawValue, place.declared.name]], !place.isOfTable
    else { return false }
    var frame = Frame(knowing: Array(repeating: .null, count: place.key + 1), of: place.area.root)
    return samples.allSatisfy { sample in
      frame.roots[place.root][place.key] = sample
      return (try? expression.evaluate(&frame)).map(\.isPresent) ?? false
    }
  }
}

extension [State] {
  /// What may be taken away while one of them waits, by what is done without leaving it.
  var mayLoseWaiting: Set<String> { actionsWhileWaiting.reduce(into: []) { $0.formUnion($1.mayLose) } }

  /// What is done without leaving one of them.
  var actionsWhileWaiting: [Action] {
    flatMap { state in
      (state.on.flatMap(\.transitions) + state.after.flatMap(\.transition)).staying.flatMap(\.actions)
        + state.actionsBetweenTries
    }
  }
}

extension State {
  var actionsBetweenTries: [Action] {
    if case .request(let request) = activity { request.retry?.actions ?? [] } else { [] }
  }
}

extension [Transition] {
  fileprivate var staying: [Transition] { filter(\.target.isStay) }
}

extension ValueTemplate {
  /// Whether it never gives null: a selection by itself may find nothing, and what a condition chooses may be one.
  var isSurelyPresent: Bool {
    switch self {
    case .literal(let value): value.isPresent
    case .list, .object: true
    case .template(let placed):
      placed.template.parts.count > 1 || placed.template.expressions.first?.mayBeNull == false
    }
  }
}

extension Standing {
  /// `response`, as `Root.response` lays it out.
  static let response = ObjectType(
    title: "response",
    fields: [
      ObjectType.Field(name: "status", type: .int, isNullable: false),
      ObjectType.Field(name: "headers", type: .map(key: .string, value: .string), isNullable: false),
      ObjectType.Field(name: "json", type: .dyn, isNullable: false),
      ObjectType.Field(name: "text", type: .string),
      ObjectType.Field(name: "challenge", type: .dyn),
      ObjectType.Field(name: "redirect", type: .object(redirect)),
      ObjectType.Field(name: "failure", type: .string, allowed: ["unreachable", "lost"]),
    ])

  private static let responseVariable = Scope.Variable(
    name: "response", type: .object(response), root: Root.response.rawValue)

  private static let redirect = ObjectType(
    title: "response.redirect",
    fields: [
      ObjectType.Field(name: "to", type: .string),
      ObjectType.Field(name: "path", type: .string),
      ObjectType.Field(name: "query", type: .map(key: .string, value: .string), isNullable: false),
    ])

  /// `request`, as `Root.request` lays it out.
  static func request(path: ValueType) -> ObjectType {
    let strings = ValueType.map(key: .string, value: .string)
    return ObjectType(
      title: "request",
      fields: [
        ObjectType.Field(name: "method", type: .string, isNullable: false),
        ObjectType.Field(name: "path", type: path, isNullable: false),
        ObjectType.Field(name: "query", type: strings, isNullable: false),
        ObjectType.Field(name: "headers", type: strings, isNullable: false),
        ObjectType.Field(name: "cookies", type: strings, isNullable: false),
        ObjectType.Field(name: "bearer", type: .string, secret: "bearer"),
        ObjectType.Field(name: "json", type: .dyn, isNullable: false),
        ObjectType.Field(name: "form", type: strings, isNullable: false),
        ObjectType.Field(name: "text", type: .string),
      ])
  }

  /// `device`, as `Root.device` lays it out.
  static let device = ObjectType(
    title: "device",
    fields: [
      ObjectType.Field(name: "native", type: .bool, isNullable: false),
      ObjectType.Field(name: "online", type: .bool, isNullable: false),
      ObjectType.Field(name: "platform", type: .string, isNullable: false),
    ])

  /// `result` where a sub-flow was called; `null` where a retry made no call.
  static func ended(_ ends: [String], isNullable: Bool) -> ObjectType {
    ObjectType(
      title: "result",
      fields: [ObjectType.Field(name: "ended", type: .string, isNullable: isNullable, allowed: ends)])
  }

  /// Where the names stand that are not in scope everywhere.
  static let elsewhere = [
    "event": "\"event\" is there only in the transitions of \"on\"",
    "response": "\"response\" is there only in the \"next\" of a request and in its retry",
    "result": "\"result\" is there only in the \"next\" of a perform or call, and of a request whose retry calls",
    "request": "\"request\" is there only where a service answers; a form's \"query\" hands it on",
    "input": "\"input\" is there only in the example of a capability",
  ]
}
