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
    private let exact: UInt32
    private let flags: UInt8

    /// The world goes on at this instant by itself, whatever anybody does; known once its moves are.
    var isDriven = false

    init(parent: Int?, way: Way, leaf: Int?, isGoal: Bool, isStop: Bool, isAsked: Bool, exact: Fingerprint?) {
      parentIndex = Int32(parent ?? -1)
      move = Int32(way.move)
      keeping = Int32(way.keeping ?? -1)
      leafIndex = Int32(leaf ?? -1)
      flags = (isGoal ? 1 : 0) | (isStop ? 2 : 0) | (isAsked ? 4 : 0) | (exact == nil ? 0 : 8)
      self.exact = UInt32(truncatingIfNeeded: exact?.first ?? 0)
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
    /// Others may count as the same that have their instants further ahead, or less far.
    var isRounded: Bool { flags & 8 != 0 }
    /// Whether it has this fingerprint without rounding; of more than 4,000 million others one is taken for it.
    func isExactly(_ other: Fingerprint) -> Bool { exact == UInt32(truncatingIfNeeded: other.first) }
  }

  /// From where to where a move leads; in the order of the nodes they lead from.
  struct Edge {
    private let source: Int32
    private let target: Int32

    init(from source: Int, to target: Int) {
      self.source = Int32(source)
      self.target = Int32(target)
    }

    var from: Int { Int(source) }
    var to: Int { Int(target) }
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
  /// Who began to go on from the like of a node does so until it comes to something new: in a circle, the like of a node
  /// comes again and again, each time nearer to the instant. Where two meet, the one that began first goes on.
  struct Passing {
    /// What each node counts as, -1 for itself.
    private var sames: [Int32] = []
    /// Of these nodes the first of those behind which each came; of others the one of the last that counted as them, -1
    /// for none.
    private var firsts: [Int32] = []

    /// What a node counts as; `nil` where it is none of these.
    subscript(node: Int) -> Int? { sames[node] < 0 ? nil : Int(sames[node]) }

    /// The first of those behind which a node came; `nil` where it is none of these.
    func first(of node: Int) -> Int? { sames[node] < 0 ? nil : Int(firsts[node]) }

    /// Whether the like of a node is to be gone on from behind another.
    func mayGoOn(from known: Int, behind node: Int) -> Bool {
      firsts[known] < 0 || (sames[node] >= 0 && firsts[node] <= firsts[known])
    }

    /// Adds the next node.
    mutating func add(like known: Int?, behind parent: Int?) {
      sames.append(Int32(known ?? -1))
      guard let known, let parent else { return firsts.append(-1) }
      firsts.append(sames[parent] < 0 ? Int32(firsts.count) : firsts[parent])
      firsts[known] = firsts[firsts.count - 1]
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
  func reaching(_ isBase: (Node) -> Bool) -> [Bool] {
    joined(to: nodes.indices.map { $0 >= expanded || isBase(nodes[$0]) })
  }

  /// The base and what leads there or, forward, what it leads to.
  func joined(to base: [Bool], forward: Bool = false) -> [Bool] {
    var joined = base
    var queue = nodes.indices.filter { base[$0] }
    let neighbours = neighbours(forward: forward)
    while let index = queue.popLast() {
      for next in neighbours.all[neighbours.starts[index]..<neighbours.starts[index + 1]] where !joined[Int(next)] {
        joined[Int(next)] = true
        queue.append(Int(next))
      }
    }
    return joined
  }

  /// Nodes all of whose ways end in an error of the run, without a circle but that of a kill that keeps nothing.
  func failing(_ isReal: [Bool]) -> Set<Int> {
    var left = Array(repeating: 0, count: nodes.count)
    for edge in edges where isReal[edge.to] && edge.to != edge.from { left[edge.from] += 1 }
    var failing = Set(failures.map(\.node).filter { $0 < expanded && left[$0] == 0 })
    var queue = failing.sorted()
    let sources = neighbours(forward: false)
    while let index = queue.popLast() {
      guard isReal[index] else { continue }
      for earlier in sources.all[sources.starts[index]..<sources.starts[index + 1]].map(Int.init) {
        if earlier != index { left[earlier] -= 1 }
        if left[earlier] == 0, earlier < expanded, failing.insert(earlier).inserted { queue.append(earlier) }
      }
    }
    return failing
  }

  /// The sources of all edges, sorted by their targets, or forward the other way, and where those of each node begin.
  private func neighbours(forward: Bool) -> (all: [Int32], starts: [Int]) {
    var starts = Array(repeating: 0, count: nodes.count + 1)
    for edge in edges { starts[(forward ? edge.from : edge.to) + 1] += 1 }
    for index in nodes.indices { starts[index + 1] += starts[index] }
    var free = starts
    var all = Array(repeating: Int32(0), count: edges.count)
    for edge in edges {
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
