import Expressions
import FlowSpec

/// Goes breadth first through the snapshots that a world can reach, and remembers how it came to each.
///
/// Of snapshots whose canonical encodings have one fingerprint the first is gone on from, without rows that nothing can
/// reach any more; from others that are not quite the same, time alone may pass (`Passing`).
struct Explorer: ~Copyable {
  /// Of a step that ends with an error so many durable writes are tried to be cut off.
  static let mostCutsBeforeError = 100

  let world: World
  /// How many snapshots are looked at.
  let most: Int
  /// So many snapshots are kept while they wait, large ones as several; those behind them are made once more when it is
  /// their turn.
  let mostKept: Int
  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []
  private(set) var failures: [Failure] = []
  private(set) var unreached: Unreached
  private(set) var ignored = IgnoredEvents()
  /// How many nodes had all their moves tried; the others follow behind.
  private(set) var expanded = 0
  /// By the numbers of their nodes.
  private(set) var known = FingerprintTable()
  /// The same of those that only time leads on from, without rounding, by their ways.
  private var exactly = FingerprintTable()
  private(set) var passing = Passing()
  /// Whether the move that is tried is what happens when nobody does anything, and an answer that no model gives.
  private var (isByItself, isUnexpected) = (false, false)
  /// Those that wait, once exploring has ended.
  private(set) var next: [Pending] = []
  /// Whether exploring ended because it was not to go on.
  private(set) var isStopped = false
  /// Whether it ends where a goal or an end is reached, and whether one was.
  var endsAtGoal = false
  private(set) var hasGoal = false
  private var kept = 0
  private var trail = Trail()
  /// The nodes to which kills led, by what they left.
  private var kills = FingerprintTable()
  private(set) var memory: MoveMemory
  private var answers: AnswerMemory
  /// Room that is used again.
  private var targets = Pile<Int>()
  /// Takes one choice after the other, each in the snapshot in which it is tried.
  private var step: Step
  var encoding: CanonicalEncoding
  let sometimes: SometimesNames
  /// Names that states of several of the app's flows share.
  let sharedNames: Set<String>
  let effort = Effort()

  /// Those of its world, and what was noted beside them; with new ones it has to begin anew.
  var times: Times { step.frame.times ?? world.times }

  init(world: World, most: Int, mostKept: Int = 50_000, mostRemembered: Int = 1 << 22, mostOfParts: Int = 1 << 23) {
    (self.world, self.most, self.mostKept) = (world, most, mostKept)
    memory = MoveMemory(most: mostRemembered)
    // An answer with the stores behind it is as large as many words.
    answers = AnswerMemory(most: mostRemembered >> 7)
    unreached = Unreached(in: world.flow)
    step = Step(world: world, snapshot: world.initial(now: .start), isRecording: false)
    step.frame.times = world.times
    encoding = CanonicalEncoding(of: world.flow, times: world.times, most: mostOfParts)
    (sometimes, sharedNames) = (SometimesNames(world.flow), world.flow.app.sharedNames)
  }

  /// Starts with the app not yet running, once with a network and once without; then goes on by length of way.
  ///
  /// Before each snapshot `goesOn` is asked, with how many were gone on from and how many wait.
  mutating func explore(while goesOn: (_ expanded: Int, _ waiting: Int) -> Bool = { _, _ in true }) {
    for start in world.starts.prefix(most) {
      step.restart(in: start, recording: false)
      add(from: nil, after: nil, by: Way(move: 0))
    }
    while !next.isEmpty {
      var waiting = next
      next = []
      for index in waiting.indices {
        isStopped = nodes.count < most && !goesOn(expanded, nodes.count - expanded)
        guard nodes.count < most, !isStopped, step.frame.times?.isNew != true, !(endsAtGoal && hasGoal) else {
          next = Array(waiting[index...]) + next
          return
        }
        let (node, turn) = (waiting[index].node, waiting[index].turn)
        let isExpanded: Bool
        if let snapshot = waiting[index].snapshot.take() {
          kept -= snapshot.snapshot.share
          isExpanded = expand(node, encoding.renewed(snapshot), turn: turn)
        } else {
          let snapshot = trail.snapshot(of: node, among: nodes, in: world, sometimes)
          isExpanded = expand(node, encoding.encoded(snapshot), turn: turn)
        }
        guard isExpanded else {
          next = Array(waiting[index...]) + next
          return
        }
        expanded += 1
      }
    }
  }

