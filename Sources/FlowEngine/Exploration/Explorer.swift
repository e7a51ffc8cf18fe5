import Expressions
import FlowSpec

/// Goes breadth first through the snapshots that a world can reach, and remembers how it came to each.
///
/// Of snapshots whose canonical encodings have one fingerprint the first is gone on from, as it is.
struct Explorer {
  let world: World
  /// How many snapshots are looked at.
  let most: Int
  /// So many snapshots are kept while they wait; those behind them are made once more when it is their turn.
  let mostKept: Int
  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []
  private(set) var failures: [Failure] = []
  private(set) var neverEntered: StatesNeverEntered
  /// How many nodes had all their moves tried; the others follow behind.
  private(set) var expanded = 0
  private var known: [Fingerprint: Int32] = [:]
  private var next: [Pending] = []
  private var kept = 0

  init(world: World, most: Int, mostKept: Int = 50_000) {
    self.world = world
    self.most = most
    self.mostKept = mostKept
    neverEntered = StatesNeverEntered(world)
  }

  /// Starts with the app not yet running, once with a network and once without; then goes on by length of way.
  mutating func explore() {
    for start in world.starts { add(start, from: nil, by: Way(move: 0)) }
    while !next.isEmpty {
      var waiting = next
      next = []
      for index in waiting.indices {
        guard nodes.count < most else { return }
        if let snapshot = waiting[index].snapshot.take() {
          kept -= 1
          expand(waiting[index].node, snapshot)
        } else {
          expand(waiting[index].node, snapshot(of: waiting[index].node))
        }
        expanded += 1
      }
    }
  }

  /// The node of a snapshot, `nil` when it was not reached.
  func node(of snapshot: Snapshot) -> Int? {
    known[world.fingerprint(of: snapshot.withoutWhatIsOver)].map(Int.init)
  }

  private mutating func expand(_ node: Int, _ snapshot: Snapshot) {
    let moves = world.moves(in: snapshot, isStart: nodes[node].parent == nil)
    for (index, move) in moves.enumerated() {
      let outcome = take(move, in: snapshot)
      guard !outcome.isNoMove else { continue }
      follow(outcome, from: node, by: Way(move: index))
      for keeping in outcome.kills {
        let killed = take(.killed(during: move, keeping: keeping), in: snapshot)
        follow(killed, from: node, by: Way(move: index, keeping: keeping))
      }
    }
  }

  private mutating func take(_ choice: Choice, in snapshot: Snapshot) -> World.Outcome {
    // What happened is looked at only for states that were not entered yet.
    let outcome = world.take(choice, in: snapshot, recording: !neverEntered.isEmpty)
    neverEntered.remove(enteredIn: outcome.happenings)
    return outcome
  }

  private mutating func follow(_ outcome: World.Outcome, from node: Int, by way: Way) {
    if let failure = outcome.failure {
      failures.append(Failure(node: node, way: way, diagnostic: failure))
    } else {
      add(outcome.snapshot.withoutWhatIsOver, from: node, by: way)
    }
  }

  private mutating func add(_ snapshot: Snapshot, from parent: Int?, by way: Way) {
    let fingerprint = world.fingerprint(of: snapshot)
    let number: Int
    if let old = known[fingerprint] {
      number = Int(old)
    } else {
      number = nodes.count
      known[fingerprint] = Int32(number)
      nodes.append(Node(snapshot, in: world, parent: parent, way: way))
      let isKept = kept < mostKept
      if isKept { kept += 1 }
      next.append(Pending(node: number, snapshot: isKept ? snapshot : nil))
    }
    if let parent { edges.append(Edge(from: parent, to: number)) }
  }
}
