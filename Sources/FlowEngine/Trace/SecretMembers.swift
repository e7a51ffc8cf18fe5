import Expressions
import FlowSpec

/// Names under which JSON is secret, for each participant.
///
/// Strings carry their marks wherever they go; numbers, bools and instants carry none, so a trace hides them by the
/// name that they stand under.
struct SecretMembers: Sendable {
  private var names: [Happening.Lane: Set<String>] = [:]
  /// What is secret in the traffic of some service: where a value came from cannot be told any more.
  private(set) var anywhere: Set<String> = []

  init() {}

  init(_ flow: Flow) {
    for service in flow.services {
      names[service.participant, default: []].formUnion(service.secrets.filter(\.isOfJSON).map(\.name))
    }
    for own in names.values { anywhere.formUnion(own) }
  }

  /// What is secret in what goes between two participants, whichever way.
  func between(_ from: Happening.Lane, _ to: Happening.Lane) -> Set<String> {
    guard let one = names[from] else { return names[to] ?? [] }
    return names[to].map { one.union($0) } ?? one
  }
}

extension SecretName {
  var isOfJSON: Bool { part == nil || part == .json }
}

extension Value {
  /// The same with everything in it as secret text, null apart.
  func veiled(as name: String) -> Value {
    switch self {
    case .int, .double, .bool, .timestamp, .duration: asText.map { .string($0.marked(secret: name)) } ?? self
    case .optional(let value?): value.veiled(as: name)
    case .list(let elements): .list(elements.map { $0.veiled(as: name) })
    case .map(let map): Value.map(map.mapValues { $0.veiled(as: name) }).marked(secret: name)
    case .null, .optional(nil), .string: marked(secret: name)
    }
  }

  /// Whether a number or a bool stands in it under one of these names.
  func hasScalar(under names: Set<String>) -> Bool {
    switch self {
    case .list(let elements): elements.contains { $0.hasScalar(under: names) }
    case .map(let map):
      map.entries.contains { entry in
        names.contains(entry.key.text?.string ?? "")
          ? entry.value.veiled(as: "x") != entry.value.marked(secret: "x") : entry.value.hasScalar(under: names)
      }
    default: false
    }
  }
}
