import Expressions
import FlowSpec

/// Names under which JSON is secret, for each participant.
///
/// Strings carry their marks wherever they go; numbers, bools and instants carry none, so a trace hides them by the
/// name that they stand under.
struct SecretMembers: Sendable {
  /// By participant.
  private let own: [Names]
  /// What is secret in the traffic of some service: where a value came from cannot be told any more.
  let anywhere: Names
  /// What traces show of conditions.
  let conditions: ShownConditions

  init(_ flow: Flow? = nil) {
    var names = Array(repeating: Names([]), count: flow?.participants.count ?? 0)
    for service in flow?.services ?? [] {
      names[service.participant] = Names(service.secrets.filter(\.isOfJSON).map(\.name))
    }
    own = names
    anywhere = flow?.secretMembers ?? Names([])
    conditions = ShownConditions(of: flow, members: anywhere)
  }

  /// What is secret in what goes between two participants, whichever way.
  func names(between from: Happening.Lane, _ to: Happening.Lane) -> Names {
    guard own.indices.contains(from), own.indices.contains(to) else { return Names([]) }
    if own[from].all.isEmpty { return own[to] }
    return own[to].all.isEmpty ? own[from] : Names(own[from].all + own[to].all)
  }
}

extension Flow {
  /// Names of some service under which numbers are secret, wherever they have come to.
  package var secretMembers: Names { Names(services.flatMap(\.secrets).filter(\.isOfJSON).map(\.name)) }
}

extension SecretName {
  var isOfJSON: Bool { part == nil || part == .json }
}

extension ObjectType.Field {
  /// A value of it as a trace shows it: numbers in something secret carry no marks, and are hidden by its name.
  func shown(_ value: Value) -> Value {
    if let secret { return value.veiled(as: secret) }
    if case .map = value { return type.shown(value) }
    return value
  }
}

extension ValueType {
  /// The same of rows and tables, whose fields say what is secret.
  func shown(_ value: Value) -> Value {
    guard case .map(let map) = value, secretInside != nil else { return value }
    switch self {
    case .object(let object):
      let entries = map.entries.map { entry in
        let field = object.index(of: entry.name).map { object.fields[$0] }
        return NamedValue(key: entry.key, value: field?.shown(entry.value) ?? entry.value)
      }
      return .map(ValueMap(distinct: entries))
    case .map(_, let row): return .map(map.mapValues(row.shown))
    default: return value
    }
  }
}

extension Value {
  /// The same with everything in it as secret text, null apart.
  func veiled(as name: String) -> Value {
    switch self {
    case .null, .optional(nil): self
    case .string(let text): .string(text.marked(secret: name))
    case .int, .double, .bool, .timestamp, .duration: asText.map { .string($0.marked(secret: name)) } ?? self
    case .optional(let value?): value.veiled(as: name)
    case .list(let elements): .list(elements.map { $0.veiled(as: name) })
    case .map(let map): Value.map(map.mapValues { $0.veiled(as: name) }).marked(secret: name)
    }
  }

  /// Whether the name of a member in it is such a text.
  func hasName(where isSought: (Text) -> Bool) -> Bool {
    switch self {
    case .list(let elements): elements.contains { $0.hasName(where: isSought) }
    case .map(let map):
      map.entries.contains { $0.key.text.map(isSought) == true || $0.value.hasName(where: isSought) }
    default: false
    }
  }

  /// Whether a number or a bool stands in it under one of these names.
  package func hasScalar(under names: Names) -> Bool {
    switch self {
    case .list(let elements): elements.contains { $0.hasScalar(under: names) }
    case .map(let map):
      map.entries.contains { entry in
        names.contain(entry.key)
          ? entry.value.veiled(as: "x") != entry.value.marked(secret: "x") : entry.value.hasScalar(under: names)
      }
    default: false
    }
  }
}
