/// A CEL expression that has been parsed, type-checked and compiled; only `compile` makes one.
package final class Expression: Sendable {
  /// A part of the expression that reads something, as the trace shows it: `response.json.error`, `store.token`.
  package final class Reading: Sendable {
    /// What is declared of it, under the whole of its name.
    package let field: ObjectType.Field
    package var name: String { field.name }
    /// Whether what is declared says that it is secret, or something in it.
    package let holdsSecrets: Bool
    private let find: Finder.Run

    init(_ field: ObjectType.Field, _ find: @escaping Finder.Run) {
      (self.field, self.find) = (field, find)
      holdsSecrets = field.secret != nil || field.type.secretInside != nil
    }

    /// `nil` where there is nothing: an optional selection that found nothing, an error.
    package func evaluate(_ frame: inout Frame) -> Value? { try? find(&frame) }
  }

  package let source: String
  package let type: ValueType
  /// The largest selections from variables, each once, in order of appearance, those inside lets included.
  package var readings: [Reading] { facts.readings }
  /// The name of the first secret that may stand in the result, `nil` for none (statically).
  package let secret: String?
  /// How much of the result is surely known only once it is made.
  package let freshness: Freshness
  /// The only strings that the result can be, null apart; `nil` for any.
  package let allowed: [String]?
  /// The declared names of the field that the whole expression is: `["memory", "state"]`; `nil` when it is more.
  package let copied: [String]?
  /// The selection that the whole expression is, as a reading names it; `nil` when it is more.
  package let selection: String?
  /// Names of the selections one of which it is or hands on as it is: through `string`, `dyn` and `orValue`, and in the
  /// branches of `?:`.
  package var handedOn: [String] { selection.map { [$0] } ?? passedOn }
  private let passedOn: [String]
  /// Whether it is a selection, or one with a value that is written out for where nothing is.
  package let isSelected: Bool
  /// Whether it may give null, or something of which that is not known.
  package let mayBeNull: Bool

  /// Whether it gives the same wherever and whenever it runs, lets apart: it reads nothing.
  package var isConstant: Bool { facts.references.isEmpty && facts.lets.isEmpty }

  /// Where it stands in the source given to `compile`; in a template it is a part.
  package let range: Range<Int>

  package let facts: Facts
  let evaluation: Code
  /// Where its value stands, when it is a field of a variable and no more.
  let slot: Slot?
  /// Does the same for what is nothing but true or false; `hasTest` says whether it is.
  private let test: Test.Run
  private let hasTest: Bool
  /// Finds what `evaluation` puts into an optional; `nil` when it gives none.
  let finding: Finder?

  init(_ source: String, _ term: Term, _ facts: consuming Facts) {
    self.source = source
    type = term.type
    facts.sortNames()
    self.facts = consume facts
    secret = term.secret
    freshness = term.freshness
    allowed = term.written
    copied = term.selection.flatMap { $0.isAtField ? $0.path : nil }
    selection = term.selection?.name
    passedOn = term.passedOn
    isSelected = term.selection != nil || term.found != nil
    mayBeNull =
      term.isNullable || !term.choices.isEmpty
      || ![.bool, .int, .double, .string, .timestamp, .duration].contains(term.type)
    range = term.range
    (evaluation, slot) = (term.run, term.path?.slot)
    if let holds = term.test { (test, hasTest) = (holds.run, true) } else { (test, hasTest) = ({ _ in false }, false) }
    finding = term.find
  }

  /// Whether something is written out in it that it holds against what it reads under this name.
  package func writesOut(beside reading: String) -> Bool {
    facts.written.contains { mayHold([reading], in: $0.other) }
      || facts.besides.contains { mayHold([reading], in: $0.read) }
  }

  /// Whether one of these readings may be in a part of it: it stands in its words or, as behind a macro, none does, nor a
  /// let.
  private func mayHold(_ some: [String], in part: String) -> Bool {
    if some.contains(where: part.holds) { return true }
    return !some.isEmpty && !readings.contains { part.holds($0.name) } && !facts.lets.contains(where: part.holds)
  }

  /// The source without the values that are written out in it and compared with a secret: with what is declared so, is
  /// one by its name, or turned out to be one when it was read.
  package func source(hiding secrets: ComparedSecrets, read: [String] = []) -> String {
    if facts.written.isEmpty, facts.besides.isEmpty { return source }
    let written = facts.written.filter { written in
      written.definition == nil
        && (written.isSecret || mayHold(read, in: written.other)
          || secrets.hide(text(written.range), writtenBeside: written.other))
    }
    let besides = facts.besides.filter {
      $0.isSecret || mayHold(read, in: $0.read) || secrets.hide($0.written, writtenBeside: $0.read)
    }
    let hidden = Set(written.map(\.range) + besides.flatMap(\.ranges))
    if hidden.isEmpty { return source }
    let bytes = Array(source.utf8)
    var (shown, rest) = ("", 0)
    for range in hidden.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= rest {
      shown += String(decoding: bytes[rest..<range.lowerBound], as: UTF8.self) + "'…'"
      rest = range.upperBound
    }
    return shown + String(decoding: bytes[rest...], as: UTF8.self)
  }

  private func text(_ range: Range<Int>) -> String {
    let utf8 = source.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound, limitedBy: utf8.endIndex) ?? utf8.endIndex
    return String(source[start..<(utf8.index(start, offsetBy: range.count, limitedBy: utf8.endIndex) ?? utf8.endIndex)])
  }

  /// Runs it; pure but for the mint and the budget of `frame`.
  package func evaluate(_ frame: inout Frame) throws(EvaluationError) -> Value {
    try evaluation(&frame)
  }

  /// Runs a condition, without a value around what it gives; `nil` where it gives no bool.
  package func isTrue(_ frame: inout Frame) throws(EvaluationError) -> Bool? {
    if hasTest { return try test(&frame) }
    guard case .bool(let holds) = try evaluation(&frame) else { return nil }
    return holds
  }
}