  /// Tries all moves; false where there were too many snapshots before the last.
  private mutating func expand(_ node: Int, _ base: EncodedSnapshot, turn: Timestamp?) -> Bool {
    let moves = world.moves(in: base.snapshot, isStart: nodes[node].parent == nil, turn: turn, sometimes)
    let (same, byItself) = (passing[node], moves.byItself)
    nodes[node].isDriven = same == nil && byItself == 0
    if let same { edges.append(Edge(from: node, to: same)) }
    var ready: Step.ReadyAnswer?
    let view = base.view
    memory.look(at: base)
    for index in moves.indices where same == nil || index == byItself {
      guard nodes.count < most else { return false }
      (isByItself, isUnexpected) = (index == byItself, moves[index].isUnexpected)
      if case .clock(let instant) = moves[index] {
        edges.append(Edge(from: node, to: letTimePass(from: node, after: base, to: instant, by: Way(move: index))))
        continue
      }
      let left: Fingerprint? = if case .kill = moves[index] { base.leftByKill(encoding.parts) } else { nil }
      if let left, let known = kills[left] {
        edges.append(Edge(from: node, to: known))
        continue
      }
      memory.found.empty(behind: base.services.made)
      if same == nil, let key = moves[index].key(at: index, in: view),
        goOn(from: node, after: base, services: base.snapshot.services, key, budget: Frame.usualBudget)
      {
        continue
      }
      guard let report = make(moves[index], from: node, after: base, seen: view, &ready) else {
        memory.forget()
        continue
      }
      var cuts = step.cuts.take() ?? []
      // What goes wrong only behind so many writes is a circle of them.
      if report.failure != nil { cuts.removeSubrange(min(Self.mostCutsBeforeError, cuts.count)...) }
      follow(report, from: node, after: base, by: Way(move: index))
      if same != nil {
        memory.forget()
        continue
      }
      isByItself = false
      if let left, report.failure == nil, let target = edges.last?.to {
        kills.add(left, number: target)
      }
      for keeping in cuts.indices {
        guard nodes.count < most else {
          memory.forget()
          return false
        }
        let report = step.kill(at: cuts[keeping])
        unreached.remove(step.reached)
        follow(report, from: node, after: base, by: Way(move: index, keeping: keeping))
      }
      memory.end()
    }
    return true
  }

  /// Makes a move; `nil` where it is none, or where what it brings has led to what is known.
  ///
  /// An answer that is lost or held up is the one that arrives: its service is not asked again.
  private mutating func make(
    _ move: Choice, from node: Int, after base: EncodedSnapshot, seen view: FingerprintWriter,
    _ ready: inout Step.ReadyAnswer?
  ) -> Step.Report? {
    step.reached = Reached()
    step.cuts = []
    let report: Step.Report
    if case .deliver(let flight, let reply, .arrives) = move {
      let (known, place, refused) = answer(to: flight, reply: reply, in: base)
      guard let answer = known else { return refused }
      if reply == nil { ready = answer }
      // Of what is remembered, kills are a part.
      if passing[node] == nil {
        let key = encoding.key(of: place, in: view, after: base, &memory)
        if goOn(from: node, after: base, services: answer.services, key, budget: answer.budget) { return nil }
      }
      report = step.goOn(with: answer, to: flight, fate: .arrives, in: base.snapshot)
    } else if case .deliver(let flight, nil, let fate) = move, let ready {
      report = step.goOn(with: ready, to: flight, fate: fate, in: base.snapshot)
    } else {
      step.restart(in: base.snapshot, recording: false)
      report = step.take(move)
    }
    unreached.remove(step.reached)
    return report.isNoMove ? nil : report
  }

  /// What a service answers at once, and where that begins among the encoded parts; `nil` where it does not, with what
  /// asking it led to, unless it was no move.
  private mutating func answer(
    to flight: Int, reply: String?, in base: EncodedSnapshot
  ) -> (ready: Step.ReadyAnswer?, place: UInt64, report: Step.Report?) {
    let key = encoding.key(ofAnswerTo: flight, reply: reply, in: base)
    let known = answers[key]
    if let known, known.mayBeGiven(in: base.snapshot) { return (known.ready, known.place, nil) }
    let (ready, report) = step.answer(to: flight, reply: reply, in: base.snapshot)
    unreached.remove(step.reached)
    guard ready != nil || report.isNoMove else { return (nil, CanonicalEncoding.PartIndex.none, report) }
    let place = encoding.place(of: ready, seenFrom: base.snapshot.now)
    let transitions = step.snapshot.transitionsNow - base.snapshot.transitionsNow
    if known == nil { answers.add(.init(ready: ready, place: place, transitions: transitions), key) }
    return (ready, place, nil)
  }

