import FlowSpec

/// States that no move has entered so far, of the app and of services.
struct StatesNeverEntered {
  struct Place: Hashable {
    var lane: Int
    var name: String
  }

  private let all: [Place]
  private var left: Set<Place>
  private let flow: Flow

  init(_ world: World) {
    flow = world.flow
    var all = Self.places(of: flow.app, lane: world.lanes.app)
    for service in flow.services {
      guard let machine = service.model?.machine else { continue }
      all += Self.places(of: machine, lane: service.participant)
    }
    self.all = all
    left = Set(all)
  }

  private static func places(of machine: Machine, lane: Int) -> [Place] {
    machine.states.filter { $0.parent != nil }.map { Place(lane: lane, name: $0.name) }
  }

  var isEmpty: Bool { left.isEmpty }

  /// In document order, the app's before the services'; those of a service with its name.
  var names: [String] {
    all.filter { left.contains($0) }.map { place in
      let participant = flow.participants[place.lane]
      return participant.kind == .app ? place.name : "\(participant.name) \(place.name)"
    }
  }

  mutating func remove(_ entered: [Place]?) {
    for place in entered ?? [] { left.remove(place) }
  }
}
