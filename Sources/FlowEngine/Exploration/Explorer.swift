import Expressions
import FlowSpec

/// Goes breadth first through the canonical snapshots that a world can reach, and remembers how it came to each.
struct Explorer {
  /// A way to go on from a snapshot.
  struct Way: Hashable {
    /// Index into `World.moves`.
    var move: Int
    /// The move is cut off by a kill after so many durable writes; `nil` when it is not.
    var keeping: Int?
  }

  struct Node {
    /// By which this one was reached first; `nil` for a start.
    var parent: Int?
    var way: Way
    /// A goal is active, or an end is reached.
    var isGoal: Bool
    /// Where the app would be left: nothing is under way, and it is in no goal, no rest and no end.
    var isStop: Bool
    /// The app's innermost state, `nil` while it is not running.
    var leaf: Int?
  }

  /// A move that ended with an error of the run.
  struct Failure {
    var node: Int
    var way: Way
    var diagnostic: Diagnostic
  }

  /// A snapshot that waits for its moves to be tried.
  private struct Pending {
    var node: Int
    var snapshot: Snapshot
    var instants: Set<Timestamp>
  }

  let world: World
  /// How many snapshots are looked at.
  let most: Int
  private(set) var nodes: [Node] = []
  /// From where to where the moves lead.
  private(set) var edges: [(from: Int, to: Int)] = []
  private(set) var failures: [Failure] = []
  private(set) var neverEntered: StatesNeverEntered
  /// How many nodes had all their moves tried; the others follow behind.
  private(set) var expanded = 0
  private var known: [Snapshot: Int] = [:]
  private var frontier: [Pending] = []

  init(world: World, most: Int) {
    self.world = world
    self.most = most
    neverEntered = StatesNeverEntered(world)
  }

  /// Starts with the app not yet running, once with a network and once without.
  mutating func explore() {
    for start in world.starts { add(start, from: nil, by: Way(move: 0)) }
    while expanded < frontier.count, nodes.count < most {
      let pending = frontier[expanded]
      frontier[expanded].snapshot = world.starts[0]
      expand(pending)
      expanded += 1
    }
  }

  /// The node of a snapshot, `nil` when it was not reached.
  func node(of snapshot: Snapshot) -> Int? { known[world.form(of: snapshot).snapshot] }

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

  private mutating func expand(_ pending: Pending) {
    let isStart = nodes[pending.node].parent == nil
    let moves = world.moves(in: pending.snapshot, instants: pending.instants, isStart: isStart)
    for (index, move) in moves.enumerated() {
      let outcome = take(move, in: pending.snapshot)
      guard !outcome.isNoMove else { continue }
      follow(outcome, from: pending.node, by: Way(move: index))
      for keeping in 0..<outcome.durableWrites {
        let killed = take(.killed(during: move, keeping: keeping), in: pending.snapshot)
        follow(killed, from: pending.node, by: Way(move: index, keeping: keeping))
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
      add(outcome.snapshot, from: node, by: way)
    }
  }

  private mutating func add(_ snapshot: Snapshot, from parent: Int?, by way: Way) {
    let form = world.form(of: snapshot)
    let number: Int
    if let old = known[form.snapshot] {
      number = old
    } else {
      number = nodes.count
      known[form.snapshot] = number
      nodes.append(
        Node(
          parent: parent, way: way, isGoal: world.isGoal(snapshot), isStop: world.isStop(snapshot),
          leaf: snapshot.app.run?.levels.last?.leaf))
      frontier.append(Pending(node: number, snapshot: form.snapshot, instants: form.instants))
    }
    if let parent { edges.append((parent, number)) }
  }
}

extension World {
  /// The app installed and not running, with a network and without.
  var starts: [Snapshot] {
    let online = initial(now: .start)
    var offline = online
    offline.device.online = false
    return [online, offline]
  }

  func isGoal(_ snapshot: Snapshot) -> Bool {
    snapshot.app.ended != nil || snapshot.activeGoal(of: flow) != nil
  }

  /// Whether a run would stop here, and nobody would leave the app here.
  func isStop(_ snapshot: Snapshot) -> Bool {
    guard snapshot.app.isRunning, !isGoal(snapshot), !snapshot.flights.contains(where: { $0.isSent }),
      asked(in: snapshot) == nil, nextDue(in: snapshot, timers: false) == nil
    else { return false }
    return !snapshot.activeStates(of: flow).contains { flow.app.states[$0].isRest }
  }
}
