/// What a compiled expression reads while it runs: values by root and slot, and the mint for fresh ones.
package struct Frame: Sendable {
  /// `roots[variable.root][slot]`.
  package var roots: [[Value]]
  package var mint: Mint
  /// Evaluation steps left before `EvaluationError.tooCostly`: what repeats parts of an expression spends it, and what goes
  /// through long values.
  package var budget: Int
  package static let usualBudget = 1_000_000
  /// The variables of the macros that are running, outermost first.
  var locals: [Value] = []
  /// By which times instants are looked at; `nil` where nobody asks.
  package var times: Times?

  package init(roots: [[Value]], mint: Mint = Mint(seed: .simulated), budget: Int = usualBudget) {
    (self.roots, self.mint, self.budget) = (roots, mint, budget)
  }
}

extension Frame {
  /// The budget's measure of running so many bytes of source once.
  static func cost(ofSource bytes: Int) -> Int { 1 + bytes / 16 }

  /// Takes what it costs to go through a value once; nothing for what is short.
  mutating func spend(on value: Value, at range: Range<Int>) throws(EvaluationError) {
    switch value {
    case .string(let text): try spend(text.weight / 64, at: range)
    case .list(let elements): try spend(elements.count / 8, at: range)
    case .map(let map): try spend(map.count / 8, at: range)
    default: break
    }
  }

  /// Takes what it costs to look at the keys of a map one after the other, and to compare them with what is sought, `nil`
  /// for a name that is written out; nothing where they are few and short.
  @inline(__always)
  mutating func spend(lookingAt keys: Int, for sought: Value?, at range: Range<Int>) throws(EvaluationError) {
    if keys >= 128 { try spend(keys / 128, at: range) }
    if let weight = sought?.textWeight, weight >= 64 { try spend(weight / 64 * (1 + keys / 128), at: range) }
  }

  /// Takes what it costs to keep what a function has made: an element of a list needs much more than a byte.
  mutating func spend(making value: Value, at range: Range<Int>) throws(EvaluationError) {
    guard case .list(let elements) = value else { return try spend(on: value, at: range) }
    try spend(elements.count / 2, at: range)
  }

  /// `in`, and what it costs.
  mutating func contains(
    _ collection: Value, _ element: Value, at range: Range<Int>
  ) throws(EvaluationError) -> Bool {
    if case .list = collection { try spend(on: collection, at: range) }
    var steps = 0
    let isThere = try Value.contains(collection, element, &steps, at: range)
    try spend(steps / 8, at: range)
    return isThere
  }

  /// Takes steps from the budget.
  @inline(__always)
  mutating func spend(_ steps: Int, at range: Range<Int>) throws(EvaluationError) {
    budget -= steps
    if budget < 0 { throw .tooCostly(at: range) }
  }
}