  /// Goes where a move led before; false where that is not known, or nowhere yet.
  private mutating func goOn(
    from node: Int, after base: EncodedSnapshot, services: [[Value]], _ key: Fingerprint, budget: Int
  ) -> Bool {
    guard let outcomes = memory[key] else {
      memory.begin(key, budget: budget)
      return false
    }
    guard memory.words[outcomes] >> 32 <= budget else { return false }
    targets.empty()
    var next = outcomes + 1
    for outcome in 0..<memory.words[outcomes] & 0xFFFF_FFFF {
      // Behind the first, which nobody cuts off, stand kills.
      guard encoding.fingerprint(ofOutcome: &next, in: memory, services: services, after: base) != nil,
        let target = same(behind: outcome == 0 ? node : nil)
      else { return false }
      targets.append(target)
    }
    for index in targets.indices { edges.append(Edge(from: node, to: targets[index])) }
    return true
  }

  /// `step` has the snapshot that the way led to.
  private mutating func follow(_ report: Step.Report, from node: Int, after base: EncodedSnapshot, by way: Way) {
    ignored.add(step.reached, behind: node, by: way)
    if let failure = report.failure {
      // Between two states it is told of the one that was left.
      let leaf = world.named(step.snapshot) == nil ? nodes[node].leaf : step.snapshot.leaf
      failures.append(Failure(node: node, way: way, leaf: leaf, diagnostic: failure))
      memory.forget()
    } else {
      step.snapshot.dropWhatIsOver()
      edges.append(Edge(from: node, to: add(from: node, after: base, by: way), isUnexpected: isUnexpected))
      if step.hasLookedAtService {
        memory.forget()
      } else {
        memory.add(encoding, after: base, budget: step.frame.budget)
      }
    }
  }

  /// Gives the node of what the step led to.
  @discardableResult
  private mutating func add(from parent: Int?, after base: EncodedSnapshot?, by way: Way) -> Int {
    encoding.encode(step.snapshot, after: base)
    return same(behind: parent) ?? add(step.snapshot, from: parent, by: way)
  }

  /// The node that the snapshot which was encoded just now counts as; `nil` where it has to be gone on from.
  mutating func same(behind parent: Int?) -> Int? {
    guard let known = known[encoding.fingerprint] else { return nil }
    guard let parent, isByItself, let ahead = encoding.whole.ahead, passing.mayGoOn(from: known, behind: parent)
    else { return known }
    let way = passing.way(to: parent)
    let isSame = way.map { exactly[exact(ahead, on: $0)] != nil } ?? nodes[known].isAsFar(ahead: ahead)
    return isSame ? known : nil
  }

  /// By what the snapshot that was encoded just now is known on a way.
  private func exact(_ ahead: UInt64, on way: Int) -> Fingerprint { encoding.fingerprint.followed(by: ahead, way) }

  /// Gives the node of a snapshot that was not reached before, and was encoded just now.
  mutating func add(_ snapshot: consuming Snapshot, from parent: Int?, by way: Way) -> Int {
    let number = nodes.count
    let same = known[encoding.fingerprint]
    passing.add(like: same, behind: isByItself ? parent : nil)
    let ahead = encoding.whole.ahead
    if same == nil {
      known.add(encoding.fingerprint, number: number)
    } else if let ahead, let way = passing.way(to: number) {
      exactly.add(exact(ahead, on: way), number: number)
    }
    nodes.append(
      Node(
        parent: parent, way: way, leaf: snapshot.leaf,
        isGoal: world.isGoal(snapshot), isStop: same == nil && world.isStop(snapshot),
        isAsked: snapshot.exchanges.contains { $0.wanted != nil }, isBare: isBare(snapshot), ahead: ahead))
    hasGoal = hasGoal || nodes[number].isGoal
    let turn = encoding.nextTurn
    let waiting = kept < mostKept ? encoding.keep(snapshot) : nil
    kept += waiting?.snapshot.share ?? 0
    next.append(Pending(node: number, snapshot: waiting, turn: turn))
    return number
  }
}
