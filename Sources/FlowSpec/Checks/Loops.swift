extension Check {
  /// Sub-flows that call themselves, directly or through others.
  static let recursiveFlows: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    // Nothing calls the flow itself, so that only a sub-flow that calls one can be in a circle.
    guard machine.states.contains(where: { $0.routine > 0 && !$0.calls.isEmpty }) else { return [] }
    var calls: [[Int]] = Array(repeating: [], count: machine.routines.count)
    for state in machine.states { calls[state.routine] += state.calls }
    return Circling(calls.map { $0.sorted() }).circles.map { circle in
      let names = (circle + [circle[0]]).map { machine.routines[$0].name }
      let site = machine.states[machine.routines[circle[0]].root].site
      return Diagnostic(
        "recursive-flow", "the sub-flow \"\(names[0])\" calls itself", at: site, "comes back here",
        help: names.joined(separator: " → "))
    }
  }
}

/// What is left of a graph when everything is taken away that lies on no circle, but for ways between circles.
struct Circling {
  private let successors: [[Int]]
  private let predecessors: [[Int]]
  /// How many edges of what is left come in and go out.
  private var degrees: [(in: Int, out: Int)]
  private var isLeft: [Bool]

  init(_ successors: [[Int]]) {
    var predecessors: [[Int]] = Array(repeating: [], count: successors.count)
    for (index, nexts) in successors.enumerated() { for next in nexts { predecessors[next].append(index) } }
    (self.successors, self.predecessors) = (successors, predecessors)
    degrees = zip(predecessors, successors).map { ($0.count, $1.count) }
    isLeft = Array(repeating: true, count: successors.count)
    for index in successors.indices where isLeft[index] && isLoose(index) { remove(index) }
  }

  private func isLoose(_ index: Int) -> Bool { degrees[index].in == 0 || degrees[index].out == 0 }

  /// Takes a node away, and what hung on it alone.
  private mutating func remove(_ index: Int) {
    var pending = [index]
    while let index = pending.popLast() {
      guard isLeft[index] else { continue }
      isLeft[index] = false
      for next in successors[index] where isLeft[next] {
        degrees[next].in -= 1
        if isLoose(next) { pending.append(next) }
      }
      for previous in predecessors[index] where isLeft[previous] {
        degrees[previous].out -= 1
        if isLoose(previous) { pending.append(previous) }
      }
    }
  }

  /// Circles that have no node in common, each the shortest through its first node.
  var circles: [[Int]] {
    var rest = self
    return successors.indices.compactMap { index in
      guard rest.isLeft[index] else { return nil }
      guard let circle = rest.circle(through: index) else {
        rest.remove(index)
        return nil
      }
      for index in circle { rest.remove(index) }
      return circle
    }
  }

  /// The shortest way from a node back to itself, beginning with it; `nil` when there is none.
  private func circle(through start: Int) -> [Int]? {
    var before: [Int: Int] = [:]
    var pending = [start]
    var index = 0
    while index < pending.count {
      let node = pending[index]
      index += 1
      for next in successors[node] where isLeft[next] {
        if next == start {
          var way = [node]
          while let last = way.last, last != start, let previous = before[last] { way.append(previous) }
          return way.reversed()
        }
        guard before[next] == nil else { continue }
        before[next] = node
        pending.append(next)
      }
    }
    return nil
  }
}
