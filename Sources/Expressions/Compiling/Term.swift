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
///
/// An object, because there is much of it and it is handed on often.
final class Term: Sendable {
  let type: ValueType
  let range: Range<Int>
  /// What it does otherwise than its path says.
  private let maker: Maker?
  /// Does the same as `run`, for a bool.
  let test: Test?
  private let finder: Finder?
  /// Where it is found, when it is a selection.
  let path: Path?
  /// Where it is found, when it is a selection with a value that is written out for where nothing is.
  let found: (path: Path, otherwise: Value)?
  /// The token, when it is what `claims` makes of one.
  let token: Maker?
  /// The value, where it is written out.
  let constant: Value?
  /// What it reads, when it is nothing but a selection from a variable.
  let selection: Selection?
  /// Names of the selections one of which it hands on as it is, where it is none itself, each once.
  let passedOn: [String]
  /// The selections that a condition may choose, here or in what it chooses from, and that may be null, each once.
  let choices: [Term]
  /// The name of the first secret that may stand in it.
  let secret: String?
  /// Whether it may be null although its type is another.
  let isNullable: Bool
  /// How much of it is known only once it is made.
  let freshness: Freshness
  /// The entries, where it is a map that is written out.
  let entries: [WrittenEntry]
  /// The only strings it can be.
  let allowed: [String]?
  /// The root of a variable with declared fields, which is read field by field only.
  let root: Int?

  init(
    _ type: ValueType, _ range: Range<Int>, found: (path: Path, otherwise: Value)? = nil, token: Maker? = nil,
    secret: String? = nil, isNullable: Bool = false, freshness: Freshness = .none, entries: [WrittenEntry] = [],
    allowed: [String]? = nil, passingOn passedOn: [String] = [], choosing choices: [Term] = [],
    _ run: @escaping Code
  ) {
    (self.type, self.range) = (type, range)
    (maker, test, finder, path) = (Maker(run: run), nil, nil, nil)
    (self.found, self.token, constant) = (found, token, nil)
    (selection, self.passedOn, self.choices, root) = (nil, passedOn, choices, nil)
    (self.secret, self.isNullable, self.freshness) = (secret, isNullable, freshness)
    (self.entries, self.allowed) = (entries, allowed)
  }

  init(_ test: Test, _ range: Range<Int>) {
    let holds = test.run
    (type, self.range) = (.bool, range)
    maker = Maker { frame throws(EvaluationError) in .bool(try holds(&frame)) }
    (self.test, finder, path, found, token, constant) = (test, nil, nil, nil, nil, nil)
    (selection, root, secret, isNullable, freshness, entries, allowed) = (nil, nil, nil, false, .none, [], nil)
    (passedOn, choices) = ([], [])
  }

  convenience init(_ range: Range<Int>, test: @escaping Test.Run) { self.init(Test(run: test), range) }

  /// What a selection gives, an optional or not; what runs is made of the path once it grows no further.
  init(
    _ type: ValueType, _ range: Range<Int>, at path: Path, _ selection: Selection?, root: Int? = nil,
    secret: String?, isNullable: Bool = false, allowed: [String]? = nil
  ) {
    self.type = path.isOptional ? .optional(type) : type
    self.range = range
    (maker, test, finder, self.path) = (nil, nil, nil, path)
    (found, token, constant) = (nil, nil, nil)
    (self.selection, passedOn, choices, self.root) = (selection, [], [], root)
    (self.secret, self.isNullable, freshness) = (secret, isNullable, .none)
    (entries, self.allowed) = ([], allowed)
  }

  init(constant: Value, type: ValueType, range: Range<Int>) {
    (self.type, self.range) = (type, range)
    (maker, test, finder, path) = (Maker { _ in constant }, nil, nil, nil)
    (found, token, self.constant) = (nil, nil, constant)
    (selection, root, secret, isNullable, freshness, entries, allowed) = (nil, nil, nil, false, .none, [], nil)
    (passedOn, choices) = ([], [])
  }

  /// The same elsewhere: used through a let, or without what is known of where it is found.
  private init(_ term: Term, at range: Range<Int>, through use: LetUse? = nil, _ selection: Selection?) {
    self.range = range
    if let use {
      maker = Maker(run: use.apart(term.run))
      test = term.test.map(use.apart)
      finder = term.find.map(use.apart)
      path = term.path?.used(use)
      found = term.found.map { ($0.path.used(use), $0.otherwise) }
      token = term.token.map { Maker(run: use.apart($0.run)) }
    } else {
      (maker, test, finder, path, found, token) = (
        term.maker, term.test, term.finder, term.path, term.found, term.token
      )
    }
    (type, constant, self.selection, root, secret) = (term.type, term.constant, selection, term.root, term.secret)
    (isNullable, freshness, entries, allowed) = (term.isNullable, term.freshness, term.entries, term.allowed)
    (passedOn, choices) = (term.passedOn, term.choices.map { Term($0, at: range, $0.selection) })
  }

  /// The same of another type, and with another code, which does the same as none of its other ways to be run.
  init(_ term: Term, as type: ValueType, _ run: @escaping Code) {
    (self.type, range) = (type, term.range)
    (maker, test, finder, path, found, token) = (Maker(run: run), nil, nil, nil, nil, nil)
    (constant, selection, root, secret) = (term.constant, term.selection, term.root, term.secret)
    (isNullable, freshness, entries, allowed) = (term.isNullable, term.freshness, term.entries, term.allowed)
    (passedOn, choices) = (term.passedOn, term.choices)
  }
}

extension Term {
  /// Names of the selections one of which it is or hands on as it is, each once.
  var handedOn: [String] { selection.map { [$0.name] } ?? passedOn }

  var run: Code {
    if let maker { return maker.run }
    guard let path else { preconditionFailure("A term has a code or a path.") }
    guard path.isOptional else { return path.code }
    let find = path.finder.run
    return { frame throws(EvaluationError) in .optional(try find(&frame)) }
  }

  /// Finds what `run` puts into an optional.
  var find: Finder? {
    if let finder { return finder }
    guard let path, path.isOptional, maker == nil else { return nil }
    return path.finder
  }

  /// The same where a let is used; what is written out and what is read field by field need nothing around them.
  func used(_ use: LetUse, at range: Range<Int>) -> Term {
    var selection = selection
    selection?.range = range
    return Term(self, at: range, through: constant == nil && root == nil ? use : nil, selection)
  }

  /// The same that cannot be evaluated outside the macros around it.
  var bound: Term {
    var selection = selection
    selection?.isFree = false
    return Term(self, at: range, selection)
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
