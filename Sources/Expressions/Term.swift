/// What a compiled part does when it runs: a closure over slots, nothing is looked up by name.
typealias Code = @Sendable (inout Frame) throws(EvaluationError) -> Value

/// A code that stands in a list or may not be there, where a bare one would be wrapped to fit any type.
struct Maker: Sendable {
  let run: Code
}

/// The same for what is true or false, without a value around it.
struct Test: Sendable {
  typealias Run = @Sendable (inout Frame) throws(EvaluationError) -> Bool

  let run: Run
}

/// The same for what may not be there, without an optional around it.
struct Finder: Sendable {
  typealias Run = @Sendable (inout Frame) throws(EvaluationError) -> Value?

  let run: Run
}

/// A part of an expression that is type-checked and compiled, with what is known of its value.
struct Term: Sendable {
  var type: ValueType
  var range: Range<Int>
  /// What it does otherwise than its path says.
  private var maker: Maker?
  /// Does the same as `run`, for a bool.
  private(set) var test: Test?
  private var finder: Finder?
  /// Where it is found, when it is a selection.
  private(set) var path: Path?
  /// Where it is found, when it is a selection with a value that is written out for where nothing is.
  var found: (path: Path, otherwise: Value)?
  /// The token, when it is what `claims` makes of one.
  var token: Maker?
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
    maker = Maker(run: run)
  }

  init(_ range: Range<Int>, test: @escaping Test.Run) {
    self.init(.bool, range) { frame throws(EvaluationError) in .bool(try test(&frame)) }
    self.test = Test(run: test)
  }

  init(_ test: Test, _ range: Range<Int>) { self.init(range, test: test.run) }

  /// What a selection gives, an optional or not; what runs is made of the path once it grows no further.
  init(_ type: ValueType, _ range: Range<Int>, at path: Path) {
    self.type = path.isOptional ? .optional(type) : type
    self.range = range
    self.path = path
  }

  init(constant: Value, type: ValueType, range: Range<Int>) {
    self.init(type, range) { _ in constant }
    self.constant = constant
  }
}

extension Term {
  /// Another code does the same as none of its other ways to be run.
  var run: Code {
    get {
      if let maker { return maker.run }
      guard let path else { preconditionFailure("A term has a code or a path.") }
      guard path.isOptional else { return path.code }
      let find = path.finder.run
      return { frame throws(EvaluationError) in .optional(try find(&frame)) }
    }
    set { (maker, test, finder, path, found, token) = (Maker(run: newValue), nil, nil, nil, nil, nil) }
  }

  /// Finds what `run` puts into an optional.
  var find: Finder? {
    if let finder { return finder }
    guard let path, path.isOptional, maker == nil else { return nil }
    return path.finder
  }

  /// The same where a let is used.
  func used(_ use: LetUse) -> Term {
    var term = self
    term.maker = Maker(run: use.apart(run))
    term.test = test.map(use.apart)
    term.finder = find.map(use.apart)
    term.path = path?.used(use)
    term.found = found.map { ($0.path.used(use), $0.otherwise) }
    term.token = token.map { Maker(run: use.apart($0.run)) }
    return term
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
    let predicate = constant.isNull ? Predicate.isNull(expected) : .equals(constant, expected)
    if let token = token?.run, constant.isNull {
      return Test { frame throws(EvaluationError) in try JSONWebToken.hasNoClaims(token(&frame)) == expected }
    }
    if let path, !path.isOptional { return path.test(predicate, otherwise: false) }
    return found.map { $0.path.test(predicate, otherwise: predicate.holds($0.otherwise)) }
  }

  /// The only strings it can be, a string that is written out included.
  var written: [String]? {
    if let text = constant?.text?.string { return [text] }
    return type == .null ? [] : allowed
  }
}
