import FlowSpec

/// What of a flow and its models a set of runs has reached, of all that `check` does not say is never entered or tried;
/// routes that nothing in the flow asks for are there for others that share the model, where it is not known that nobody
/// asks for them.
package struct Coverage: Sendable {
  /// What no run has reached, each in document order, the app before the services.
  package struct Uncovered: Sendable, Hashable {
    package var refs: [String] = []
    package var states: [String] = []
    package var transitions: [String] = []
    package var replies: [String] = []

    package var isEmpty: Bool { refs.isEmpty && states.isEmpty && transitions.isEmpty && replies.isEmpty }
  }

  private let flow: Flow
  private let asked: AskedRoutes
  private var refs: Set<String> = []
  private var states: Set<StateEntered> = []
  private var transitions: Set<MachinePart> = []

  /// `unasked` are, for each service, routes that nobody asks for, and that count with this flow.
  package init(_ flow: Flow, unasked: [Set<Int>] = []) {
    (self.flow, asked) = (flow, AskedRoutes(flow, with: unasked))
  }

  package mutating func add(_ happenings: [Happening]) {
    for happening in happenings {
      refs.formUnion(happening.refs)
      switch happening.fact {
      case .state(let entered): states.insert(entered)
      case .transition(let taken): transitions.insert(MachinePart(service: taken.service, index: taken.id))
      default: break
      }
    }
  }

  package var uncovered: Uncovered {
    let missed = MissedTransition.all(of: flow, asked) { transitions.contains($0) }
    var states = missedStates(of: flow.app, service: nil)
    for (index, service) in flow.services.enumerated() {
      if let model = service.model { states += missedStates(of: model.machine, service: index) }
    }
    return Uncovered(
      refs: flow.steps.map(\.id).filter { !refs.contains($0) }, states: states,
      transitions: missed.filter { !$0.isReply }.map(\.words), replies: missed.filter(\.isReply).map(\.words))
  }

  private func missedStates(of machine: Machine, service: Int?) -> [String] {
    let lane = service.map { flow.services[$0].participant } ?? flow.participants.firstIndex { $0.kind == .app } ?? 0
    let mayEnter = machine.mayEnter(from: asked.entries(of: service))
    let shared = machine.sharedNames
    return zip(machine.states, mayEnter).filter { state, mayEnter in
      mayEnter && state.parent != nil && !states.contains(StateEntered(state, of: machine, lane: lane))
    }.map { flow.label(machine.place(of: $0.0, shared), service: service) }
  }
}
