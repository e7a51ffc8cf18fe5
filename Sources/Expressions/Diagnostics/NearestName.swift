/// The name most like `name`, if one is like enough to be a slip, and within so many letters of it; of very many names the
/// first are looked at.
///
/// Of several as near the first is meant, which a set would leave to chance.
package func nearestName(to name: String, among candidates: [String], within slips: Int = .max - 1) -> String? {
  var (letters, others) = (Letters(), Letters())
  letters.read(name)
  // A name of one or two letters is like any other.
  var limit = min(letters.count < 3 ? 1 : letters.count / 3 + 1, slips + 1)
  var (best, bestStart) = (String?.none, 0)
  var distances = EditDistances()
  for (index, candidate) in candidates.prefix(10_000).enumerated() {
    // Of many names most are told apart by their lengths, which stand beside them where all is ASCII.
    if letters.areASCII, candidate.isPlainASCII {
      let difference = abs(letters.count - candidate.utf8.count)
      let isFar = difference >= (best == nil ? limit : limit + 1)
      if difference > 0, isFar || best != nil && limit == 1 && index > 100 { continue }
    }
    others.read(candidate)
    // Another case is the likeliest slip of all.
    if letters.areOfAnotherCase(than: others, name, candidate) { return candidate }
    if best != nil, limit == 1, index > 100 { continue }
    let start = letters.commonStart(with: others)
    // Of two as near the one that begins alike for longer: who leaves a letter out goes on as the name does.
    let most = best != nil && start > bestStart ? limit + 1 : limit
    if best != nil && most == 1 || abs(letters.count - others.count) >= most { continue }
    let distance = distances.distance(letters, others, behind: start, below: most)
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

/// The Unicode scalars of a name, in a list that the next name is read into: many names are looked at.
private struct Letters {
  private(set) var scalars: [UInt32] = []
  /// Whether each is a byte, too.
  private(set) var areASCII = true

  var count: Int { scalars.count }

  mutating func read(_ name: String) {
    scalars.removeAll(keepingCapacity: true)
    areASCII = name.isPlainASCII
    if areASCII {
      for byte in name.utf8 { scalars.append(UInt32(byte)) }
    } else {
      for scalar in name.unicodeScalars { scalars.append(scalar.value) }
    }
  }

  /// Whether two names are the same but for upper and lower case.
  func areOfAnotherCase(than others: Letters, _ name: String, _ other: String) -> Bool {
    guard areASCII, others.areASCII else { return name != other && name.lowercased() == other.lowercased() }
    guard count == others.count else { return false }
    var differs = false
    for index in scalars.indices where scalars[index] != others.scalars[index] {
      guard Self.folded(scalars[index]) == Self.folded(others.scalars[index]) else { return false }
      differs = true
    }
    return differs
  }

  private static func folded(_ letter: UInt32) -> UInt32 { (0x41...0x5A).contains(letter) ? letter + 0x20 : letter }

  func commonStart(with others: Letters) -> Int {
    var index = 0
    while index < count, index < others.count, scalars[index] == others.scalars[index] { index += 1 }
    return index
  }

  /// The same at the end, of what stands behind a start.
  func commonEnd(with others: Letters, behind start: Int) -> Int {
    let most = min(count, others.count) - start
    var length = 0
    while length < most, scalars[count - 1 - length] == others.scalars[others.count - 1 - length] { length += 1 }
    return length
  }
}

/// How many letters must be put in, taken out, exchanged or swapped with the next to make one name of another; many pairs
/// are worked out in the same lists.
private struct EditDistances {
  private var beforePrevious: [Int] = []
  private var previous: [Int] = []
  private var current: [Int] = []
  /// How many more of some letters one name has than the other.
  private var surplus = [Int](repeating: 0, count: 64)

  /// What is not below the limit is told as the limit or more; both begin with so many letters that are the same.
  mutating func distance(_ left: Letters, _ right: Letters, behind start: Int, below limit: Int) -> Int {
    guard abs(left.count - right.count) < 10, left.count < 100 else { return .max }
    // What both begin and end with costs nothing.
    let end = left.commonEnd(with: right, behind: start)
    let (rows, columns) = (start..<(left.count - end), start..<(right.count - end))
    if rows.isEmpty || columns.isEmpty { return max(rows.count, columns.count) }
    if mustChange(left.scalars[rows], right.scalars[columns]) >= limit { return limit }
    makeRoom(for: columns.count + 1)
    for column in 0...columns.count { previous[column] = column }
    var leastBefore = 0
    for row in 1...rows.count {
      let least = fill(row, left.scalars[rows], right.scalars[columns], below: limit)
      // What comes stands on this row, or, one swap dearer, on the one before.
      if least >= limit, leastBefore + 1 >= limit { return limit }
      leastBefore = least
      swap(&beforePrevious, &previous)
      swap(&previous, &current)
    }
    return previous[columns.count]
  }

  private mutating func makeRoom(for length: Int) {
    guard current.count < length else { return }
    let row = [Int](repeating: 0, count: length)
    (beforePrevious, previous, current) = (row, row, row)
  }

  /// Fills the current row, and gives the least that stands on it; what is too far from the diagonal is not below the
  /// limit.
  private mutating func fill(
    _ row: Int, _ left: ArraySlice<UInt32>, _ right: ArraySlice<UInt32>, below limit: Int
  ) -> Int {
    let (first, last) = (max(1, row - limit + 1), min(right.count, row + limit - 1))
    current[first - 1] = first == 1 ? row : limit
    if last < right.count { current[last + 1] = limit }
    var least = current[first - 1]
    if first > last { return least }
    let letter = left[left.startIndex + row - 1]
    for column in first...last {
      let other = right[right.startIndex + column - 1]
      var distance = min(previous[column], current[column - 1]) + 1
      distance = min(distance, previous[column - 1] + (letter == other ? 0 : 1))
      if row > 1, column > 1, letter == right[right.startIndex + column - 2],
        left[left.startIndex + row - 2] == other
      {
        distance = min(distance, beforePrevious[column - 2] + 1)
      }
      current[column] = distance
      least = min(least, distance)
    }
    return least
  }

  /// How many letters must at least be changed, wherever they stand: those that one name has more of than the other.
  private mutating func mustChange(_ left: ArraySlice<UInt32>, _ right: ArraySlice<UInt32>) -> Int {
    for letter in left { surplus[Int(letter & 63)] += 1 }
    for letter in right { surplus[Int(letter & 63)] -= 1 }
    var (more, fewer) = (0, 0)
    for letter in left { settle(letter, &more, &fewer) }
    for letter in right { settle(letter, &more, &fewer) }
    return max(more, fewer)
  }

  /// Counts what is left of a letter, once.
  private mutating func settle(_ letter: UInt32, _ more: inout Int, _ fewer: inout Int) {
    let place = Int(letter & 63)
    if surplus[place] > 0 { more += surplus[place] } else { fewer -= surplus[place] }
    surplus[place] = 0
  }
}

extension String {
  /// Whether it has a byte for each of its letters, which texts know of themselves.
  fileprivate var isPlainASCII: Bool { utf8.count == utf16.count }
}
