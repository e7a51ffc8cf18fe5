/// What it takes to make one list of lines out of another: Eugene Myers, "An O(ND) Difference Algorithm", 1986.
struct LineDiff {
  enum Edit: Hashable {
    /// Indices into the old and the new lines.
    case keep(Int, Int)
    case remove(Int)
    case insert(Int)
  }

  /// Beyond so many removed and inserted lines the middle is given as one block: the search grows with their square.
  static let mostEdits = 1_000

  static func edits(from old: [String], to new: [String]) -> [Edit] {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var end = 0
    while end < old.count - start, end < new.count - start, old[old.count - 1 - end] == new[new.count - 1 - end] {
      end += 1
    }
    let middle =
      shortest(Array(old[start..<(old.count - end)]), Array(new[start..<(new.count - end)]))
      ?? block(old.count - end - start, new.count - end - start)
    let head = (0..<start).map { Edit.keep($0, $0) }
    let tail = (0..<end).reversed().map { Edit.keep(old.count - 1 - $0, new.count - 1 - $0) }
    return head + middle.map { $0.moved(by: start) } + tail
  }

  private static func block(_ old: Int, _ new: Int) -> [Edit] {
    (0..<old).map { .remove($0) } + (0..<new).map { .insert($0) }
  }

  /// `nil` when it takes more than `mostEdits`.
  private static func shortest(_ old: [String], _ new: [String]) -> [Edit]? {
    let most = min(old.count + new.count, mostEdits)
    // The furthest place in `old` on each diagonal, for each number of edits.
    var furthest = [Int](repeating: 0, count: 2 * most + 3)
    var history: [[Int]] = []
    for edits in 0...most {
      history.append(furthest)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let slot = diagonal + most + 1
        let isDown = diagonal == -edits || (diagonal != edits && furthest[slot - 1] < furthest[slot + 1])
        var place = isDown ? furthest[slot + 1] : furthest[slot - 1] + 1
        while place < old.count, place - diagonal < new.count, old[place] == new[place - diagonal] { place += 1 }
        furthest[slot] = place
        if place >= old.count, place - diagonal >= new.count {
          return path(through: history, to: (old.count, new.count), offset: most + 1)
        }
      }
    }
    return nil
  }

  private static func path(through history: [[Int]], to end: (old: Int, new: Int), offset: Int) -> [Edit] {
    var (old, new) = end
    var edits: [Edit] = []
    for count in history.indices.reversed() {
      let furthest = history[count]
      let diagonal = old - new
      let slot = diagonal + offset
      let isDown = diagonal == -count || (diagonal != count && furthest[slot - 1] < furthest[slot + 1])
      let before = isDown ? furthest[slot + 1] : furthest[slot - 1]
      let newBefore = before - (isDown ? diagonal + 1 : diagonal - 1)
      let isFirst = count == 0
      while isFirst ? old > 0 && new > 0 : old > before && new > newBefore {
        old -= 1
        new -= 1
        edits.append(.keep(old, new))
      }
      if isFirst { break }
      edits.append(isDown ? .insert(new - 1) : .remove(old - 1))
      (old, new) = (before, newBefore)
    }
    return edits.reversed()
  }
}

extension LineDiff.Edit {
  fileprivate func moved(by offset: Int) -> LineDiff.Edit {
    switch self {
    case .keep(let old, let new): .keep(old + offset, new + offset)
    case .remove(let old): .remove(old + offset)
    case .insert(let new): .insert(new + offset)
    }
  }

  var isKeep: Bool {
    if case .keep = self { true } else { false }
  }
}
