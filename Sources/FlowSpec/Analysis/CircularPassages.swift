/// A transition that may be taken at once, and the states between which it leads.
struct Passage: Sendable {
  let source: Int
  let target: Int
  let transition: Transition
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

extension [Passage] {
  /// Circles that begin with one of these and are shortest; none with a passage that an earlier one of them has.
  ///
  /// All of these lead to one another.
  func circles(most: Int, through isSought: (Passage) -> Bool) -> [[Passage]] {
    var outgoing: [Int: [Int]] = [:]
    for index in indices { outgoing[self[index].source, default: []].append(index) }
    var isTold = [Bool](repeating: false, count: count)
    var circles: [[Passage]] = []
    for index in indices where circles.count < most && !isTold[index] && isSought(self[index]) {
      let circle = [index] + way(from: self[index].target, to: self[index].source, outgoing)
      for index in circle { isTold[index] = true }
      circles.append(circle.map { self[$0] })
    }
    return circles
  }

  /// The shortest way between two states.
  private func way(from start: Int, to end: Int, _ outgoing: [Int: [Int]]) -> [Int] {
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
