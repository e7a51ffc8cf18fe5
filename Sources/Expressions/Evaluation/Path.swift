/// Where a selection leads: from a slot, or from what something else finds, down step by step.
struct Path: Sendable {
  enum Start: Sendable {
    case slot(Slot)
    case found(Finder)
  }

  /// A step down, and what it gives where nothing is there.
  struct Step: Sendable {
    enum Kind: Sendable {
      /// A declared field, with its usual place.
      case field(String, Int)
      /// A member of dynamic data.
      case member(String, isStrict: Bool)
      case entry(Maker, isStrict: Bool, written: String)

      /// `nil` for an index.
      var name: String? {
        switch self {
        case .field(let name, _), .member(let name, _): name
        case .entry: nil
        }
      }

      /// For the message when it is absent: a key is a value, which may be secret, and its expression stands for it.
      var title: String {
        switch self {
        case .field(let name, _), .member(let name, _): "member \"\(name)\""
        case .entry(_, _, let written): "entry \"\(written)\""
        }
      }
    }
    let kind: Kind
    /// Of what fails when the step cannot be done.
    let range: Range<Int>
    /// Where nothing is there is no error.
    var isOptional = false
    /// It is asked for by `?` or `has`, and does not just follow what is: null, in which nothing is, is no error then.
    var isAsked = false
    /// Null counts as nothing.
    var hidesNull = false
    /// Of what fails when nothing is there.
    var whole: Range<Int>

    /// Of an entry.
    var key: Maker? { if case .entry(let key, _, _) = kind { key } else { nil } }
  }

  private let start: Start
  /// Where nothing is at the start there is no error, and null in a slot counts as nothing.
  private let startsOptional: Bool
  private var steps: [Step] = []
  /// The lets that it is used through, from the inside out.
  private(set) var uses: [LetUse] = []

  init(_ start: Start, startsOptional: Bool = false) {
    (self.start, self.startsOptional) = (start, startsOptional)
  }

  /// Whether where nothing is there is no error.
  var isOptional: Bool { steps.last?.isOptional ?? startsOptional }

  /// Itself; `nil` when it is used through a let: what fails behind that fails elsewhere.
  var open: Path? { uses.isEmpty ? self : nil }

  /// Where it stands when it is a field of a variable and no more.
  var slot: Slot? {
    if case .slot(let slot) = start, steps.isEmpty, uses.isEmpty, !startsOptional { slot } else { nil }
  }

  func appending(_ step: Step) -> Path {
    var path = self
    path.steps.append(step)
    return path
  }

  func used(_ use: LetUse) -> Path {
    var path = self
    path.uses.append(use)
    return path
  }

  private var descent: Descent? {
    var descent: Descent?
    for index in steps.indices.reversed() {
      let isHeld = index > 0 ? steps[index - 1].isOptional : startsOptional
      descent = Descent(steps[index], unwraps: !isHeld, next: descent)
    }
    return descent
  }

  /// What is there; a path that is not optional only.
  var code: Code {
    if case .slot(let slot) = start {
      guard let descent else { return { frame in frame.roots[slot.root][slot.index] } }
      return { frame throws(EvaluationError) in try Self.there(descent.find(from: slot, &frame)) }
    }
    let find = finder.run
    return { frame throws(EvaluationError) in try Self.there(find(&frame)) }
  }

  private static func there(_ value: Value?) -> Value {
    guard let value else { preconditionFailure("Where a path may not lead nowhere, a step has failed.") }
    return value
  }

  /// Finds what is there, apart from the lets that it is used through.
  var finder: Finder {
    let hidesNull = startsOptional
    switch (start, descent) {
    case (.slot(let slot), nil):
      return Finder { frame in
        let value = frame.roots[slot.root][slot.index]
        return hidesNull && value.isNull ? nil : value
      }
    case (.slot(let slot), let descent?) where hidesNull:
      return Finder { frame throws(EvaluationError) in
        if frame.roots[slot.root][slot.index].isNull { return try descent.nothing(&frame) }
        return try descent.find(from: slot, &frame)
      }
    case (.slot(let slot), let descent?):
      return Finder { frame throws(EvaluationError) in try descent.find(from: slot, &frame) }
    case (.found(let start), nil): return start
    case (.found(let start), let descent?):
      let run = start.run
      return Finder { frame throws(EvaluationError) in
        guard let value = try run(&frame) else { return try descent.nothing(&frame) }
        return try descent.find(in: value, &frame)
      }
    }
  }

  /// Whether what is there passes; `otherwise` where nothing is.
  func test(_ predicate: Predicate, otherwise: Bool) -> Test {
    var test = plainTest(predicate, otherwise: otherwise)
    for use in uses { test = use.apart(test) }
    return test
  }

  private func plainTest(_ predicate: Predicate, otherwise: Bool) -> Test {
    if case .slot(let slot) = start, steps.isEmpty {
      let hidesNull = startsOptional
      return Test { frame in
        if hidesNull, frame.roots[slot.root][slot.index].isNull { return otherwise }
        return predicate.holds(frame.roots[slot.root][slot.index])
      }
    }
    let find = finder.run
    return Test { frame throws(EvaluationError) in
      guard let value = try find(&frame) else { return otherwise }
      return predicate.holds(value)
    }
  }
}
