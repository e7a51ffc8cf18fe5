import FlowSpec
import JSONSyntax

/// A state or a transition of the app or of a service.
struct MachinePart: Hashable {
  /// Index into `Flow.services`, `nil` for the app.
  var service: Int?
  /// Into `Machine.states`; of a transition its `id`.
  var index: Int
}

/// A transition that nothing took so far, of all that `check` does not say is never tried.
struct MissedTransition {
  /// How it is told: `home, user.signsOut: goes to signedOut`.
  private(set) var words: String
  /// The state on which it stands; `nil` for one of a route or of every route.
  let state: MachinePart?
  private let service: Int?
  private let transition: Transition

  var isReply: Bool { transition.repliesItself }

  /// All of them in document order, the app's before the services'.
  static func all(
    of flow: Flow, _ asked: AskedRoutes, but isTaken: (MachinePart) -> Bool
  ) -> [MissedTransition] {
    var told = Telling(flow: flow, asked: asked)
    told.add(flow.app, service: nil)
    for (index, service) in flow.services.enumerated() {
      guard let model = service.model, case let routes = told.asked.routes(of: index), !routes.isEmpty
      else { continue }
      for route in routes { told.add(route.next, at: route.line, service: index) }
      told.add(model.sometimes, at: "every route", service: index)
      told.add(model.machine, service: index)
    }
    let isMissed = told.all.map { !isTaken(MachinePart(service: $0.service, index: $0.transition.id)) }
    told.tellApart(isMissed)
    return zip(told.all, isMissed).filter(\.1).map(\.0)
  }

  /// Goes through all transitions of a flow.
  private struct Telling {
    let flow: Flow
    let asked: AskedRoutes
    var all: [MissedTransition] = []

    mutating func add(_ machine: Machine, service: Int?) {
      let mayEnter = machine.mayEnter(from: asked.entries(of: service))
      let shared = machine.sharedNames
      for (index, state) in machine.states.enumerated() where mayEnter[index] {
        let place = machine.place(of: state, shared)
        add(state.next, at: place, of: index, service: service)
        for handler in state.on {
          let event = machine.events[handler.event].name
          add(handler.transitions, at: "\(place), \(event)", of: index, service: service)
        }
        for timer in state.after { add(timer.transition, at: place, of: index, service: service) }
      }
    }

    mutating func add(_ transitions: [Transition], at source: String, of state: Int? = nil, service: Int?) {
      let state = state.map { MachinePart(service: service, index: $0) }
      let last = transitions.firstIndex { $0.when == nil && !$0.isSometimes } ?? transitions.count
      for (index, transition) in transitions.enumerated() where index <= last || transition.isSometimes {
        let words = flow.label(
          "\(source): \(transition.name ?? transition.target.words(in: flow, service: service))", service: service)
        all.append(MissedTransition(words: words, state: state, service: service, transition: transition))
      }
    }

    /// What reads as another does, which may be reached, is told with its line; on one line with its column too.
    mutating func tellApart(_ isMissed: [Bool]) {
      let groups = Dictionary(grouping: all.indices) { [all[$0].words, all[$0].isReply ? "reply" : ""] }
      var texts: [Document: SourceText] = [:]
      for same in groups.values where same.count > 1 && same.contains(where: { isMissed[$0] }) {
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
  }
}

/// The routes of models that something in a flow may ask for, and those that are its own all the same.
struct AskedRoutes {
  private let flow: Flow
  private let asked: [[Bool]]

  /// `unasked` are, for each service, the routes that nobody asks for and that are told of with this flow.
  init(_ flow: Flow, with unasked: [Set<Int>] = []) {
    self.flow = flow
    var asked = flow.askedRoutes()
    for (service, routes) in unasked.enumerated() {
      for route in routes { asked[service][route] = true }
    }
    self.asked = asked
  }

  func routes(of service: Int) -> [Route] {
    zip(flow.services[service].model?.routes ?? [], asked[service]).filter(\.1).map(\.0)
  }

  /// What leads into the states of a service from outside; nothing does for the app, `nil`.
  func entries(of service: Int?) -> [Transition] {
    guard let service, case let routes = routes(of: service), !routes.isEmpty else { return [] }
    return routes.flatMap(\.next) + (flow.services[service].model?.sometimes ?? [])
  }
}

extension Flow {
  /// That of the app for `nil`; only a service that has a model has one.
  func machine(ofService service: Int?) -> Machine { service.flatMap { services[$0].model?.machine } ?? app }

  /// What is of a service says so; what is of the app is plain.
  func label(_ name: String, service: Int?) -> String {
    service.map { "\(participants[services[$0].participant].name) \(name)" } ?? name
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
      return "goes to \(flow.machine(ofService: service).states[index].name)"
    }
  }
}
