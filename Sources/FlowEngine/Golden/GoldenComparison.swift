/// How the trace of a run stands to the golden one.
package enum GoldenVerdict: Sendable, Hashable {
  case matches
  /// There is no golden yet.
  case missing
  case changed(GoldenDifference)
}

/// What is different, to be read from top to bottom.
package struct GoldenDifference: Sendable, Hashable {
  /// The first line that differs, and the first decision that does, in words.
  package let sentences: [String]
  /// In the unified format: the golden's lines behind `-`, the run's behind `+`.
  package let diff: [String]
}

/// Holds a run's trace against its golden.
package enum GoldenComparison {
  /// `golden` is `nil` where there is none.
  package static func compare(golden: [UInt8]?, run: [UInt8]) -> GoldenVerdict {
    guard let golden else { return .missing }
    if golden == run { return .matches }
    let old = lines(golden)
    let new = lines(run)
    let diff = UnifiedDiff.lines(
      old: old, new: new, comparedOld: old.map(withoutNumber), comparedNew: new.map(withoutNumber))
    return .changed(GoldenDifference(sentences: FirstDifference.sentences(golden: golden, run: run), diff: diff))
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() } else { lines.append(Array("\\ no line end".utf8)[...]) }
    return lines.map { printable(String(decoding: $0, as: UTF8.self)) }
  }

  /// A line that is new must not make every line behind it differ by its `n`.
  private static func withoutNumber(_ line: String) -> String {
    guard line.hasPrefix("{\"n\":"), let comma = line.firstIndex(of: ",") else { return line }
    return String(line[comma...])
  }
}
