import FlowSpec

/// How the trace of a run stands to the golden one.
package enum GoldenVerdict: Sendable, Hashable {
  case matches
  /// There is no golden yet.
  case missing
  case changed(GoldenDifference)
}

/// What is different, to be read from top to bottom.
package struct GoldenDifference: Sendable, Hashable {
  /// The first line that differs, the first that does something else, the first other decision, another end.
  package let sentences: [String]
  /// In the unified format: the golden's lines behind `-`, the run's behind `+`, in full length.
  package let diff: [String]

  /// Whether all is done as the golden tells it, and when it does: only what is said of it differs.
  package var isInWordsAlone: Bool { sentences.contains(FirstDifference.sameDeeds) }

  /// The lines that go and come, wherever and whenever they do: one change of a flow is the same in many traces.
  package var changes: [String] {
    diff.filter { !$0.hasPrefix(" ") && !$0.hasPrefix("@@") }.map { line in
      GoldenComparison.taken(String(line.dropFirst())).map { String(line.prefix(1) + $0.rest) } ?? line
    }
  }
}

/// Holds a run's trace against its golden.
package enum GoldenComparison {
  /// `golden` is `nil` where there is none.
  package static func compare(golden: [UInt8]?, run: [UInt8]) -> GoldenVerdict {
    guard var golden else { return .missing }
    if golden == run { return .matches }
    golden = withoutReturns(golden)
    if golden == run { return .matches }
    let old = lines(golden)
    let new = lines(run)
    let diff = UnifiedDiff.lines(
      old: old, new: new, comparedOld: compared(old), comparedNew: compared(new))
    // What is left out of the comparison may be all that differs.
    let shown = diff.isEmpty ? UnifiedDiff.lines(old: old, new: new, comparedOld: old, comparedNew: new) : diff
    return .changed(GoldenDifference(sentences: FirstDifference.sentences(golden: golden, run: run), diff: shown))
  }

  /// Says where a run that failed first decided otherwise than its golden; `nil` where it did not, or that is no trace.
  package static func departure(golden: [UInt8], of outcome: RunOutcome, scenario: Scenario?) -> String? {
    guard let old = try? Trace(reading: withoutReturns(golden)) else { return nil }
    var outcome = outcome
    // A run that would not end has told of a million things.
    outcome.happened.happenings = Array(outcome.happened.happenings.prefix(4 * old.lines.count))
    guard let new = try? Trace(reading: TraceWriter.trace(of: outcome, scenario: scenario)) else { return nil }
    return FirstDifference.firstOtherDecision(old, new, from: 0).map {
      TraceWriter.aliases(of: outcome).hiding(in: $0)
    }
  }

  /// The trace of a run as it is written in place of a golden: with line ends of the same kind, where all of them are.
  package static func written(_ run: [UInt8], inPlaceOf golden: [UInt8]) -> [UInt8] {
    let (lineFeed, returned) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    let ends = golden.indices.filter { golden[$0] == lineFeed }
    guard !ends.isEmpty, ends.allSatisfy({ $0 > 0 && golden[$0 - 1] == returned }) else { return run }
    let lines = run.split(separator: lineFeed, omittingEmptySubsequences: false)
    return Array(lines.joined(separator: [returned, lineFeed]))
  }

  /// Lines of JSON Lines may end with CR LF, as some checkouts of a repository make them.
  private static func withoutReturns(_ bytes: [UInt8]) -> [UInt8] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return Array(lines.map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }.joined(separator: "\n".utf8))
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() } else { lines.append(Array("\\ no line end".utf8)[...]) }
    return lines.map { printable(String(decoding: $0, as: UTF8.self)) }
  }

  /// The lines without `n`, and with the time since the line before in place of `at`.
  ///
  /// A line that is new, or comes later, must not make every line behind it differ.
  private static func compared(_ lines: [String]) -> [String] {
    var before = 0
    return lines.map { line in
      guard let (at, rest) = taken(line) else { return line }
      defer { before = at }
      return "\(at &- before)\(rest)"
    }
  }

  /// `at`, and what stands behind it; `nil` for what is no line behind a header.
  fileprivate static func taken(_ line: String) -> (at: Int, rest: Substring)? {
    let parts = line.split(separator: ",", maxSplits: 2)
    guard parts.count == 3, parts[0].hasPrefix("{\"n\":"), parts[1].hasPrefix("\"at\":") else { return nil }
    return Int(parts[1].dropFirst(5)).map { ($0, parts[2]) }
  }
}
