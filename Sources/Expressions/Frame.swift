/// What a compiled expression reads while it runs: values by root and slot, and the mint for fresh ones.
package struct Frame: Sendable {
  /// `roots[variable.root][slot]`.
  package var roots: [[Value]]
  package var mint: Mint
  /// Evaluation steps left before `EvaluationError.tooCostly`; comprehensions spend it.
  package var budget: Int
  /// The variables of the macros that are running, outermost first.
  var locals: [Value] = []

  package init(roots: [[Value]], mint: Mint = Mint(seed: .simulated), budget: Int = 1_000_000) {
    self.roots = roots
    self.mint = mint
    self.budget = budget
  }
}

extension Frame {
  /// Takes steps from the budget.
  mutating func spend(_ steps: Int, at range: Range<Int>) throws(EvaluationError) {
    budget -= steps
    if budget < 0 { throw .tooCostly(at: range) }
  }
}
