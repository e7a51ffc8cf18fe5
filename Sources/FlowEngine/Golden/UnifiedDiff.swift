/// The lines that differ with those around them, as `diff -u` shows them.
struct UnifiedDiff {
  static let contextLines = 3

  /// `compared` are the lines as they are held against one another, one for each line that is shown.
  static func lines(
    old: [String], new: [String], comparedOld: [String], comparedNew: [String]
  ) -> [String] {
    let edits = LineDiff.edits(from: comparedOld, to: comparedNew)
    var result: [String] = []
    for hunk in hunks(edits) {
      result.append(heading(edits, hunk))
      for edit in edits[hunk] {
        switch edit {
        case .keep(_, let index): result.append(" " + new[index])
        case .remove(let index): result.append("-" + old[index])
        case .insert(let index): result.append("+" + new[index])
        }
      }
    }
    return result
  }

  /// Ranges of edits that belong together: changes whose contexts touch.
  private static func hunks(_ edits: [LineDiff.Edit]) -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for index in edits.indices where !edits[index].isKeep {
      let range = max(0, index - contextLines)..<min(edits.count, index + contextLines + 1)
      if let last = hunks.last, last.upperBound >= range.lowerBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks
  }

  private static func heading(_ edits: [LineDiff.Edit], _ hunk: Range<Int>) -> String {
    let old = { (edits: ArraySlice<LineDiff.Edit>) in edits.count { if case .insert = $0 { false } else { true } } }
    let new = { (edits: ArraySlice<LineDiff.Edit>) in edits.count { if case .remove = $0 { false } else { true } } }
    let (before, inside) = (edits[..<hunk.lowerBound], edits[hunk])
    return "@@ -\(range(old(before), old(inside))) +\(range(new(before), new(inside))) @@"
  }

  /// An empty range stands behind the line before it.
  private static func range(_ before: Int, _ count: Int) -> String {
    count == 1 ? "\(before + 1)" : "\(count == 0 ? before : before + 1),\(count)"
  }
}
