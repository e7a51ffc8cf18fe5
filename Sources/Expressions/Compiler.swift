/// Type-checks an expression against a scope and makes closures of it, in one pass.
struct Compiler: Sendable {
  /// A variable of a macro; its place in the list is its place in `Frame.locals`.
  struct Local: Sendable {
    var name: String
    var type: ValueType
    var secret: String?
  }

  let scope: Scope
  /// Without checks everything is `dyn`, and what is wrong is an error when it runs.
  let isChecked: Bool
  private let hasDottedNames: Bool
  var source: [UInt8]
  var locals: [Local] = []
  var facts = Facts()
  private(set) var problems: [ExpressionProblem] = []
  /// Durations by which instants were made from now that nothing has looked at.
  var spansAhead: [Duration] = []
  /// Open parts that make such an instant.
  var instantsAhead = 0
  private var letTerms: [String: Term] = [:]
  /// What using the let again adds to `spansAhead`.
  private var letSpans: [String: [Duration]] = [:]
  private var openLets: [String] = []
  /// Levels of nodes in the lets that are being compiled, since these nest on the stack.
  private var letDepth = 0
  /// Where the outermost let that is being compiled is used.
  private var letPlace: Range<Int>?
  /// Counts uses of macro variables, and of values that are made anew: what has one cannot be evaluated on its own.
  var boundUses = 0

  init(scope: Scope, source: [UInt8], isChecked: Bool) {
    self.scope = scope
    self.source = source
    self.isChecked = isChecked
    hasDottedNames = scope.variables.contains { $0.name.utf8.contains(UInt8(ascii: ".")) }
  }

  /// Reports a problem; the result stands in for what could not be compiled, and fails when it runs.
  mutating func fail(
    _ code: String, _ message: String, at range: Range<Int>, label: String, help: String? = nil
  ) -> Term {
    report(code, message, at: range, label: label, help: help)
    let error = EvaluationError(code: code, message: message, range: range)
    return Term(.dyn, range) { _ throws(EvaluationError) in throw error }
  }

  mutating func report(
    _ code: String, _ message: String, at range: Range<Int>, label: String, help: String? = nil
  ) {
    guard isChecked else { return }
    problems.append(ExpressionProblem(code: code, message: message, range: range, label: label, help: help))
  }

  mutating func failOutside(_ what: String, at range: Range<Int>, help: String? = nil) -> Term {
    let problem = ExpressionProblem.outside(what, at: range, help: help)
    return fail(problem.code, problem.message, at: range, label: problem.label, help: problem.help)
  }

  mutating func mismatch(_ message: String, at range: Range<Int>, label: String, help: String? = nil) {
    report("type-mismatch", message, at: range, label: label, help: help)
  }

  /// A range as the whole expression has it: inside a let it is the place where the let is used.
  func place(_ range: Range<Int>) -> Range<Int> { letPlace ?? range }

  func text(_ range: Range<Int>) -> String {
    String(decoding: source[range.clamped(to: 0..<source.count)], as: UTF8.self)
  }

  /// The variable that a chain of names stands for, dots in its name included.
  func dottedVariable(_ node: SyntaxNode) -> Scope.Variable? {
    guard hasDottedNames, let name = node.rendered else { return nil }
    let first = name.prefix { $0 != "." }
    if locals.contains(where: { $0.name == first }) { return nil }
    return scope.variables.first { $0.name == name }
  }

  /// The term of a let, compiled once and without the macro variables around its use.
  mutating func letTerm(_ name: String, _ letSource: String, at range: Range<Int>) -> Term {
    facts.lets.insert(name)
    if let term = letTerms[name] {
      spansAhead += letSpans[name] ?? []
      return used(term, at: range)
    }
    if openLets.contains(name) {
      let circle = (openLets.drop { $0 != name } + [name]).map { "\"\($0)\"" }.joined(separator: " → ")
      return fail(
        "let-circle", "the let \"\(name)\" needs itself: \(circle)", at: range, label: "comes back to itself")
    }
    let before = problems.count
    let spans = spansAhead.count
    let term = compileLet(name, letSource, at: range)
    letTerms[name] = term
    letSpans[name] = Array(spansAhead[spans...])
    if problems.count > before {
      let first = problems[before]
      problems.removeSubrange(before...)
      let message =
        first.code == "let-circle" ? first.message : "the let \"\(name)\" does not work here: \(first.message)"
      report(first.code, message, at: range, label: "used here", help: first.help)
    }
    return used(term, at: range)
  }

  private mutating func compileLet(_ name: String, _ letSource: String, at range: Range<Int>) -> Term {
    let outer = (source: source, locals: locals, place: letPlace)
    source = Array(letSource.utf8)
    locals = []
    letPlace = letPlace ?? range
    openLets.append(name)
    defer {
      openLets.removeLast()
      (source, locals, letPlace) = outer
    }
    do {
      let node = try Parser.parse(source)
      letDepth += node.depth
      defer { letDepth -= node.depth }
      guard letDepth <= 2 * Parser.deepest else {
        return fail(
          "too-deep", "lets stand in one another too deep", at: 0..<source.count, label: "one level too many")
      }
      return term(node)
    } catch {
      guard let first = error.all.first else { preconditionFailure("Problems are never empty.") }
      return fail(first.code, first.message, at: first.range, label: first.label, help: first.help)
    }
  }

  /// Runs a let's code apart from the macros around it; its errors stand where it is used.
  private func used(_ term: Term, at range: Range<Int>) -> Term {
    var result = term
    let code = term.run
    let cost = Frame.cost(ofSource: term.range.count)
    result.range = range
    result.selection?.range = range
    if term.constant != nil || term.root != nil { return result }
    result.run = apart(code, cost, at: range)
    result.test = term.test.map { Test(run: apart($0.run, cost, at: range)) }
    result.find = term.find.map { Finder(run: apart($0.run, cost, at: range)) }
    return result
  }

  private func apart<Result>(
    _ code: @escaping @Sendable (inout Frame) throws(EvaluationError) -> Result, _ cost: Int, at range: Range<Int>
  ) -> @Sendable (inout Frame) throws(EvaluationError) -> Result {
    { frame throws(EvaluationError) in
      try frame.spend(cost, at: range)
      let outer = frame.locals
      if !outer.isEmpty { frame.locals = [] }
      defer { if !outer.isEmpty { frame.locals = outer } }
      do throws(EvaluationError) {
        return try code(&frame)
      } catch {
        throw EvaluationError(code: error.code, message: error.message, range: range)
      }
    }
  }
}
