/// What a compiled part does when it runs: a closure over slots, nothing is looked up by name.
typealias Code = @Sendable (inout Frame) throws(EvaluationError) -> Value

/// The same for what is true or false, without a value around it.
struct Test: Sendable {
  typealias Run = @Sendable (inout Frame) throws(EvaluationError) -> Bool

  let run: Run
}

/// The same for what may not be there, without an optional around it.
struct Finder: Sendable {
  let run: @Sendable (inout Frame) throws(EvaluationError) -> Value?
}

/// A part of an expression that is type-checked and compiled, with what is known of its value.
struct Term: Sendable {
  var type: ValueType
  var range: Range<Int>
  var run: Code { didSet { (test, find, path, found, token) = (nil, nil, nil, nil, nil) } }
  /// Does the same as `run`, for a bool.
  var test: Test?
  /// Finds what `run` puts into an optional.
  var find: Finder?
  /// Where it is found, when it is a selection.
  var path: Path?
  /// Where it is found, when it is a selection with a value that is written out for where nothing is.
  var found: (path: Path, otherwise: Value)?
  /// The token, when it is what `claims` makes of one.
  var token: Code?
  /// The value, where it is written out.
  var constant: Value?
  /// What it reads, when it is nothing but a selection from a variable.
  var selection: Selection?
  /// The name of the first secret that may stand in it.
  var secret: String?
  /// Whether it may be null although its type is another.
  var isNullable = false
  /// How much of it is known only once it is made.
  var freshness = Freshness.none
  /// The entries, where it is a map that is written out.
  var entries: [WrittenEntry] = []
  /// The only strings it can be.
  var allowed: [String]?
  /// The root of a variable with declared fields, which is read field by field only.
  var root: Int?

  init(_ type: ValueType, _ range: Range<Int>, _ run: @escaping Code) {
    self.type = type
    self.range = range
    self.run = run
  }

  init(_ range: Range<Int>, test: @escaping @Sendable (inout Frame) throws(EvaluationError) -> Bool) {
    self.init(.bool, range) { frame throws(EvaluationError) in .bool(try test(&frame)) }
    self.test = Test(run: test)
  }

  init(_ test: Test, _ range: Range<Int>) { self.init(range, test: test.run) }

  /// An optional of what is found.
  init(
    optional type: ValueType, _ range: Range<Int>,
    find: @escaping @Sendable (inout Frame) throws(EvaluationError) -> Value?
  ) {
    self.init(.optional(type), range) { frame throws(EvaluationError) in .optional(try find(&frame)) }
    self.find = Finder(run: find)
  }

  init(_ type: ValueType, _ range: Range<Int>, at slot: Slot) {
    self.init(type, range) { frame in frame.roots[slot.root][slot.index] }
    path = Path(.slot(slot))
  }

  /// What a selection gives, an optional or not.
  init(_ type: ValueType, _ range: Range<Int>, at path: Path, _ missing: String?) {
    if path.isOptional {
      self.init(optional: type, range, find: path.finder.run)
    } else {
      self.init(type, range, path.code(missing, at: range))
    }
    self.path = path
  }

  init(constant: Value, type: ValueType, range: Range<Int>) {
    self.init(type, range) { _ in constant }
    self.constant = constant
  }
}

/// A place in a frame.
struct Slot: Sendable, Hashable {
  let root: Int
  let index: Int
}

/// A selection from a variable: `store.users[event.id].status`.
struct Selection: Sendable {
  /// As a trace shows it.
  var name: String
  /// The declared names in it: `store`, `users`, `status`.
  var path: [String]
  var range: Range<Int>
  /// Whether the last step was a declared field or variable, not an entry of one.
  var isAtField = true
  /// Whether it can be evaluated outside the macros around it.
  var isFree = true
}

/// What is found out about a whole expression while it is compiled.
struct Facts: Sendable {
  var readings: [Expression.Reading] = []
  var references: [Expression.Reference] = []
  /// Each once.
  var lets: [String] = []
  var traversed: Set<[String]> = []
  var spans: Set<Duration> = []
  /// Names of selections that are compared with null or looked at by `present`, `has`, `expired`, `same`, each once.
  var tested: [String] = []
  /// Selections that an operation looks into, which is an error if they turn out to be fresh.
  var looks: [Look] = []
  /// Selections that may be null and meet order, arithmetic, logic or the text of a template; divisions by zero.
  var nullables: [(name: String, problem: ExpressionProblem)] = []
}

extension Term {
  /// Whether it is true; `what` needs it to be a bool.
  func truth(_ what: String, at range: Range<Int>) -> Test {
    if let test { return test }
    let run = run
    return Test { frame throws(EvaluationError) in try Value.truth(run(&frame), what, at: range) }
  }

  /// Finds what it holds, itself when it is no optional.
  var held: Finder {
    if let find { return find }
    let run = run
    return Finder { frame throws(EvaluationError) in
      let value = try run(&frame)
      if case .optional(let wrapped) = value { return wrapped }
      return value
    }
  }

  /// Whether it equals what is written out, or does not, looked at where it stands; `nil` where it has to be taken out.
  func test(equals constant: Value, _ expected: Bool) -> Test? {
    let check = constant.isNull ? Check.isNull(expected) : .equals(constant, expected)
    if let token, constant.isNull {
      return Test { frame throws(EvaluationError) in try JSONWebToken.hasNoClaims(token(&frame)) == expected }
    }
    if let path, !path.isOptional { return path.test(check, otherwise: false) }
    return found.map { $0.path.test(check, otherwise: check.holds($0.otherwise)) }
  }

  /// The only strings it can be, a string that is written out included.
  var written: [String]? {
    if let text = constant?.text?.string { return [text] }
    return type == .null ? [] : allowed
  }
}
