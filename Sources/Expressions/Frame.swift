/// What a compiled expression reads while it runs: values by root and slot, and the mint for fresh ones.
package struct Frame: Sendable {
  /// `roots[variable.root][slot]`.
  package var roots: [[Value]]
  package var mint: Mint
  /// Evaluation steps left before `EvaluationError.tooCostly`; comprehensions spend it.
  package var budget: Int

  package init(roots: [[Value]], mint: Mint = Mint(seed: .simulated), budget: Int = 1_000_000) {
    self.roots = roots
    self.mint = mint
    self.budget = budget
  }
}
