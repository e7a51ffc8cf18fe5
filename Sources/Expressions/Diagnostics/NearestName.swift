/// The name most like `name`, if one is like enough to be a slip, and within so many letters of it; of very many names the
/// first are looked at.
///
/// Of several as near the first is meant, which a set would leave to chance.
package func nearestName(to name: String, among candidates: [String], within slips: Int = .max - 1) -> String? {
  let letters = Array(name.unicodeScalars)
  let folded = name.lowercased()
  // A name of one or two letters is like any other.
  var limit = min(letters.count < 3 ? 1 : letters.count / 3 + 1, slips + 1)
  var (best, bestStart) = (String?.none, 0)
  let isPlain = name.isPlainASCII
  for (index, candidate) in candidates.prefix(10_000).enumerated() {
    // Of many names most are told apart by their lengths, which stand beside them where all is ASCII.
    if isPlain, candidate.isPlainASCII {
      let difference = abs(letters.count - candidate.utf8.count)
      if difference > 0, difference > limit || best != nil && limit == 1 && index > 100 { continue }
    }
    // Another case is the likeliest slip of all.
    if candidate != name, candidate.lowercased() == folded { return candidate }
    if best != nil, limit == 1, index > 100 { continue }
    let others = Array(candidate.unicodeScalars)
    let start = zip(letters, others).prefix { $0 == $1 }.count
    // Of two as near the one that begins alike for longer: who leaves a letter out goes on as the name does.
    let most = best != nil && start > bestStart ? limit + 1 : limit
    if best != nil && most == 1 || abs(letters.count - others.count) >= most { continue }
    let distance = editDistance(letters, others, below: most)
    if distance < most { (best, bestStart, limit) = (candidate, start, distance) }
  }
  return best
}

/// The same as help for an author: "did you mean …?".
package func suggestion(for name: String, among candidates: [String]) -> String? {
  nearestName(to: name, among: candidates).map { "did you mean \"\($0)\"?" }
}

/// Help for an author who wrote `name` where one of these must stand: the one that was meant, and few ones all.
package func choice(for name: String, among candidates: [String]) -> String? {
  let all = candidates.isEmpty ? nil : "one of \(candidates.listed)"
  guard let near = suggestion(for: name, among: candidates) else { return all }
  return (2...8).contains(candidates.count) ? "\(near) One of: \(candidates.listed)" : near
}

extension [String] {
  /// The names in a sentence: of many the first, and how many more there are; one alone is named as shortly.
  package var listed: String {
    count <= 9 ? joined(separator: ", ") : prefix(8).joined(separator: ", ") + " and \(count - 8) more"
  }
}

/// How many letters must be put in, taken out, exchanged or swapped with the next; what is not below the limit is told
/// as the limit or more.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], below limit: Int) -> Int {
  guard abs(left.count - right.count) < 10, left.count < 100 else { return .max }
  // What both begin and end with costs nothing.
  let start = zip(left, right).prefix { $0 == $1 }.count
  let end = zip(left[start...].reversed(), right[start...].reversed()).prefix { $0 == $1 }.count
  let (left, right) = (Array(left[start..<(left.count - end)]), Array(right[start..<(right.count - end)]))
  var beforePrevious = Array(repeating: 0, count: right.count + 1)
  var previous = Array(0...right.count)
  var current = beforePrevious
  for (row, letter) in left.enumerated() {
    current[0] = row + 1
    var least = row + 1
    for (column, other) in right.enumerated() {
      var distance = min(previous[column + 1], current[column]) + 1
      distance = min(distance, previous[column] + (letter == other ? 0 : 1))
      if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
        distance = min(distance, beforePrevious[column - 1] + 1)
      }
      current[column + 1] = distance
      least = min(least, distance)
    }
    // What comes stands on this row, or, one swap dearer, on the one before.
    if least >= limit, (previous.min() ?? 0) + 1 >= limit { return limit }
    (beforePrevious, previous, current) = (previous, current, beforePrevious)
  }
  return previous[right.count]
}

extension String {
  /// Whether it has a byte for each of its letters, which texts know of themselves.
  fileprivate var isPlainASCII: Bool { utf8.count == utf16.count }
}
