/// Snapshots from which no goal and no end is known to be reached, in the order in which they are looked at.
///
/// Each state gives one in its turn, that first which is furthest from what was not gone on from: a goal is the less
/// likely to lie just behind it.
struct Suspects {
  /// So many are looked at of a state, and of all.
  private static let most = (ofState: 12, ofAll: 300)
  /// So many are given, those that are taken back among them.
  private static let mostGiven = 1_000

  /// Those of one of the app's innermost states.
  private struct Row {
    let leaf: Int
    var nodes: [Int]
    var place = 0
    var given = 0
  }

  private var rows: [Row] = []
  /// The row that gave one last.
  private var row = -1
  private var (given, takenBack) = (0, 0)
  /// Which nodes lead to a goal or an end, as far as is known.
  private var leads: [Bool]
  /// What leads to each node.
  private let sources: (all: [Int32], starts: [Int])

  /// Those of an explorer, but for states of which something is told.
  init(in explorer: borrowing Explorer, _ isReal: [Bool], besides told: Set<Int>) {
    let nodes = explorer.nodes
    sources = explorer.neighbours(forward: false)
    leads = explorer.joined(to: nodes.map(\.isGoal))
    // What leads to none of these was gone round.
    let distances = distances(to: explorer.expanded..<nodes.count)
    var byLeaf: [Int: [Int]] = [:]
    var others: Set<Int> = []
    for index in nodes.indices where isReal[index] && explorer.passing[index] == nil {
      guard let leaf = nodes[index].leaf, !told.contains(leaf) else { continue }
      if leads[index] { others.insert(leaf) } else if distances[index] >= 0 { byLeaf[leaf, default: []].append(index) }
    }
    for (leaf, nodes) in byLeaf {
      let order = nodes.map { -Int(distances[$0]) << 32 | $0 }.sorted().map { $0 & 0xFFFF_FFFF }
      rows.append(Row(leaf: leaf, nodes: order))
    }
    // First the states of which no snapshot has led to a goal.
    rows.sort { (others.contains($0.leaf) ? 1 : 0, $0.leaf) < (others.contains($1.leaf) ? 1 : 0, $1.leaf) }
  }

  /// How many moves it is from each node to the nearest of some; -1 where none leads there.
  private func distances(to some: Range<Int>) -> [Int32] {
    var distances = Array(repeating: Int32(-1), count: leads.count)
    var queue = Array(some)
    for index in some { distances[index] = 0 }
    var place = 0
    while place < queue.count {
      let index = queue[place]
      place += 1
      for source in sources.all[sources.starts[index]..<sources.starts[index + 1]].map(Int.init)
      where distances[source] < 0 {
        distances[source] = distances[index] + 1
        queue.append(source)
      }
    }
    return distances
  }

  /// The one that is looked at next; `nil` where there are no more, or enough were.
  mutating func next() -> Int? {
    guard given < Self.most.ofAll, given + takenBack < Self.mostGiven else { return nil }
    for _ in rows.indices {
      row = (row + 1) % rows.count
      guard let node = next(of: row) else { continue }
      given += 1
      return node
    }
    return nil
  }

  /// Does not count the last one: another was looked at for it.
  mutating func takeBack() {
    rows[row].given -= 1
    (given, takenBack) = (given - 1, takenBack + 1)
  }

  private mutating func next(of row: Int) -> Int? {
    guard rows[row].given < Self.most.ofState else { return nil }
    while rows[row].place < rows[row].nodes.count {
      let node = rows[row].nodes[rows[row].place]
      rows[row].place += 1
      if leads[node] { continue }
      rows[row].given += 1
      return node
    }
    return nil
  }

  /// Notes that a node leads to a goal, and so does all that leads to it.
  mutating func note(_ node: Int) {
    if leads[node] { return }
    leads[node] = true
    var queue = [node]
    while let index = queue.popLast() {
      for source in sources.all[sources.starts[index]..<sources.starts[index + 1]].map(Int.init) where !leads[source] {
        leads[source] = true
        queue.append(source)
      }
    }
  }

  /// Gives none of these states any more.
  mutating func drop(_ leaves: Set<Int>) {
    rows.removeAll { leaves.contains($0.leaf) }
    row = -1
  }
}
