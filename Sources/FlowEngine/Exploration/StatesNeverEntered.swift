import FlowSpec

/// States that no move has entered so far, of the app and of services.
struct StatesNeverEntered {
  struct Place: Hashable {
    var lane: Int
    /// Names of states are unique in a flow or sub-flow of one machine.
    var routine: Int
    var name: String
  }

  /// Each with what it is called.
  private let all: [(place: Place, words: String)]
  private var left: Set<Place>

  init(_ world: World) {
    let flow = world.flow
    var all = Self.places(of: flow.app, lane: world.lanes.app, as: "")
    for service in flow.services {
      guard let machine = service.model?.machine else { continue }
      let name = flow.participants[service.participant].name
      all += Self.places(of: machine, lane: service.participant, as: "\(name) ")
    }
    self.all = all
    left = Set(all.map(\.place))
  }

  private static func places(of machine: Machine, lane: Int, as prefix: String) -> [(place: Place, words: String)] {
    let shared = machine.sharedNames
    return machine.states.filter { $0.parent != nil }.map { state in
      (Place(lane: lane, routine: state.routine, name: state.name), prefix + machine.place(of: state, shared))
    }
  }

  var isEmpty: Bool { left.isEmpty }

  /// In document order, the app's before the services'; those of a service with its name.
  var names: [String] { all.filter { left.contains($0.place) }.map(\.words) }

  mutating func remove(_ entered: [Place]?) {
    for place in entered ?? [] { left.remove(place) }
  }
}