/// Something wrong in the text of an expression or template.
package struct ExpressionProblem: Error, Sendable, Hashable {
  /// Kebab-case: `unknown-name`, `type-mismatch`, `outside-profile`, `expression-syntax`.
  package var code: String
  /// A sentence that stands alone.
  package var message: String
  /// UTF-8 offsets into the source given to `compile`.
  package var range: Range<Int>
  /// A few words for beside the caret.
  package var label: String
  package var help: String?
  /// What is wrong in the let whose use is there, `nil` outside of lets; of one inside another the inner.
  package var cause: Cause?

  package struct Cause: Sendable, Hashable {
    package let name: String
    /// UTF-8 offsets into the let's source.
    package let range: Range<Int>
    package let label: String
  }

  package init(code: String, message: String, range: Range<Int>, label: String, help: String? = nil) {
    (self.code, self.message, self.range, self.label, self.help) = (code, message, range, label, help)
  }
}

/// Everything that is wrong in one expression or template; never empty.
package struct ExpressionProblems: Error, Sendable, Hashable {
  package var all: [ExpressionProblem]

  package init(_ all: [ExpressionProblem]) { self.all = all }
}

/// Why an expression has no value.
package struct EvaluationError: Error, Sendable, Hashable {
  /// Kebab-case: `no-such-key`, `overflow`, `no-such-overload`, `looks-into-fresh`, `too-costly`.
  package var code: String
  /// A sentence that stands alone, with no secret in it.
  package var message: String
  /// UTF-8 offsets into the expression's source, `nil` when it is the whole.
  package var range: Range<Int>?
  /// Where in the let whose use is there, `nil` outside of lets; of one inside another the inner.
  package var definition: Definition?
  /// What to do about it; `nil` where there is nothing to be said.
  package var help: String?

  package struct Definition: Sendable, Hashable {
    package let name: String
    /// UTF-8 offsets into the let's source, `nil` when it is the whole.
    package let range: Range<Int>?
  }

  package init(code: String, message: String, range: Range<Int>? = nil, help: String? = nil) {
    (self.code, self.message, self.range, self.help) = (code, message, range, help)
  }
}
