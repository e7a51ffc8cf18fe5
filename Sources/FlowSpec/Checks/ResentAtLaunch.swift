import Expressions

extension Check {
  /// Requests that are sent again when the app is opened, as it was killed while their answer was awaited: what is stored
  /// before leads there, and a good answer takes it back.
  ///
  /// What comes of an answer, as a token, leads there too, and says nothing of a request that is under way; a poll asks
  /// again by itself.
  static let resentAtLaunch: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    var ways = LaunchWays(machine)
    let ids = OwnIDs(of: examined)
    let (walk, polling) = (UnattendedWalk(machine, waits: false), UnattendedWalk(machine, waits: true))
    var marks: [Int: [[Mark]]] = [:]
    for (index, state) in machine.states.enumerated() {
      for transition in state.transitions {
        let way = UnattendedWay(transition, of: index)
        guard let (request, way) = walk.request(behind: way, where: { _, _ in true }), request.asksAnew,
          ways.lead(to: way.state), marks[way.state, default: []].count < mostToRequest
        else { continue }
        let own = way.actions.marks
        if !own.isEmpty { marks[way.state, default: []].append(own) }
      }
    }
    return marks.keys.sorted().compactMap { index in
      guard case .request(let request) = machine.states[index].activity, !examined.polls(index, polling)
      else { return nil }
      for own in marks[index] ?? [] {
        for mark in own where examined.takesBack(mark, behind: index) {
          for (decision, actions) in ways.decisions(to: index, by: mark, among: own)
          where !request.isToldAgain(by: ids, despite: actions, isRelaunched: true) {
            return resent(request, by: decision, mark)
          }
        }
      }
      return nil
    }
  }

  private static let mostToRequest = 8

  private static func resent(_ request: RequestSpec, by decision: Transition, _ mark: Mark) -> Diagnostic {
    Diagnostic(
      "unsafe-retry", severity: .warning,
      "an app that is killed while it awaits the answer to this \(request.method) sends it again when it is opened, and the "
        + "server may have done it already",
      at: decision.site, "leads there, as \"\(mark.place.declared.name)\" is stored before",
      help: "send \(request.neededKey), which is stored with it, or ask the server first what has become of it",
      related: (request.site, "is sent again"))
  }
}

extension [Action] {
  /// What is stored behind them of their own making, and not as it is at first.
  fileprivate var marks: [Mark] {
    var marks: [KeyNumber: Mark] = [:]
    for action in self {
      for (place, value) in action.writes { marks[KeyNumber(place)] = Mark(place: place, value: value) }
      for assignment in action.assignments where assignment.comesOfAnswer { marks[KeyNumber(assignment.place)] = nil }
    }
    return marks.sorted { $0.key < $1.key }.map(\.value).filter { mark in
      mark.place.area == .store && !mark.place.isOfTable && mark.value != .oneOf([mark.place.declared.initial])
    }
  }
}

extension Assignment {
  fileprivate var comesOfAnswer: Bool {
    value.placed.flatMap(\.template.expressions).flatMap(\.facts.references)
      .contains { $0[0] == "response" || $0[0] == "result" }
  }
}

extension Examined {
  /// Whether a good answer changes what a mark says.
  fileprivate func takesBack(_ mark: Mark, behind index: Int) -> Bool {
    let next = machine.states[index].next
    return next.taking(200..<205, in: scopeOfStatuses).contains { transition in
      machine.deeds(of: transition, in: index).actions.flatMap(\.writes).contains {
        KeyNumber($0.place) == KeyNumber(mark.place) && $0.value != mark.value
      }
    }
  }
}

extension [Transition] {
  /// Those that an answer with one of these statuses may take.
  fileprivate func taking(_ statuses: Range<Int64>, in scope: Scope) -> [Transition] {
    let conditions = map { $0.when.map { PartialCondition($0, in: scope) } }
    var taking: Set<Int> = []
    for status in statuses {
      for (number, condition) in conditions.enumerated() {
        let holds = condition.map { $0.holds(for: status) } ?? true
        if holds != false { taking.insert(number) }
        if holds == true { break }
      }
    }
    return taking.sorted().map { self[$0] }
  }
}
