/// Type-checks an expression against a scope and makes closures of it, in one pass.
struct Compiler: Sendable {
  /// A variable of a macro; its place in the list is its place in `Frame.locals`.
  struct Local: Sendable {
    var name: String
    var type: ValueType
    var secret: String?
    /// Whether it is an entry of what a variable has, and so no optional.
    var isRead = false
    /// Where something is written out that it may be.
    var writtenOut: [Range<Int>] = []
  }

  let scope: Scope
  /// Without checks everything is `dyn`, and what is wrong is an error when it runs.
  let isChecked: Bool
  var source: [UInt8]
  var locals: [Local] = []
  var facts = Facts()
  var problems: [ExpressionProblem] = []
  /// Durations by which instants were made from now that nothing has looked at.
  var spansAhead: [Duration] = []
  /// Where `s256` is made of a secret.
  var digests: [Range<Int>] = []
  /// Open parts that make such an instant.
  var instantsAhead = 0
  /// What is known of the lets used so far.
  var lets = OpenLets()
  /// The slots of the frame that are read, each once.
  private(set) var slots: [Slot] = []
  /// What was compiled so far reads of time.
  var reads: TimeReads = []
  /// Whether the same text means something else where other functions are granted.
  var asksForAbilities = false
  /// Counts uses of macro variables, and of values that are made anew: what has one cannot be evaluated on its own.
  var boundUses = 0

  init(scope: Scope, source: [UInt8], isChecked: Bool) {
    (self.scope, self.source, self.isChecked) = (scope, source, isChecked)
  }

  /// Reports a problem; the result stands in for what could not be compiled, and fails when it runs.
  ///
  /// The help is worked out only where it is told: without checks nobody reads it.
  mutating func fail(
    _ code: String, _ message: String, at range: Range<Int>, label: String, help: @autoclosure () -> String? = nil
  ) -> Term {
    report(code, message, at: range, label: label, help: help())
    let error = EvaluationError(code: code, message: message, range: range)
    return Term(.dyn, range) { _ throws(EvaluationError) in throw error }
  }

  mutating func report(
    _ code: String, _ message: String, at range: Range<Int>, label: String, help: @autoclosure () -> String? = nil
  ) {
    guard isChecked else { return }
    problems.append(ExpressionProblem(code: code, message: message, range: range, label: label, help: help()))
  }

  mutating func failOutside(_ what: String, at range: Range<Int>, help: String? = nil) -> Term {
    let problem = ExpressionProblem.outside(what, at: range, help: help)
    return fail(problem.code, problem.message, at: range, label: problem.label, help: problem.help)
  }

  mutating func mismatch(
    _ message: String, at range: Range<Int>, label: String, help: @autoclosure () -> String? = nil
  ) {
    report("type-mismatch", message, at: range, label: label, help: help() ?? Expression.conversions)
  }

  mutating func note(_ slot: Slot) {
    if slots.contains(slot) { return }
    if slots.isEmpty { slots.reserveCapacity(8) }
    slots.append(slot)
  }

  /// Notes those of a let, each once.
  mutating func note(_ others: [Slot]) { slots.addMissing(others) }

  /// Notes that an expression asks whether there is what a selection reads: `a[?k].?b` asks for `a[k].b`.
  mutating func noteTest(of selection: Selection?) {
    facts.testsPresence = true
    guard let name = selection?.name.withoutOptionals else { return }
    if !facts.tested.contains(name) { facts.tested.append(name) }
  }

  /// A range as the whole expression has it: inside a let it is the place where the let is used.
  func place(_ range: Range<Int>) -> Range<Int> { lets.place ?? range }

  func text(_ range: Range<Int>) -> String {
    String(decoding: source[range.clamped(to: 0..<source.count)], as: UTF8.self)
  }
}
