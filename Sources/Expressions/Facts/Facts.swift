extension String {
  /// The name of a selection as places have it, without the marks of what may be absent: `a[k].b` of `a[?k].?b`.
  package var withoutOptionals: String {
    guard utf8.contains(UInt8(ascii: "?")) else { return self }
    var before: UInt8 = 0
    let bytes = utf8.filter { byte in
      defer { before = byte }
      return byte != UInt8(ascii: "?") || before != UInt8(ascii: ".") && before != UInt8(ascii: "[")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What is found out about a whole expression while it is compiled.
package struct Facts: Sendable {
  var readings: [Expression.Reading] = []
  /// The declared names that it uses, each once: `["store", "users", "status"]`.
  package internal(set) var references: [[String]] = []
  /// Names of the lets used, directly or through others, each once and in order.
  package internal(set) var lets: [String] = []
  /// Declared fields (`["store", "codes"]`) whose entries are counted, gone through or compared as a whole; indexing
  /// and `in` alone do not count.
  package internal(set) var traversed: Set<[String]> = []
  /// Durations by which it looks at instants, each once: something may change when so much time has passed behind one;
  /// negative ones stand before it.
  ///
  /// The grace of `expired` stands before. `duration('…')` and `seconds(3)` stand on both sides, but where they only make
  /// an instant from `now` they are none.
  package private(set) var spans: [Duration] = []
  /// Names of the selections that are compared with null or looked at by `present`, `has`, `expired`, `same`, each once
  /// and in order.
  package internal(set) var tested: [String] = []
  /// Whether it looks whether something is there, of any name or none: so, or with `orValue` or `hasValue`.
  package internal(set) var testsPresence = false
  /// Whether it makes something new each time.
  package internal(set) var makesAnew = false
  /// Whether that is an id, by which others know something again.
  package internal(set) var makesID = false
  /// Names of the selections whose value it uses, each once: of others it only asks whether they are there, empty or how
  /// long, or what can be made of them.
  package internal(set) var used: [String] = []
  /// Names of those that stay used whatever is asked about a term that hands them on, too, each once.
  var settled: [String] = []
  /// Names of the selections one of which `s256` makes a hash of, each once.
  package internal(set) var hashed: [String] = []
  /// Fields that it looks into, which is an error if they turn out to be fresh.
  package internal(set) var looks: [Look] = []
  /// Selections that may be null and meet order, arithmetic, logic, a function or each other; divisions by zero.
  ///
  /// A test of one of the names is enough.
  var nullables: [(names: [String], problem: ExpressionProblem, isOfCall: Bool)] = []
  /// What hardly means what it says, inside lets too: texts in quotes that would be expressions without, tests that
  /// tell nothing.
  package internal(set) var doubts: [(problem: ExpressionProblem, definition: String?)] = []
  /// Comparisons of numbers and with null, those inside lets included.
  package internal(set) var comparisons: [Comparison] = []
  /// Values that are written out in it, and compared with something; those inside lets included.
  package internal(set) var written: [WrittenValue] = []
  /// What is written out in it and held against something that is or may be secret.
  var besides: [Beside] = []

  struct Beside: Sendable {
    /// Of texts, in the source of the expression.
    let ranges: [Range<Int>]
    let isSecret: Bool
    /// What it is held against, where names tell whether that is secret.
    let read: String
    /// All that is written beside that.
    let written: String
  }

  package struct WrittenValue: Sendable {
    package let value: Value
    /// Where it stands in the source of the expression, or of the let that it is in.
    package let range: Range<Int>
    package let definition: String?
    /// What it is compared with, as it is written or as the let is that it is, and whether that is declared secret.
    package let other: String
    package let isSecret: Bool
    /// Names of the selections one of which that hands on as it is.
    package let handedOn: [String]
  }

  /// Counts a duration behind an instant, and before it.
  mutating func countSpan(_ span: Duration) {
    for span in [span, .zero - span] where !spans.contains(span) { spans.append(span) }
  }

  /// Counts a duration before an instant alone, in place of what was counted since there were `known`.
  mutating func countGrace(_ grace: Duration, since known: Int) {
    spans.removeSubrange(known...)
    if !spans.contains(.zero - grace) { spans.append(.zero - grace) }
  }

  mutating func countSpans(of other: Facts) { spans.addMissing(other.spans) }

  /// Puts the names into order; what is in order stays as it is, and shared with others.
  mutating func sortNames() {
    if !lets.isSorted { lets.sort() }
    if !tested.isSorted { tested.sort() }
  }
}

extension [String] {
  fileprivate var isSorted: Bool { indices.dropFirst().allSatisfy { self[$0 - 1] <= self[$0] } }
}
