/// A transition that may be taken at once, and where it leads: from one state to another, or from what is known in one to
/// what is known in another.
struct Passage: Sendable {
  let source: Int
  let target: Int
  let transition: Transition
  /// The state that it leaves.
  let state: Int
}

/// Those of some passages that lie on circles of such.
struct CircularPassages {
  /// Those that lead to one another, in the order in which they were given.
  let components: [[Passage]]

  init(_ passages: [Passage]) {
    var numbers: [Int: Int] = [:]
    for passage in passages {
      for state in [passage.source, passage.target] where numbers[state] == nil { numbers[state] = numbers.count }
    }
    func number(_ state: Int) -> Int { numbers[state] ?? 0 }
    var successors: [[Int]] = Array(repeating: [], count: numbers.count)
    for passage in passages { successors[number(passage.source)].append(number(passage.target)) }
    let component = successors.components
    var (places, components) = ([Int: Int](), [[Passage]]())
    for passage in passages {
      let own = component[number(passage.source)]
      guard own == component[number(passage.target)] else { continue }
      let place = places[own] ?? components.count
      if place == components.count {
        places[own] = place
        components.append([])
      }
      components[place].append(passage)
    }
    self.components = components
  }

  /// The same without what cannot be taken again and again, so that every circle through it ends.
  func withoutBounded(_ writes: inout KeptWrites) -> CircularPassages {
    var (left, isSame) = (self, false)
    while !isSame {
      let rest = left.components.flatMap { writes.withoutBounded($0) }
      isSame = rest.count == left.components.joined().count
      if !isSame { left = CircularPassages(rest) }
    }
    return left
  }
}

extension [[Passage]] {
  /// Circles that begin with one of these and are shortest; none begins with a transition that an earlier one of them has.
  ///
  /// All in one of these lists lead to one another.
  func circles(most: Int, through isSought: (Passage) -> Bool) -> [[Passage]] {
    var told: Set<ObjectIdentifier> = []
    var circles: [[Passage]] = []
    for passages in self where circles.count < most {
      let outgoing = passages.outgoing
      for index in passages.indices where circles.count < most {
        let first = passages[index]
        if told.contains(ObjectIdentifier(first.transition)) || !isSought(first) { continue }
        let circle = [first] + passages.way(from: first.target, to: first.source, outgoing).map { passages[$0] }
        told.formUnion(circle.map { ObjectIdentifier($0.transition) })
        circles.append(circle)
      }
    }
    return circles
  }
}

extension [Passage] {
  /// By what they leave those that leave it.
  fileprivate var outgoing: [Int: [Int]] {
    var outgoing: [Int: [Int]] = [:]
    for index in indices { outgoing[self[index].source, default: []].append(index) }
    return outgoing
  }

  /// The shortest way between two states.
  fileprivate func way(from start: Int, to end: Int, _ outgoing: [Int: [Int]]) -> [Int] {
    var before: [Int: Int] = [:]
    var pending = [start]
    var place = 0
    while place < pending.count, pending[place] != end {
      for index in outgoing[pending[place]] ?? [] where before[self[index].target] == nil {
        before[self[index].target] = index
        pending.append(self[index].target)
      }
      place += 1
    }
    var (way, state) = ([Int](), end)
    while state != start, let last = before[state] {
      way.append(last)
      state = self[last].source
    }
    return way.reversed()
  }
}

extension [[Int]] {
  /// For each node of a graph a number that it shares with those that lead to it and to which it leads: Tarjan's
  /// strongly connected components.
  var components: [Int] {
    var components = [Int](repeating: -1, count: count)
    // 0 for what was not come to yet.
    var numbers = [Int](repeating: 0, count: count)
    var (path, open, last, made) = ([(node: Int, next: Int, low: Int)](), [Int](), 0, 0)
    func enter(_ node: Int) {
      last += 1
      numbers[node] = last
      open.append(node)
      path.append((node, 0, last))
    }
    for start in indices where numbers[start] == 0 {
      enter(start)
      while let (node, next, low) = path.last {
        if next < self[node].count {
          path[path.count - 1].next += 1
          let target = self[node][next]
          if numbers[target] == 0 {
            enter(target)
          } else if components[target] < 0 {
            path[path.count - 1].low = Swift.min(low, numbers[target])
          }
          continue
        }
        path.removeLast()
        if let outer = path.indices.last { path[outer].low = Swift.min(path[outer].low, low) }
        guard low == numbers[node] else { continue }
        while let done = open.popLast() {
          components[done] = made
          if done == node { break }
        }
        made += 1
      }
    }
    return components
  }
}
