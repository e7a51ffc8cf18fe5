import FlowSpec

/// Circles of moves along which no time passes and nobody does anything: what goes wrong there may go wrong every time.
extension Explorer {
  /// A circle as it is gone around in.
  struct Round {
    /// Where it begins and ends.
    var node: Int
    var ways: [Way]
    /// What a run says that goes around for ever.
    var diagnostic: Diagnostic
  }

  /// The nodes of circles, of each node that lies on one a shortest; those through the same states are together.
  func circles(_ isReal: [Bool]) -> [[[Int]]] {
    var firstEdges = Array(repeating: Int32(0), count: nodes.count)
    for index in edges.indices.reversed() { firstEdges[edges[index].from] = Int32(index) }
    let isOnCircle = onCircles(isReal, firstEdges)
    guard isOnCircle.contains(true) else { return [] }
    var isSeen = isOnCircle.map { !$0 }
    var all: [(states: Set<Int?>, circles: [[Int]])] = []
    for node in nodes.indices where !isSeen[node] {
      let circle = circle(through: node, isOnCircle, firstEdges)
      for node in circle { isSeen[node] = true }
      let states = Set(circle.map { nodes[$0].leaf })
      if let index = all.firstIndex(where: { $0.states == states }) {
        all[index].circles.append(circle)
      } else {
        all.append((states, [circle]))
      }
    }
    return all.map(\.circles)
  }

  /// Whether the world goes along an edge by itself, at one instant; a kill leaves no app that could come back.
  private func isByItself(_ edge: Edge, _ isReal: [Bool]) -> Bool {
    let (from, to) = (nodes[edge.from], nodes[edge.to])
    return from.isDriven && to.isDriven && isReal[edge.to] && (from.leaf == nil) == (to.leaf == nil)
  }

  /// Which nodes lie on circles: Tarjan's strongly connected components.
  ///
  /// A circle has an edge that leads to no later node than it comes from.
  private func onCircles(_ isReal: [Bool], _ firstEdges: [Int32]) -> [Bool] {
    var isOnCircle = Array(repeating: false, count: nodes.count)
    // 0 for what was not come to yet; what is done with is behind everything.
    var numbers = Array(repeating: Int32(0), count: nodes.count)
    var path: [(node: Int, edge: Int, low: Int32)] = []
    var open: [Int] = []
    var last = Int32(0)
    func enter(_ node: Int) {
      last += 1
      numbers[node] = last
      open.append(node)
      path.append((node, Int(firstEdges[node]), last))
    }
    for back in edges where back.to <= back.from && numbers[back.to] == 0 && isByItself(back, isReal) {
      enter(back.to)
      while let (node, index, low) = path.last {
        if index < edges.count, edges[index].from == node {
          path[path.count - 1].edge += 1
          let target = edges[index].to
          guard isByItself(edges[index], isReal) else { continue }
          if target == node { isOnCircle[node] = true }
          if numbers[target] == 0 { enter(target) } else { path[path.count - 1].low = min(low, numbers[target]) }
          continue
        }
        path.removeLast()
        if let outer = path.indices.last { path[outer].low = min(path[outer].low, low) }
        guard low == numbers[node] else { continue }
        let isAlone = open.last == node
        while let done = open.popLast() {
          numbers[done] = .max
          if !isAlone { isOnCircle[done] = true }
          if done == node { break }
        }
      }
    }
    return isOnCircle
  }

  private func circle(through start: Int, _ isOnCircle: [Bool], _ firstEdges: [Int32]) -> [Int] {
    var before: [Int: Int] = [:]
    var queue = [start]
    var place = 0
    while place < queue.count {
      let node = queue[place]
      place += 1
      for edge in edges[Int(firstEdges[node])...].prefix(while: { $0.from == node })
      where isByItself(edge, isOnCircle) {
        if edge.to == start {
          var circle = [node]
          while let last = circle.last, last != start, let earlier = before[last] { circle.append(earlier) }
          return circle.reversed()
        }
        guard before[edge.to] == nil else { continue }
        before[edge.to] = node
        queue.append(edge.to)
      }
    }
    preconditionFailure("a circle is looked for only where there is one")
  }

  /// Goes around in a circle; `nil` where that takes no transitions that end a run.
  func round(_ circle: [Int]) -> Round? {
    var trail = Trail()
    let start = trail.snapshot(of: circle[0], among: nodes, in: world, SometimesNames(world.flow))
    var snapshot = start
    var ways: [Way] = []
    for next in circle[1...] + circle[..<1] {
      for (index, move) in world.moves(in: snapshot, isStart: false).enumerated() {
        let after = world.take(move, in: snapshot, recording: false).snapshot.withoutWhatIsOver
        guard known[world.fingerprint(of: after)] == next else { continue }
        (snapshot, ways) = (after, ways + [Way(move: index)])
        break
      }
    }
    guard ways.count == circle.count else { return nil }
    var step = Step(world: world, snapshot: start, isRecording: false)
    step.snapshot.transitionsNow = Step.mostUnnamed
    while step.snapshot.transitionsNow <= 2 * Step.mostTransitions {
      let taken = step.snapshot.transitionsNow
      for way in ways {
        let moves = world.moves(in: step.snapshot, isStart: false)
        guard moves.indices.contains(way.move) else { return nil }
        if let failure = step.take(moves[way.move]).failure {
          return Round(node: circle[0], ways: ways, diagnostic: failure)
        }
        step.snapshot.dropWhatIsOver()
      }
      guard step.snapshot.transitionsNow > taken else { return nil }
    }
    return nil
  }
}
