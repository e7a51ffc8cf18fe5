/// The steps of a path, each with those behind it.
final class Descent: Sendable {
  private let kind: Path.Step.Kind
  /// Of an entry.
  private let key: Maker?
  private let range: Range<Int>
  private let isOptional: Bool
  private let hidesNull: Bool
  /// Where it fails when nothing is there.
  private let whole: Range<Int>
  /// It looks into an optional that it meets.
  private let unwraps: Bool
  private let next: Descent?

  init(_ step: Path.Step, unwraps: Bool, next: Descent?) {
    kind = step.kind
    key = step.key
    range = step.range
    isOptional = step.isOptional
    hidesNull = step.hidesNull
    whole = step.whole
    self.unwraps = unwraps
    self.next = next
  }

  /// What the steps lead to from a slot, none of which may lead nowhere.
  func take(from slot: Slot, _ frame: inout Frame) throws(EvaluationError) -> Value {
    if unwraps, frame.roots[slot.root][slot.index].isOptional {
      return try take(in: frame.roots[slot.root][slot.index], &frame)
    }
    if let key = try key?.run(&frame) {
      return try go(on: entry(key, of: frame.roots[slot.root][slot.index]) { value in value }, &frame)
    }
    return try go(on: member(of: frame.roots[slot.root][slot.index]) { value in value }, &frame)
  }

  /// The same from a value.
  func take(in value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value {
    if unwraps, case .optional(let wrapped) = value {
      if let wrapped, let value = try find(inHeld: wrapped, &frame) { return value }
      if wrapped == nil, let value = try nothing(&frame) { return value }
      throw missing
    }
    if let key = try key?.run(&frame) { return try go(on: entry(key, of: value) { value in value }, &frame) }
    return try go(on: member(of: value) { value in value }, &frame)
  }

  private func go(on value: consuming Value?, _ frame: inout Frame) throws(EvaluationError) -> Value {
    guard let value else { throw missing }
    guard let next else { return value }
    return try next.take(in: value, &frame)
  }

  /// What the steps lead to from a slot; `nil` where nothing is.
  func find(from slot: Slot, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    if unwraps, frame.roots[slot.root][slot.index].isOptional {
      return try find(in: frame.roots[slot.root][slot.index], &frame)
    }
    if let key = try key?.run(&frame) {
      return try pass(on: entry(key, of: frame.roots[slot.root][slot.index]) { value in value }, &frame)
    }
    return try pass(on: member(of: frame.roots[slot.root][slot.index]) { value in value }, &frame)
  }

  /// The same from a value.
  func find(in value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    if unwraps, case .optional(let wrapped) = value {
      guard let wrapped else { return try nothing(&frame) }
      return try find(inHeld: wrapped, &frame)
    }
    return try find(inHeld: value, &frame)
  }

  private func find(inHeld value: Value, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    if let key = try key?.run(&frame) { return try pass(on: entry(key, of: value) { value in value }, &frame) }
    return try pass(on: member(of: value) { value in value }, &frame)
  }

  private func pass(on value: consuming Value?, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    guard let value else { return try absent(&frame) }
    guard let next else { return value }
    return try next.find(in: value, &frame)
  }

  /// Whether what the steps lead to passes; `nil` where nothing is there.
  func test(_ predicate: Predicate, from slot: Slot, _ frame: inout Frame) throws(EvaluationError) -> Bool? {
    if next != nil || (unwraps && frame.roots[slot.root][slot.index].isOptional) {
      return try test(predicate, in: frame.roots[slot.root][slot.index], &frame)
    }
    if let key = try key?.run(&frame) {
      return try end(with: entry(key, of: frame.roots[slot.root][slot.index]) { value in predicate.holds(value) })
    }
    return try end(with: member(of: frame.roots[slot.root][slot.index]) { value in predicate.holds(value) })
  }

  /// The same from a value.
  func test(_ predicate: Predicate, in value: Value, _ frame: inout Frame) throws(EvaluationError) -> Bool? {
    if unwraps, case .optional(let wrapped) = value {
      guard let wrapped else {
        _ = try nothing(&frame)
        return nil
      }
      return try test(predicate, inHeld: wrapped, &frame)
    }
    return try test(predicate, inHeld: value, &frame)
  }

  private func test(_ predicate: Predicate, inHeld value: Value, _ frame: inout Frame) throws(EvaluationError) -> Bool?
  {
    let key = try key?.run(&frame)
    guard let next else {
      if let key { return try end(with: entry(key, of: value) { value in predicate.holds(value) }) }
      return try end(with: member(of: value) { value in predicate.holds(value) })
    }
    let inner: Value?
    if let key { inner = try entry(key, of: value) { $0 } } else { inner = try member(of: value) { $0 } }
    guard let inner else {
      _ = try absent(&frame)
      return nil
    }
    return try next.test(predicate, in: inner, &frame)
  }

  private func end(with passes: Bool?) throws(EvaluationError) -> Bool? {
    if passes == nil, !isOptional { throw missing }
    return passes
  }

  /// Where nothing is to step down from: only keys that fail are an error.
  func nothing(_ frame: inout Frame) throws(EvaluationError) -> Value? {
    _ = try key?.run(&frame)
    return try absent(&frame)
  }

  private func absent(_ frame: inout Frame) throws(EvaluationError) -> Value? {
    guard isOptional else { throw missing }
    return try next?.nothing(&frame)
  }

  private var missing: EvaluationError { .noSuchKey(kind.name, at: whole) }
}

extension Descent {
  // Both are written into whoever asks, so that what is found is looked at where it stands.

  /// Looks at a field or a member; `nil` where nothing is there.
  @inline(__always)
  private func member<Result>(of value: Value, _ body: (Value) -> Result) throws(EvaluationError) -> Result? {
    guard case .map(let map) = value else { return try refuse(value, nil) }
    switch kind {
    case .field(let name, let usual):
      if let index = map.index(of: name, near: usual) {
        return hidesNull && map.entries[index].value.isNull ? nil : body(map.entries[index].value)
      }
      // A declared field that was never set.
      return hidesNull ? nil : body(.null)
    case .member(let name, _):
      guard let index = map.index(of: name) else { return nil }
      return body(map.entries[index].value)
    case .entry: return nil
    }
  }

  /// Looks at an entry; `nil` where there is none.
  @inline(__always)
  private func entry<Result>(_ key: Value, of value: Value, _ body: (Value) -> Result) throws(EvaluationError)
    -> Result?
  {
    switch value {
    case .map(let map):
      guard let index = map.index(at: key) else { return nil }
      return body(map.entries[index].value)
    case .list(let elements):
      guard let number = try position(key, in: value), let index = Int(exactly: number) else { return nil }
      return elements.indices.contains(index) ? body(elements[index]) : nil
    default: return try refuse(value, key)
    }
  }

  private func position(_ key: Value, in list: Value) throws(EvaluationError) -> Int64? {
    switch key {
    case .int(let number): return number
    case .double(let number): return number.wholeNumber
    default: return try refuse(list, key)
    }
  }

  /// An error where there can be no such thing, but for what is asked for with a question mark.
  private func refuse<Result>(_ value: Value, _ key: Value?) throws(EvaluationError) -> Result? {
    switch kind {
    case .field: throw .noOverload("the selection of a field", value, at: range)
    case .member(_, let isStrict): if isStrict { throw .noOverload("the selection of a field", value, at: range) }
    case .entry(_, let isStrict): if isStrict, let key { throw .noOverload("an index", value, key, at: range) }
    }
    return nil
  }
}
