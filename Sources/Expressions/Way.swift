/// The steps of a path, each with those behind it.
final class Way: Sendable {
  private let kind: Path.Step.Kind
  /// Of an entry.
  private let key: Code?
  private let range: Range<Int>
  private let isOptional: Bool
  private let hidesNull: Bool
  private let missing: EvaluationError
  /// It looks into an optional that it meets.
  private let unwraps: Bool
  private let next: Way?

  init(_ step: Path.Step, unwraps: Bool, next: Way?) {
    kind = step.kind
    key = step.key
    range = step.range
    isOptional = step.isOptional
    hidesNull = step.hidesNull
    missing = .noSuchKey(step.name, at: step.whole)
    self.unwraps = unwraps
    self.next = next
  }

  /// What the steps lead to from a slot; `nil` where nothing is.
  func find(from slot: Slot, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    if unwraps, frame.roots[slot.root][slot.index].isOptional {
      return try find(in: frame.roots[slot.root][slot.index], &frame)
    }
    let key = try key?(&frame)
    return try pass(on: look(in: frame.roots[slot.root][slot.index], key) { value in value }, &frame)
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
    let key = try key?(&frame)
    return try pass(on: look(in: value, key) { value in value }, &frame)
  }

  /// Whether what the steps lead to passes; `nil` where nothing is there.
  func test(_ check: Check, from slot: Slot, _ frame: inout Frame) throws(EvaluationError) -> Bool? {
    if next != nil || (unwraps && frame.roots[slot.root][slot.index].isOptional) {
      return try test(check, in: frame.roots[slot.root][slot.index], &frame)
    }
    let key = try key?(&frame)
    return try end(
      with: look(in: frame.roots[slot.root][slot.index], key) { value in check.holds(value) })
  }

  /// The same from a value.
  func test(_ check: Check, in value: Value, _ frame: inout Frame) throws(EvaluationError) -> Bool? {
    if unwraps, case .optional(let wrapped) = value {
      guard let wrapped else {
        _ = try nothing(&frame)
        return nil
      }
      return try test(check, inHeld: wrapped, &frame)
    }
    return try test(check, inHeld: value, &frame)
  }

  private func test(_ check: Check, inHeld value: Value, _ frame: inout Frame) throws(EvaluationError) -> Bool? {
    let key = try key?(&frame)
    guard let next else {
      return try end(with: look(in: value, key) { value in check.holds(value) })
    }
    guard let inner = try look(in: value, key, { value in value }) else {
      _ = try absent(&frame)
      return nil
    }
    return try next.test(check, in: inner, &frame)
  }

  /// Where nothing is to step down from: only keys that fail are an error.
  func nothing(_ frame: inout Frame) throws(EvaluationError) -> Value? {
    _ = try key?(&frame)
    return try absent(&frame)
  }

  private func absent(_ frame: inout Frame) throws(EvaluationError) -> Value? {
    guard isOptional else { throw missing }
    return try next?.nothing(&frame)
  }

  private func pass(on value: consuming Value?, _ frame: inout Frame) throws(EvaluationError) -> Value? {
    guard let value else { return try absent(&frame) }
    guard let next else { return value }
    return try next.find(in: value, &frame)
  }

  private func end(with passes: Bool?) throws(EvaluationError) -> Bool? {
    if passes == nil, !isOptional { throw missing }
    return passes
  }

  /// Looks at what one step leads to; `nil` where nothing is there.
  @inline(__always)
  private func look<Result>(
    in value: Value, _ key: Value?, _ body: (Value) -> Result
  ) throws(EvaluationError) -> Result? {
    switch value {
    case .map(let map):
      let index: Int?
      switch kind {
      case .field(let name, let usual):
        index = map.index(of: name, near: usual)
        // A declared field that was never set.
        if index == nil { return hidesNull ? nil : body(.null) }
      case .member(let name, _): index = map.index(of: name)
      case .entry:
        guard let key else { return nil }
        index = map.index(at: key)
      }
      guard let index, !(hidesNull && map.entries[index].value.isNull) else { return nil }
      return body(map.entries[index].value)
    case .list(let elements):
      guard let key else { return try refuse(value, key) }
      switch key {
      case .int(let number):
        guard let index = Int(exactly: number), elements.indices.contains(index) else { return nil }
        return body(elements[index])
      case .double(let number):
        guard let number = number.wholeNumber, let index = Int(exactly: number), elements.indices.contains(index) else {
          return nil
        }
        return body(elements[index])
      default: return try refuse(value, key)
      }
    default: return try refuse(value, key)
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

/// What a value that a path leads to is asked.
enum Check: Sendable {
  /// That it is there at all.
  case isThere
  case isPresent
  case isNull(Bool)
  case equals(Value, Bool)
  case isSame(Value)

  @inline(__always)
  func holds(_ value: Value) -> Bool {
    switch self {
    case .isThere: true
    case .isPresent: value.isPresent
    case .isNull(let expected): value.isNull == expected
    case .equals(let other, let expected): value.celEquals(other) == expected
    case .isSame(let other): other.isSame(as: value)
    }
  }
}
