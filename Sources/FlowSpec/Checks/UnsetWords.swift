import Expressions

extension Check {
  /// Words of an app's keys with `one of` that nothing sets and none begins with: what asks for one never holds.
  ///
  /// A key that is set to something of which the words are not known is left alone, and what scenarios give counts.
  static let unsetWords: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.flow != nil, examined.model == nil else { return [] }
    let machine = examined.machine
    let set = Dictionary(grouping: examined.actions.flatMap(\.assignments)) { KeyNumber($0.place) }
    return [(Place.Area.store, machine.store), (.memory, machine.memory)].flatMap { area, keys in
      let entries = Dictionary(examined.document[area.rawValue].entries.map { ($0.name, $0.value) }) { first, _ in first
      }
      return keys.enumerated().flatMap { number, key -> [Diagnostic] in
        guard let words = key.field.allowed, examined.ledger.written.contains(key.name) else { return [] }
        let assignments = set[KeyNumber(area, number)] ?? []
        let given = assignments.map(\.value.words)
        if given.contains(where: { $0 == nil }) { return [] }
        let known = Set(given.flatMap { $0 ?? [] } + [key.initial.text?.string].compactMap(\.self))
        let places = entries[key.name]?["one of"].items ?? []
        return words.filter { !known.contains($0) }.map { word in
          Diagnostic(
            "unset-word", severity: .warning, "nothing sets \"\(key.name)\" to \"\(word)\"",
            at: places.first { $0.string == word }?.site ?? key.site, "is listed here",
            help: "let a \"set\" give it this word, or remove the word", related: (key.site, "may be this"))
        }
      }
    }
  }
}

extension ValueTemplate {
  /// The words that it may be; `nil` where nobody knows.
  fileprivate var words: [String]? {
    switch self {
    case .literal(let value): value.isNull ? [] : value.text.map { [$0.string] }
    case .template(let placed): placed.template.type == .null ? [] : placed.template.allowed
    case .list, .object: nil
    }
  }
}
