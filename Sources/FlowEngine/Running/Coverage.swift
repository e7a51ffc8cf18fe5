import FlowSpec
import JSONSyntax

/// What of a flow and its models a set of runs has reached, of all that `check` does not say is never entered or tried.
package struct Coverage: Sendable {
  /// What no run has reached, each in document order, the app before the services.
  package struct Uncovered: Sendable, Hashable {
    package var refs: [String] = []
    package var states: [String] = []
    package var transitions: [String] = []
    package var replies: [String] = []

    package var isEmpty: Bool { refs.isEmpty && states.isEmpty && transitions.isEmpty && replies.isEmpty }
  }

  private struct Place: Hashable {
    /// Index into `Flow.services`, `nil` for the app.
    var service: Int?
    /// `Transition.id`.
    var id: Int
  }

  /// A transition as it is told.
  private struct Told {
    var words: String
    let transition: Transition
    let isReached: Bool

    var isReply: Bool { if case .reply = transition.target { true } else { false } }
  }

  private let flow: Flow
  private var refs: Set<String> = []
  private var states: Set<StateEntered> = []
  private var transitions: Set<Place> = []

  package init(_ flow: Flow) {
    self.flow = flow
  }

  package mutating func add(_ happenings: [Happening]) {
    for happening in happenings {
      refs.formUnion(happening.refs)
      switch happening.fact {
      case .state(let entered): states.insert(entered)
      case .transition(let taken): transitions.insert(Place(service: taken.service, id: taken.id))
      default: break
      }
    }
  }

  package var uncovered: Uncovered {
    var uncovered = Uncovered()
    uncovered.refs = flow.steps.map(\.id).filter { !refs.contains($0) }
    var all: [Told] = []
    add(flow.app, service: nil, to: &uncovered, &all)
    for (index, service) in flow.services.enumerated() {
      guard let model = service.model else { continue }
      for route in model.routes { add(route.next, at: route.line, service: index, to: &all) }
      add(model.sometimes, at: "every route", service: index, to: &all)
      add(model.machine, service: index, to: &uncovered, &all)
    }
    Self.tellApart(&all)
    let missed = all.filter { !$0.isReached }
    uncovered.transitions = missed.filter { !$0.isReply }.map(\.words)
    uncovered.replies = missed.filter(\.isReply).map(\.words)
    return uncovered
  }

  /// What reads as another does, which may be reached, is told with its line; on one line with its column too.
  private static func tellApart(_ all: inout [Told]) {
    let groups = Dictionary(grouping: all.indices) { [all[$0].words, all[$0].isReply ? "reply" : ""] }
    var texts: [Document: SourceText] = [:]
    for same in groups.values where same.count > 1 && same.contains(where: { !all[$0].isReached }) {
      let places = same.map { index in
        let site = all[index].transition.site
        let text = texts[site.document] ?? SourceText(site.document.bytes)
        texts[site.document] = text
        return text.position(of: site.range.lowerBound)
      }
      for (index, place) in zip(same, places) {
        let isAlone = places.count { $0.line == place.line } == 1
        all[index].words += isAlone ? " (line \(place.line))" : " (line \(place.line), column \(place.column))"
      }
    }
  }

  private func add(_ machine: Machine, service: Int?, to uncovered: inout Uncovered, _ all: inout [Told]) {
    let lane = service.map { flow.services[$0].participant } ?? flow.participants.firstIndex { $0.kind == .app } ?? 0
    let model = service.flatMap { flow.services[$0].model }
    let mayEnter = machine.mayEnter(from: (model?.routes.flatMap(\.next) ?? []) + (model?.sometimes ?? []))
    let shared = machine.sharedNames
    for (state, mayEnter) in zip(machine.states, mayEnter) where mayEnter {
      let isReached = states.contains(StateEntered(state, of: machine, lane: lane))
      let place = machine.place(of: state, shared)
      if state.parent != nil, !isReached { uncovered.states.append(label(place, lane: lane)) }
      add(state.next, at: place, service: service, to: &all)
      for handler in state.on {
        let event = machine.events[handler.event].name
        add(handler.transitions, at: "\(place), \(event)", service: service, to: &all)
      }
      for timer in state.after { add(timer.transition, at: place, service: service, to: &all) }
    }
  }

  private func add(_ transitions: [Transition], at source: String, service: Int?, to all: inout [Told]) {
    let lane = service.map { flow.services[$0].participant }
    let last = transitions.firstIndex { $0.when == nil && !$0.isSometimes } ?? transitions.count
    for (index, transition) in transitions.enumerated() where index <= last || transition.isSometimes {
      let words = label(
        "\(source): \(transition.name ?? transition.target.words(in: flow, service: service))", lane: lane)
      let isReached = self.transitions.contains(Place(service: service, id: transition.id))
      all.append(Told(words: words, transition: transition, isReached: isReached))
    }
  }

  /// What is of a service says so; what is of the app is plain.
  private func label(_ name: String, lane: Int?) -> String {
    guard let lane, flow.participants[lane].kind != .app else { return name }
    return "\(flow.participants[lane].name) \(name)"
  }
}

extension Machine {
  /// Names that states of several of its flows share.
  var sharedNames: Set<String> {
    var seen: Set<String> = []
    return Set(states.map(\.name).filter { !seen.insert($0).inserted })
  }

  /// What a state is called, with its sub-flow where the name alone is shared.
  func place(of state: State, _ shared: Set<String>) -> String {
    let subflow = routines[state.routine].name
    let isAlone = subflow.isEmpty || !shared.contains(state.name)
    return (state.name.isEmpty ? "anywhere" : state.name) + (isAlone ? "" : " in \(subflow)")
  }
}

extension Transition.Target {
  /// Where it leads, for a transition without a name.
  func words(in flow: Flow, service: Int?) -> String {
    switch self {
    case .stay: return "stays"
    case .end(let name): return "ends with \(name)"
    case .reply(let reply): return "replies \(reply.status)"
    case .state(let index):
      let machine = service.flatMap { flow.services[$0].model?.machine } ?? flow.app
      return "goes to \(machine.states[index].name)"
    }
  }
}
