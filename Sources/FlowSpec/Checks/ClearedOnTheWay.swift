import Expressions

extension Check {
  /// Keys that a state sends, opens or sets others to though every way into it has cleared them: who signs out so has
  /// nothing left to revoke.
  ///
  /// What is cleared in the list that reads it, or by the `do` of the state itself, is told where it is read.
  static let clearedOnTheWay: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let ways = ClearedWays(examined)
    let graph = examined.paths?.graph ?? StateGraph(examined.machine)
    return examined.machine.states.indices.flatMap { index -> [Diagnostic] in
      guard var cleared = ways.cleared[index], !cleared.sites.isEmpty else { return [] }
      let state = examined.machine.states[index]
      var told: [String: Diagnostic] = [:]
      func look(at written: [PlacedTemplate]) {
        for placed in written {
          for expression in placed.template.expressions {
            guard let (name, site) = cleared.first(in: expression), told[name] == nil else { continue }
            told[name] = nullOnEveryWay(name, at: placed.site, cleared: site)
          }
        }
      }
      for action in state.entry {
        // A list with a name stands elsewhere, and others may use it where the key is there.
        if state.extent.encloses(action.site) { look(at: action.written) }
        cleared = cleared.without(action.assignments.map(\.place) + action.cleared)
      }
      // A try may be refused so that the next has what was missing.
      cleared = cleared.without(graph.setBetweenTries(of: state))
      look(at: state.activity.written)
      return told.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private static func nullOnEveryWay(_ name: String, at site: Site, cleared: Site) -> Diagnostic {
    Diagnostic(
      "may-be-null", severity: .warning, "\(name) is null here: each way to this state has cleared it", at: site,
      "reads it", help: "clear it where this state is left, or set a key of \"memory\" to it before and read that",
      related: (cleared, "is cleared here"))
  }
}

/// Goes all ways from the start of an app to its states.
///
/// What is known behind a state that waits is what nothing sets meanwhile; behind what encloses or calls others it is
/// nothing. States are gone through in the order of the document, and one that is come to again and again counts as one
/// where nothing is known.
private struct ClearedWays {
  /// By state that can be entered what is surely cleared before it does anything itself.
  private(set) var cleared: [Int: EmptiedKeys] = [:]
  private let machine: Machine
  /// What is set without leaving a state, or between two tries, as expressions name it.
  private let setMeanwhile: Set<String>
  private var isPending: [Bool]
  private var pendingCount = 0
  /// How often each state was left.
  private var visits: [Int]
  private static let mostVisits = 16

  init(_ examined: Examined) {
    machine = examined.machine
    let staying = examined.transitions.filter { if case .stay = $0.target { true } else { false } }
    let between = examined.machine.requests.flatMap { $0.retry?.actions ?? [] }
    let set = (staying.flatMap(\.actions) + between).flatMap(\.assignments)
    setMeanwhile = Set(set.compactMap(\.place.nameOfValue))
    isPending = Array(repeating: false, count: machine.states.count)
    visits = Array(repeating: 0, count: machine.states.count)
    for start in examined.starts { enter(start, from: nil, with: EmptiedKeys()) }
    while pendingCount > 0 {
      for state in machine.states.indices where isPending[state] {
        isPending[state] = false
        pendingCount -= 1
        visits[state] += 1
        leave(state)
      }
    }
  }

  private mutating func enter(_ target: Int, from source: Int?, with keys: EmptiedKeys) {
    var keys = keys
    for state in machine.entered(target, from: source) { keys = arrive(state, with: keys) }
  }

  /// What is cleared once a state has done its own.
  private mutating func arrive(_ state: Int, with keys: EmptiedKeys) -> EmptiedKeys {
    let known = cleared[state]
    let common = known?.common(with: keys) ?? keys
    if known?.sites.count != common.sites.count {
      cleared[state] = visits[state] < Self.mostVisits ? common : EmptiedKeys()
      if !isPending[state] { pendingCount += 1 }
      isPending[state] = true
    }
    return keys.behind(machine.states[state].entry)
  }

  private mutating func leave(_ index: Int) {
    let state = machine.states[index]
    let keys = (cleared[index] ?? EmptiedKeys()).behind(state.entry)
    var left = state.decides ? keys : keys.without(names: setMeanwhile)
    if state.start != nil || !state.calls.isEmpty { left = EmptiedKeys() }
    for routine in state.calls {
      // What a `retry` calls is behind an answer.
      let isCall = if case .call = state.activity { true } else { false }
      enter(machine.routines[routine].root, from: nil, with: isCall ? keys : EmptiedKeys())
    }
    for transition in state.transitions {
      guard case .state(let target) = transition.target else { continue }
      enter(target, from: index, with: left.testing(transition.when).behind(transition.actions))
    }
  }
}

extension StateGraph {
  /// What is set between two tries of a state's request, the sub-flow that is called then included.
  fileprivate func setBetweenTries(of state: State) -> [Place] {
    guard case .request(let request) = state.activity, let retry = request.retry else { return [] }
    return (retry.actions + actionsCalled(by: retry)).flatMap(\.assignments).map(\.place)
  }
}

extension Action {
  /// The texts from which it sets keys, and those of what it opens.
  var written: [PlacedTemplate] {
    switch kind {
    case .set(let assignments): assignments.flatMap(\.value.placed)
    case .open(let target): target.query.flatMap(\.value.placed)
    case .clear, .emit, .show, .close, .send: []
    }
  }
}

extension State.Activity {
  /// The texts of what it asks for.
  fileprivate var written: [PlacedTemplate] {
    switch self {
    case .request(let request): request.written
    case .perform(let performed): performed.input.flatMap(\.value.placed)
    case .none, .call, .compound, .end: []
    }
  }
}
