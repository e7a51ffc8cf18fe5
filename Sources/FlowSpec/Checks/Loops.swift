import Expressions

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

  /// Circles of requests and decisions: without a network they would go round in no time.
  ///
  /// One in which the device is asked often ends by what was asked for; it is told where its author overrules it alone, for
  /// an exploration that comes around in it all the same.
  static let loopsWithoutWait: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let paths = examined.paths else { return [] }
    let states = examined.machine.states
    func isOverruled(_ state: Int) -> Bool { examined.overrules("loop-without-wait", at: states[state].site) }
    var circles = examined.circling(in: paths, asksDevice: false).circles
    if states.contains(where: \.performs) {
      let circling = examined.circling(in: paths, asksDevice: true)
      var told = Set(circles.joined())
      for index in states.indices where circling.contains(index) && !told.contains(index) && isOverruled(index) {
        guard let circle = circling.circle(through: index) else { continue }
        circles.append(circle)
        told.formUnion(circle)
      }
    }
    if circles.isEmpty { return [] }
    let secrets = ComparedSecrets(examined.secretNames.all)
    return circles.map { circle in
      // It is told where its author overrules it.
      let place = circle.firstIndex(where: isOverruled) ?? 0
      return examined.loop(Array(circle[place...] + circle[..<place] + [circle[place]]), in: paths, hiding: secrets)
    }
  }
}

extension Examined {
  /// What may go around in no time, those apart from which nothing leads on.
  fileprivate func circling(in paths: StatePaths, asksDevice: Bool) -> Circling {
    let successors = machine.states.map { state -> [Int] in
      guard state.passesAtOnce, asksDevice || !state.performs else { return [] }
      return StateGraph.targets(of: state.taken).map(paths.graph.leaf)
    }
    var rest = Circling(successors)
    // A circle that leads nowhere has been reported as that, unless its author says that it may.
    for index in paths.lost where !overrules("no-way-to-goal", at: machine.states[index].site) { rest.remove(index) }
    return rest
  }

  /// `circle` ends where it begins; values that are compared with one of the secrets are not shown.
  fileprivate func loop(_ circle: [Int], in paths: StatePaths, hiding secrets: ComparedSecrets) -> Diagnostic {
    let ways = zip(circle, circle.dropFirst()).compactMap { state, other -> String? in
      let way = machine.states[state].taken.first { StateGraph.targets(of: [$0]).map(paths.graph.leaf) == [other] }
      return way?.name ?? way?.line?.expression.source(hiding: secrets)
    }
    let condition = ways.isEmpty ? "" : " while it takes \"\(ways.joined(separator: "\", \""))\""
    let names = circle.map { machine.states[$0].name }.joined(separator: " → ")
    return Diagnostic(
      "loop-without-wait", severity: .warning,
      "a circle of requests and decisions goes round without a wait",
      at: machine.states[circle[0]].site, "comes back here", help: "\(names): goes round without a wait\(condition)")
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

  func contains(_ index: Int) -> Bool { isLeft[index] }

  private func isLoose(_ index: Int) -> Bool { degrees[index].in == 0 || degrees[index].out == 0 }

  /// Takes a node away, and what hung on it alone.
  mutating func remove(_ index: Int) {
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
      guard rest.contains(index) else { return nil }
      guard let circle = rest.circle(through: index) else {
        rest.remove(index)
        return nil
      }
      for index in circle { rest.remove(index) }
      return circle
    }
  }

  /// The shortest way from a node back to itself, beginning with it; `nil` when there is none.
  func circle(through start: Int) -> [Int]? {
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

extension State {
  /// Whether it may be left at once: a request, a question to the device, a call or a decision.
  fileprivate var passesAtOnce: Bool {
    switch activity {
    case .none, .request, .perform, .call: return true
    default: return false
    }
  }

  fileprivate var performs: Bool { if case .perform = activity { true } else { false } }

  /// What may be taken where it passes at once.
  ///
  /// What a request hears, and timers beside it, end no circle that goes past them. Where a decision waits if nothing holds,
  /// what it decides on is usually done with when it comes back.
  fileprivate var taken: [Transition] {
    let timers = after.filter(\.isAtOnce)
    var decides = true
    if case .none = activity { decides = on.isEmpty && timers.count == after.count }
    return (decides ? next : []) + timers.flatMap(\.transition)
  }
}

extension Timer {
  /// Whether its wait is none: `"wait": "0s"`.
  var isAtOnce: Bool {
    guard case .wait(let placed) = due, let text = placed.template.literalText else { return false }
    return Duration(celText: text, allowingDays: true) == .zero
  }
}
