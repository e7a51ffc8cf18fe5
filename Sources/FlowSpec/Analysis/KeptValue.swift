import Expressions

/// What a key holds once something is written to it, as far as that shows before it runs.
enum KeptValue: Hashable {
  case oneOf([Value])
  /// No null and no empty text; nobody knows what.
  case something
  /// So much more than it held.
  case more(Int64)
  case unknown
}

extension Action {
  /// The keys that it sets or clears, with what they hold then.
  var writes: [(place: Place, value: KeptValue)] {
    assignments.map { ($0.place, $0.kept) }
      + cleared.map { ($0, $0.isOfTable ? .unknown : .oneOf([$0.declared.initial])) }
  }
}

extension [Action] {
  /// Whether they set or clear a key that expressions name so.
  func write(_ name: String) -> Bool { contains { $0.writes.contains { $0.place.nameOfValue == name } } }
}

extension Assignment {
  fileprivate var kept: KeptValue {
    if place.isOfTable { return .unknown }
    switch value {
    case .literal(let literal): return .oneOf([literal])
    case .list, .object: return .unknown
    case .template(let placed):
      let template = placed.template
      if template.type == .null { return .oneOf([.null]) }
      if let step = template.step(of: place) { return .more(step) }
      guard value.isSurelyPresent else { return .unknown }
      if let allowed = template.allowed { return .oneOf(allowed.map { .string($0) }) }
      switch template.type {
      case .bool: return .oneOf([.bool(false), .bool(true)])
      case .string: return template.isSurelyNotEmpty ? .something : .unknown
      case .int, .double, .timestamp, .duration: return .something
      case .null, .dyn, .list, .map, .object, .optional: return .unknown
      }
    }
  }
}

extension Template {
  private static let samples: [Int64] = [0, 1, 2, 3, 10, 100]

  /// Whether something is written out in it, or made anew whatever else is so.
  fileprivate var isSurelyNotEmpty: Bool {
    parts.contains { if case .literal(let text) = $0 { !text.isEmpty } else { false } }
      || (freshness != .none && !source.contains("?"))
  }

  /// By how much it is more than a number that a key holds, where it is that number and one that is written out.
  fileprivate func step(of place: Place) -> Int64? {
    guard isAlone, type == .int, let expression = expressions.first,
      expression.facts.references == [[place.area.rawValue, place.declared.name]], expression.facts.lets.isEmpty,
      let name = place.nameOfValue,
      expression.source.replacing(name, with: "").utf8.allSatisfy("+-0123456789 ".utf8.contains)
    else { return nil }
    var frame = Frame(knowing: Array(repeating: .null, count: place.key + 1), of: place.area.root)
    var steps: Set<Int64> = []
    for sample in Self.samples {
      frame.roots[place.root][place.key] = .int(sample)
      guard case .int(let next)? = try? expression.evaluate(&frame) else { return nil }
      steps.insert(next &- sample)
    }
    return steps.count == 1 ? steps.first : nil
  }
}

extension Key {
  /// Of 1970 and 2100.
  private static let instants = [Timestamp.epoch, Timestamp.epoch.advanced(by: .seconds(4_102_444_800))]
    .compactMap { $0.map(Value.timestamp) }

  /// Values by which a condition that only asks whether the key has one is told from others; `nil` where none are known.
  var samples: [Value]? {
    if let allowed = field.allowed { return allowed.map { .string($0) } }
    switch field.type {
    case .string:
      return ["a", "1", "true", "1s", "2020-01-01T00:00:00Z", String(repeating: "a", count: 64)].map { .string($0) }
    case .int: return [0, 1, -1, 1_000_000].map { .int($0) }
    case .double: return [.double(0), .double(0.5)]
    case .bool: return [.bool(false), .bool(true)]
    case .timestamp: return Self.instants
    case .duration: return [.duration(.zero), .duration(.seconds(1)), .duration(.seconds(86_400))]
    case .null, .dyn, .list, .map, .object, .optional: return nil
    }
  }
}
