/// What it takes to make one list of lines out of another.
struct LineDiff {
  enum Edit: Hashable {
    /// Indices into the old and the new lines.
    case keep(Int, Int)
    case remove(Int)
    case insert(Int)
  }

  /// Beyond so many lines between the first change and the last, or so many that only one side has, the middle is given as
  /// one block: the search grows with the square of the changes.
  static let mostLines = 6_000
  static let mostChanged = 1_000

  static func edits(from old: [String], to new: [String]) -> [Edit] {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
    let (before, after) = (old[start..<(old.count - end)], new[start..<(new.count - end)])
    var (removed, inserted) = (Set(before.indices), Set(after.indices))
    if before.count + after.count <= mostLines, Set(before).symmetricDifference(after).count <= mostChanged {
      let difference = Array(after).difference(from: Array(before))
      removed = Set(difference.removals.map { start + $0.offset })
      inserted = Set(difference.insertions.map { start + $0.offset })
    }
    var edits: [Edit] = []
    var (place, newPlace) = (0, 0)
    while place < old.count || newPlace < new.count {
      if removed.contains(place) {
        edits.append(.remove(place))
        place += 1
      } else if inserted.contains(newPlace) {
        edits.append(.insert(newPlace))
        newPlace += 1
      } else {
        edits.append(.keep(place, newPlace))
        (place, newPlace) = (place + 1, newPlace + 1)
      }
    }
    return edits
  }
}

extension LineDiff.Edit {
  var isKeep: Bool {
    if case .keep = self { true } else { false }
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
