import Expressions
import FlowSpec

extension Explorer {
  /// A way to go on from a snapshot.
  struct Way: Hashable {
    /// Index into `World.moves`.
    var move: Int
    /// The move is cut off by a kill after so many durable writes; `nil` when it is not.
    var keeping: Int?
  }

  /// What is remembered of a snapshot, in 24 bytes: there are many.
  struct Node {
    private let parentIndex: Int32
    private let move: Int32
    private let keeping: Int32
    private let leafIndex: Int32
    private let ahead: UInt32
    private let flags: UInt8

    /// The world goes on at this instant by itself, whatever anybody does; known once its moves are.
    var isDriven = false

    init(
      parent: Int?, way: Way, leaf: Int?, isGoal: Bool, isStop: Bool, isAsked: Bool, isBare: Bool, ahead: UInt64?
    ) {
      parentIndex = Int32(parent ?? -1)
      move = Int32(way.move)
      keeping = Int32(way.keeping ?? -1)
      leafIndex = Int32(leaf ?? -1)
      flags = (isGoal ? 1 : 0) | (isStop ? 2 : 0) | (isAsked ? 4 : 0) | (isBare ? 8 : 0)
      self.ahead = UInt32(truncatingIfNeeded: ahead ?? 0)
    }

    /// By which this one was reached first; `nil` for a start.
    var parent: Int? { parentIndex < 0 ? nil : Int(parentIndex) }
    var way: Way { Way(move: Int(move), keeping: keeping < 0 ? nil : Int(keeping)) }
    /// The app's innermost state, `nil` while it is not running.
    var leaf: Int? { leafIndex < 0 ? nil : Int(leafIndex) }
    /// A goal is active, or an end is reached.
    var isGoal: Bool { flags & 1 != 0 }
    /// Where the app would be left: nothing is under way, and it is in no goal, no rest and no end.
    var isStop: Bool { flags & 2 != 0 }
    /// A `sometimes` was asked for that its service has not come to yet.
    var isAsked: Bool { flags & 4 != 0 }
    /// The app has stored nothing secret.
    var isBare: Bool { flags & 8 != 0 }
    /// Whether its instants are as far ahead; of more than 4,000 million others one is taken for it.
    func isAsFar(ahead other: UInt64) -> Bool { ahead == UInt32(truncatingIfNeeded: other) }
  }

  /// From where to where a move leads; in the order of the nodes they lead from.
  struct Edge {
    private let source: Int32
    private let target: Int32

    init(from source: Int, to target: Int, isUnexpected: Bool = false) {
      self.source = isUnexpected ? ~Int32(source) : Int32(source)
      self.target = Int32(target)
    }

    var from: Int { Int(source < 0 ? ~source : source) }
    var to: Int { Int(target) }
    /// By an answer that no model gives: it may lead into a dead end, and is no way out of one.
    var isUnexpected: Bool { source < 0 }
  }

  /// A move that ended with an error of the run.
  struct Failure {
    var node: Int
    var way: Way
    /// The app's innermost state where it failed.
    var leaf: Int?
    var diagnostic: Diagnostic
  }

  /// A snapshot that waits for its moves to be tried.
  struct Pending {
    var node: Int
    /// `nil` when it is to be made once more: too many wait.
    var snapshot: EncodedSnapshot?
    /// When something may read differently next.
    var turn: Timestamp?
  }

  /// Nodes that count as others before them, but for how far ahead instants lie: nothing is tried there but to let the
  /// world go on by itself, as it may come to an instant that it would not from the others.
  ///
  /// What the world comes to by itself from such a node on is one way, through new nodes too: in a circle, the like of a
  /// node comes again and again, each time nearer to the instant. Where two ways meet, the one that began first goes on.
  struct Passing {
    /// What each node counts as, -1 for itself.
    private var sames: [Int32] = []
    /// On which way each was come to, by the node that it began with; -1 for none.
    private var ways: [Int32] = []
    /// The way on which one came last that counts as it; -1 for none.
    private var lasts: [Int32] = []

    /// What a node counts as; `nil` where it is none of these.
    subscript(node: Int) -> Int? { sames[node] < 0 ? nil : Int(sames[node]) }

    /// The way on which a node was come to; `nil` for none.
    func way(to node: Int) -> Int? { ways[node] < 0 ? nil : Int(ways[node]) }

    /// Whether the like of a node is to be gone on from behind another.
    func mayGoOn(from known: Int, behind node: Int) -> Bool {
      lasts[known] < 0 || (ways[node] >= 0 && ways[node] <= lasts[known])
    }

    /// Adds the next node, and behind which the world came to it by itself.
    mutating func add(like known: Int?, behind parent: Int?) {
      let way = parent.map { ways[$0] } ?? -1
      let begun = known != nil && way < 0 ? Int32(ways.count) : way
      ways.append(begun)
      sames.append(Int32(known ?? -1))
      lasts.append(-1)
      if let known { lasts[known] = begun }
    }
  }

