/// The name most like `name`, if one is like enough to be a slip.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  let letters = Array(name.unicodeScalars)
  var best: (name: String, distance: Int)?
  for candidate in candidates {
    // Another case is the likeliest slip of all.
    if candidate != name, candidate.lowercased() == name.lowercased() { return candidate }
    let distance = editDistance(letters, Array(candidate.unicodeScalars))
    // A name of one or two letters is like any other.
    if distance < best?.distance ?? (letters.count < 3 ? 1 : letters.count / 3 + 1) { best = (candidate, distance) }
  }
  return best?.name
}

/// How many letters must be put in, taken out, exchanged or swapped with the next.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  guard abs(left.count - right.count) < 10, left.count < 100 else { return .max }
  var beforePrevious: [Int] = []
  var previous = Array(0...right.count)
  for (row, letter) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      var distance = min(previous[column + 1], current[column]) + 1
      distance = min(distance, previous[column] + (letter == other ? 0 : 1))
      if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
        distance = min(distance, beforePrevious[column - 1] + 1)
      }
      current.append(distance)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[right.count]
}
