extension Value {
  /// The same value with every string in it marked secret, keys of maps among them.
  package func marked(secret name: String) -> Value { marked { $0.marked(secret: name) } }

  /// The same value with every plain string in it marked as a digest, or as what was fresh in an earlier session.
  package func marked(as kind: Text.Span.Kind) -> Value { marked { $0.marked(as: kind) } }

  private func marked(_ mark: (Text) -> Text) -> Value {
    switch self {
    case .string(let text): .string(mark(text))
    case .list(let elements): .list(elements.map { $0.marked(mark) })
    case .map(let map):
      .map(
        ValueMap(
          distinct: map.entries.map { ValueMap.Entry(key: $0.key.marked(mark), value: $0.value.marked(mark)) }))
    default: self
    }
  }
}

extension Value {
  /// Whether any string in it is secret, in part or as a whole.
  package var holdsSecret: Bool { firstSecret != nil }

  /// Every stretch of a string in it that is secret, with its name.
  package var secretTexts: [(text: String, name: String)] {
    switch self {
    case .string(let text):
      if text.isPlain { return [] }
      let bytes = Array(text.string.utf8)
      return text.spans.compactMap { span in
        guard case .secret(let name) = span.kind else { return nil }
        return (String(decoding: bytes[span.range], as: UTF8.self), name)
      }
    case .list(let elements): return elements.flatMap(\.secretTexts)
    case .map(let map): return map.entries.flatMap { $0.key.secretTexts + $0.value.secretTexts }
    default: return []
    }
  }

  /// Marks every string in it where it stands; a text that is secret from end to end already stays as it is.
  package mutating func mark(secret name: String) {
    if !isWhollySecret { self = marked(secret: name) }
  }

  /// Whether it is a string that one secret covers from end to end.
  package var isWhollySecret: Bool { if case .string(let text) = self { text.isWhollySecret } else { false } }
}

extension ObjectType.Field {
  /// A value as this field keeps it: marked where the field is secret.
  package func marked(_ value: Value) -> Value { secret.map { value.marked(secret: $0) } ?? value }
}