  /// How to come to a node: the start, then the ways.
  func path(to node: Int) -> (start: Int, ways: [Way]) {
    var ways: [Way] = []
    var node = node
    while let parent = nodes[node].parent {
      ways.append(nodes[node].way)
      node = parent
    }
    return (node, ways.reversed())
  }

  /// The way that was gone once more last, with the snapshots on it: the next in turn has most of it in common.
  struct Trail {
    private var steps: [(node: Int, snapshot: Snapshot)] = []

    /// Goes the way to a node once more, from where it leaves this one.
    mutating func snapshot(of node: Int, among nodes: [Node], in world: World, _ sometimes: SometimesNames) -> Snapshot
    {
      var ahead: [Int] = []
      var place = node
      while true {
        // Who leads to a node was there before it.
        while let last = steps.last, last.node > place { steps.removeLast() }
        if steps.last?.node == place { break }
        ahead.append(place)
        guard let parent = nodes[place].parent else {
          steps = []
          break
        }
        place = parent
      }
      for place in ahead.reversed() {
        guard let (_, snapshot) = steps.last else {
          steps.append((place, world.starts[place]))
          continue
        }
        let way = nodes[place].way
        let moves = world.moves(
          in: snapshot, isStart: steps.count == 1, turn: world.nextTurn(in: snapshot), sometimes)
        let outcome = world.take(moves[way.move].killed(keeping: way.keeping), in: snapshot, recording: false)
        steps.append((place, outcome.snapshot.withoutWhatIsOver))
      }
      return steps[steps.count - 1].snapshot
    }
  }

  /// Which nodes lead to one that is a base, or are one; what was not gone on from may lead anywhere.
  func reaching(killing: Bool = true, _ isBase: (Node) -> Bool) -> [Bool] {
    joined(to: nodes.indices.map { $0 >= expanded || isBase(nodes[$0]) }, killing: killing)
  }

  /// The base and what leads there or, forward, what it leads to.
  func joined(to base: [Bool], forward: Bool = false, killing: Bool = true) -> [Bool] {
    var joined = base
    var queue = nodes.indices.filter { base[$0] }
    let neighbours = neighbours(forward: forward, killing: killing)
    while let index = queue.popLast() {
      for next in neighbours.all[neighbours.starts[index]..<neighbours.starts[index + 1]] where !joined[Int(next)] {
        joined[Int(next)] = true
        queue.append(Int(next))
      }
    }
    return joined
  }

  /// Nodes all of whose ways end in an error of the run, without a circle but that of a kill that keeps nothing, and of what
  /// happens to the device while the app does not run.
  func failing(_ isReal: [Bool]) -> Set<Int> {
    func isOutside(_ from: Int, _ to: Int) -> Bool {
      from == to || nodes[from].leaf == nil && nodes[to].leaf == nil && !nodes[to].isGoal
    }
    var left = Array(repeating: 0, count: nodes.count)
    for edge in edges where isReal[edge.to] && !edge.isUnexpected && !isOutside(edge.from, edge.to) {
      left[edge.from] += 1
    }
    var failing = Set(failures.map(\.node).filter { $0 < expanded && left[$0] == 0 })
    var queue = failing.sorted()
    let sources = neighbours(forward: false)
    while let index = queue.popLast() {
      guard isReal[index] else { continue }
      for earlier in sources.all[sources.starts[index]..<sources.starts[index + 1]].map(Int.init) {
        if !isOutside(earlier, index) { left[earlier] -= 1 }
        if left[earlier] == 0, earlier < expanded, failing.insert(earlier).inserted { queue.append(earlier) }
      }
    }
    return failing
  }

  /// Whether the app runs before it and not behind it, and has not come to an end.
  private func kills(_ edge: Edge) -> Bool {
    nodes[edge.from].leaf != nil && nodes[edge.to].leaf == nil && !nodes[edge.to].isGoal
  }

  private func leads(_ edge: Edge, _ killing: Bool) -> Bool { !edge.isUnexpected && (killing || !kills(edge)) }

  /// The sources of all edges but unexpected ones, sorted by their targets, or forward the other way, and where those of
  /// each node begin.
  func neighbours(forward: Bool, killing: Bool = true) -> (all: [Int32], starts: [Int]) {
    var starts = Array(repeating: 0, count: nodes.count + 1)
    for edge in edges where leads(edge, killing) { starts[(forward ? edge.from : edge.to) + 1] += 1 }
    for index in nodes.indices { starts[index + 1] += starts[index] }
    var free = starts
    var all = Array(repeating: Int32(0), count: starts[nodes.count])
    for edge in edges where leads(edge, killing) {
      let (node, neighbour) = forward ? (edge.from, edge.to) : (edge.to, edge.from)
      all[free[node]] = Int32(neighbour)
      free[node] += 1
    }
    return (all, starts)
  }
}

extension Choice {
  /// The same, cut off by a kill after so many durable writes; `nil` when it is not.
  func killed(keeping: Int?) -> Choice { keeping.map { .killed(during: self, keeping: $0) } ?? self }
}
