import FlowSpec

/// States that a choice entered, transitions that it took, and events that nothing took.
struct Reached {
  var states: [MachinePart] = []
  var transitions: [MachinePart] = []
  var ignored: [IgnoredEvent] = []
}

/// An event that reached the app and led to nothing, and the app's innermost state there.
struct IgnoredEvent: Hashable {
  var event: Int
  var leaf: Int
}

/// Events that nothing took, each with the first ways on which that was seen.
struct IgnoredEvents {
  private static let mostWays = 10

  private(set) var all: [IgnoredEvent: [(node: Int, way: Explorer.Way)]] = [:]

  /// What a way from a node has led to.
  mutating func add(_ reached: Reached?, behind node: Int, by way: Explorer.Way) {
    guard let events = reached?.ignored, !events.isEmpty else { return }
    for event in events where all[event]?.count ?? 0 < Self.mostWays { all[event, default: []].append((node, way)) }
  }
}

/// States that no choice has entered so far, and transitions that none has taken, of the app and of services.
struct Unreached {
  private let flow: Flow
  private var states: Parts
  private var transitions: Parts

  init(in flow: Flow) {
    self.flow = flow
    states = Parts(machines: flow.services.count + 1)
    transitions = states
  }

  mutating func remove(_ reached: Reached?) {
    guard let reached else { return }
    for part in reached.states { states.add(part) }
    for part in reached.transitions { transitions.add(part) }
  }

  /// The states in document order, the app's before the services'; those of a service with its name.
  var stateNames: [String] {
    let models = flow.services.indices.compactMap { index in flow.services[index].model.map { (index, $0.machine) } }
    return ([(nil, flow.app)] + models).flatMap { (service: Int?, machine: Machine) in
      let shared = machine.sharedNames
      return machine.states.indices.filter { index in
        machine.states[index].parent != nil && !states.has(MachinePart(service: service, index: index))
      }.map { flow.label(machine.place(of: machine.states[$0], shared), service: service) }
    }
  }

  /// The transitions, without those of states that were not entered either.
  var transitionNames: [String] {
    MissedTransition.all(of: flow, AskedRoutes(flow)) { transitions.has($0) }.filter {
      $0.state.map(mayBeTaken) ?? true
    }.map(\.words)
  }

  /// What stands on the whole of a flow is not entered, and always in reach; that of a sub-flow is entered with it.
  private func mayBeTaken(from state: MachinePart) -> Bool {
    flow.machine(ofService: state.service).states[state.index].isOfWholeFlow || states.has(state)
  }

  /// Parts of machines, looked up without a hash.
  private struct Parts {
    /// By machine, the app's first, and by index; those behind the last were not added.
    private var has: [[Bool]]

    init(machines: Int) { has = Array(repeating: [], count: machines) }

    mutating func add(_ part: MachinePart) {
      let machine = part.service.map { $0 + 1 } ?? 0
      let missing = part.index + 1 - has[machine].count
      if missing > 0 { has[machine] += Array(repeating: false, count: missing) }
      has[machine][part.index] = true
    }

    func has(_ part: MachinePart) -> Bool {
      let machine = has[part.service.map { $0 + 1 } ?? 0]
      return part.index < machine.count && machine[part.index]
    }
  }
}

extension State {
  fileprivate var isOfWholeFlow: Bool { parent == nil && routine == 0 }
}
