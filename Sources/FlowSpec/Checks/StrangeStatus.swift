import Expressions

extension Check {
  /// Numbers that no answer has as its status: what asks for one is decided before it runs.
  static let strangeStatuses: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.expressions.flatMap { placed in
      placed.expression.facts.comparisons.compactMap { comparison in
        let strange = comparison.numbers.first { $0 != 0 && !(100..<600).contains($0) }
        guard let strange, comparison.path == ["response", "status"] else { return nil }
        let definition = comparison.definition.flatMap { examined.machine.definitions[$0] }
        return Diagnostic(
          "strange-status", severity: .warning, "no answer has the status \(strange)",
          at: (definition ?? placed.site).inside(comparison.range, from: definition == nil ? placed.offset : 0),
          "compared with \(strange)", help: "a status is 100 to 599, and 0 where no answer came")
      }
    }
  }
}
