import Expressions
import FlowSpec

/// Goes breadth first through the snapshots that a world can reach, and remembers how it came to each.
///
/// Of snapshots whose canonical encodings have one fingerprint the first is gone on from, as it is.
struct Explorer: ~Copyable {
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
  /// Takes one choice after the other, each in the snapshot in which it is tried.
  private var step: Step

  init(world: World, most: Int, mostKept: Int = 50_000) {
    self.world = world
    self.most = most
    self.mostKept = mostKept
    neverEntered = StatesNeverEntered(world)
    step = Step(world: world, snapshot: world.initial(now: .start), isRecording: false)
  }

  /// Starts with the app not yet running, once with a network and once without; then goes on by length of way.
  mutating func explore() {
    for start in world.starts { add(start, from: nil, by: Way(move: 0)) }
    while !next.isEmpty {
      var waiting = next
      next = []
      for index in waiting.indices {
        guard nodes.count < most else { return }
        let (node, turn) = (waiting[index].node, waiting[index].turn)
        if let snapshot = waiting[index].snapshot.take() {
          kept -= 1
          expand(node, snapshot, turn: turn)
        } else {
          expand(node, snapshot(of: node), turn: turn)
        }
        expanded += 1
      }
    }
  }

  /// The node of a snapshot, `nil` when it was not reached.
  func node(of snapshot: Snapshot) -> Int? {
    known[world.fingerprint(of: snapshot.withoutWhatIsOver)].map(Int.init)
  }

  private mutating func expand(_ node: Int, _ snapshot: Snapshot, turn: Timestamp?) {
    let moves = world.moves(in: snapshot, isStart: nodes[node].parent == nil, turn: turn)
    for (index, move) in moves.enumerated() {
      let report = take(move, in: snapshot)
      guard !report.isNoMove else { continue }
      follow(report, from: node, by: Way(move: index))
      for keeping in report.kills {
        let killed = take(.killed(during: move, keeping: keeping), in: snapshot)
        follow(killed, from: node, by: Way(move: index, keeping: keeping))
      }
    }
  }

  /// `step` then has the snapshot that the choice led to.
  private mutating func take(_ choice: Choice, in snapshot: Snapshot) -> Step.Report {
    // What happened is looked at only for states that were not entered yet.
    step.restart(in: snapshot, recording: !neverEntered.isEmpty)
    let report = step.perform(choice)
    neverEntered.remove(enteredIn: step.happenings)
    return report
  }

  private mutating func follow(_ report: Step.Report, from node: Int, by way: Way) {
    if let failure = report.failure {
      failures.append(Failure(node: node, way: way, diagnostic: failure))
    } else {
      step.snapshot.dropWhatIsOver()
      add(step.snapshot, from: node, by: way)
    }
  }

  private mutating func add(_ snapshot: Snapshot, from parent: Int?, by way: Way) {
    let encoding = CanonicalEncoding(snapshot, of: world.flow)
    let fingerprint = encoding.writer.fingerprint
    let number: Int
    if let old = known[fingerprint] {
      number = Int(old)
    } else {
      number = nodes.count
      known[fingerprint] = Int32(number)
      nodes.append(Node(snapshot, in: world, parent: parent, way: way))
      let isKept = kept < mostKept
      if isKept { kept += 1 }
      let turn = world.nextTurn(in: snapshot, stored: encoding.stored)
      next.append(Pending(node: number, snapshot: isKept ? snapshot : nil, turn: turn))
    }
    if let parent { edges.append(Edge(from: parent, to: number)) }
  }
}
