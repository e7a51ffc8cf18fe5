/// The steps of a path, each with those behind it.
final class Descent: Sendable {
  private let kind: Path.Step.Kind
  /// Of a field or a member.
  private let name: SoughtName
  /// Of an entry; `hasKey` says whether it is one.
  private let key: Code
  private let hasKey: Bool
  private let range: Range<Int>
  private let isOptional: Bool
  private let isAsked: Bool
  private let hidesNull: Bool
  /// Where it fails when nothing is there.
  private let whole: Range<Int>
  /// It looks into an optional that it meets.
  private let unwraps: Bool
  private let next: Descent?
  /// Whether the next step is the last, and has no key; its name then, and whether null counts as nothing there.
  private let isLastBelow: Bool
  private let nameBelow: SoughtName
  private let hidesNullBelow: Bool

  init(_ step: Path.Step, unwraps: Bool, next: Descent?) {
    kind = step.kind
    let usual = if case .field(_, let usual) = step.kind { usual } else { 0 }
    name = SoughtName(step.kind.name ?? "", usual: usual)
    // Written out: what passes through a generic function is wrapped to fit any type.
    if let maker = step.key { (key, hasKey) = (maker.run, true) } else { (key, hasKey) = ({ _ in .null }, false) }
    range = step.range
    isOptional = step.isOptional
    isAsked = step.isAsked
    hidesNull = step.hidesNull
    whole = step.whole
    (self.unwraps, self.next) = (unwraps, next)
    isLastBelow = next.map { $0.next == nil && !$0.hasKey } ?? false
    nameBelow = next?.name ?? name
    hidesNullBelow = next?.hidesNull ?? false
  }

  /// What the steps lead to from a slot; `nil` where nothing is.
  func find(from slot: Slot, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    guard hasKey else {
      // Nearly all that is looked for is there: a member, or a field of a row.
      if let found = end(in: frame.roots[slot.root][slot.index].asMap) { return found }
      return try find(nil, in: frame.roots[slot.root][slot.index], &frame)
    }
    let sought = try key(&frame)
    if isLastBelow {
      let map = frame.roots[slot.root][slot.index].asMap
      if let place = map.rowAtAGlance(at: sought) {
        try frame.spend(lookingAt: place, for: nil, at: range)
        let row = map.entries[place].value.asMap
        if let cell = row.index(of: nameBelow), !hidesNullBelow || !row.entries[cell].value.isNull {
          return row.entries[cell].value
        }
      }
    }
    return try find(sought, in: frame.roots[slot.root][slot.index], &frame)
  }

  /// What a last step without a key finds there; `nil` where it is not so simple.
  @inline(__always)
  private func end(in map: ValueMap) -> Value? {
    // Of many, those that are looked at are paid for.
    guard next == nil, !hasKey, map.count <= 128, let place = map.index(of: name) else { return nil }
    return hidesNull && map.entries[place].value.isNull ? nil : map.entries[place].value
  }

  /// The same from a value.
  func find(in value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    try find(hasKey ? key(&frame) : nil, in: value, &frame)
  }

  /// The same where the key is known.
  private func find(_ key: Value?, in value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    guard case .map(let map) = value else { return try find(key, inOther: value, &frame) }
    let place = if let key { map.index(at: key) } else { map.index(of: name) }
    try frame.spend(lookingAt: place ?? map.count, for: key, at: range)
    guard let place else {
      // A declared field that was never set is null.
      if case .field = kind, !hidesNull { return try pass(on: .null, &frame) }
      return try absent(among: map, &frame)
    }
    if hidesNull, map.entries[place].value.isNull { return try absent(&frame) }
    guard let next else { return map.entries[place].value }
    return try next.find(in: map.entries[place].value, &frame)
  }

  /// The same in what is no map.
  private func find(_ key: Value?, inOther value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    guard unwraps, case .optional(let wrapped) = value else { return try pass(on: entry(key, of: value), &frame) }
    guard let wrapped else { return try absent(&frame) }
    if case .map = wrapped { return try find(key, in: wrapped, &frame) }
    return try pass(on: entry(key, of: wrapped), &frame)
  }

  private func pass(on value: Value?, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    guard let value else { return try absent(&frame) }
    guard let next else { return value }
    return try next.find(in: value, &frame)
  }

  /// Where nothing is to step down from: only keys that fail are an error.
  func nothing(_ frame: inout Frame) throws(EvaluationError) -> Value? {
    if hasKey { _ = try key(&frame) }
    return try absent(&frame)
  }

  /// Of a member that others stand beside, the nearest is told: peers call things otherwise than one remembers.
  private func absent(among others: ValueMap? = nil, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    guard isOptional else {
      let nearest = hasKey ? nil : others.flatMap { nearestName(to: name.string, among: $0.plainNames) }
      throw .noSuchKey(kind.title, at: whole, help: nearest.map { "did you mean \"\($0)\"?" })
    }
    return try next?.nothing(&frame)
  }

  /// An entry of a list; `nil` where there is none, an error where there can be no such thing.
  private func entry(_ key: Value?, of value: Value) throws(EvaluationError) -> Value? {
    guard let key, case .list(let elements) = value else { return try refuse(value, key) }
    let number: Int64?
    switch key {
    case .int(let whole): number = whole
    case .double(let double): number = double.wholeNumber
    default: return try refuse(value, key)
    }
    guard let number, let index = Int(exactly: number), elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// An error where there can be no such thing, but for what is asked for; in null there is nothing at all.
  private func refuse(_ value: Value, _ key: Value?) throws(EvaluationError) -> Value? {
    if isAsked, value.isNull { return nil }
    switch kind {
    case .field: throw .noOverload("the selection of a field", value, at: range)
    case .member(_, let isStrict): if isStrict { throw .noOverload("the selection of a field", value, at: range) }
    case .entry(_, let isStrict, _): if isStrict, let key { throw .noOverload("an index", value, key, at: range) }
    }
    return nil
  }
}

extension ValueMap {
  /// The names in it of which nothing is secret or fresh, a few of very many.
  fileprivate var plainNames: [String] {
    entries.prefix(100).compactMap { entry in
      if case .string(let text) = entry.key, text.isPlain { text.string } else { nil }
    }
  }
}
