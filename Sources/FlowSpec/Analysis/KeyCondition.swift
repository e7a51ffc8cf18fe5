import Expressions

/// A key of the store or of memory.
struct KeyNumber: Hashable, Comparable {
  let area: Place.Area
  let number: Int

  init(_ place: Place) { self.init(place.area, place.key) }

  init(_ area: Place.Area, _ number: Int) { (self.area, self.number) = (area, number) }

  static func < (left: KeyNumber, right: KeyNumber) -> Bool {
    (left.area.rawValue, left.number) < (right.area.rawValue, right.number)
  }
}

/// A condition that is looked at where one key is known, and the rest may be anything.
struct KeyCondition {
  /// Conditions of the same words are the same, as the names in them are those of one document.
  struct Name: Hashable {
    let words: [String]
    let key: KeyNumber
    let knowsConfig: Bool

    init(_ condition: Condition, _ place: Place, knowsConfig: Bool = false) {
      (words, key, self.knowsConfig) = (condition.words, KeyNumber(place), knowsConfig)
    }
  }

  private let condition: PartialCondition
  private let place: Place
  private let config: [Value]
  /// Whether it does more with the key than to ask whether that has a value.
  private let usesValue: Bool
  private var known: [Value: Bool?] = [:]

  /// What `config` says is known where it is given.
  init(_ condition: Condition, of place: Place, _ lets: [String: Let], config: [ConfigKey] = []) {
    let area = ObjectType(title: place.area.rawValue, fields: [place.declared.field])
    var variables = [Scope.Variable(name: place.area.rawValue, type: .object(area), root: place.root)]
    if !config.isEmpty {
      let settings = ObjectType(title: "config", fields: config.map(\.field))
      variables.append(Scope.Variable(name: "config", type: .object(settings), root: Root.config.rawValue))
    }
    self.condition = PartialCondition(condition, in: Scope(variables: variables, lets: lets))
    (self.place, self.config) = (place, config.map(\.value))
    let name = "\(place.area.rawValue).\(place.declared.name)"
    usesValue = condition.expressions.map(\.expression).contains { expression in
      // How long it is, nobody knows either.
      let sources = [expression.source] + expression.facts.lets.compactMap { lets[$0]?.source }
      return expression.facts.used.contains { $0.key == name } || sources.contains { $0.contains("size(") }
    }
  }

  /// Whether it holds whatever else is so; `nil` where nobody knows.
  mutating func holds(for kept: KeptValue) -> Bool? {
    switch kept {
    case .oneOf(let values): return holds(forAll: values)
    case .something:
      guard !usesValue, let samples = place.declared.samples else { return nil }
      return holds(forAll: samples)
    case .more, .unknown: return nil
    }
  }

  private mutating func holds(forAll values: [Value]) -> Bool? {
    guard let first = values.first, let holds = holds(for: first) else { return nil }
    for value in values.dropFirst() where self.holds(for: value) != holds { return nil }
    return holds
  }

  private mutating func holds(for value: Value) -> Bool? {
    if let known = known[value] { return known }
    var frame = Frame(knowing: [value], of: place.area.root)
    frame.roots[Root.config.rawValue] = config
    let holds = condition.holds(in: frame)
    known[value] = .some(holds)
    return holds
  }
}

extension Condition {
  /// What it is made of, so that no two different ones have the same.
  fileprivate var words: [String] {
    switch self {
    case .expression(let placed): ["", placed.expression.source]
    case .all(let parts): ["all", "\(parts.count)"] + parts.flatMap(\.words)
    case .any(let parts): ["any", "\(parts.count)"] + parts.flatMap(\.words)
    case .not(let inner): ["not"] + inner.words
    }
  }

  /// What it looks at: a key as `["memory", "who"]`, and all else by its first two names as well.
  var keys: Set<[String]> {
    Set(expressions.flatMap { $0.expression.facts.references.map { Array($0.prefix(2)) } })
  }

  /// Those of the store and the memory alone.
  var ownKeys: Set<[String]> { keys.filter { ["store", "memory"].contains($0[0]) } }
}

extension Place {
  /// As `Condition.keys` has it.
  var keyName: [String] { [area.rawValue, declared.name] }
}
