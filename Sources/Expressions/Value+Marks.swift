extension Value {
  /// The same value with every string in it marked secret.
  package func marked(secret name: String) -> Value {
    switch self {
    case .string(let text): .string(text.marked(secret: name))
    case .list(let elements): .list(elements.map { $0.marked(secret: name) })
    case .map(let map): .map(map.mapValues { $0.marked(secret: name) })
    default: self
    }
  }
}

extension ObjectType.Field {
  /// A value as this field keeps it: marked where the field is secret.
  package func marked(_ value: Value) -> Value { secret.map { value.marked(secret: $0) } ?? value }
}
