import Expressions
import FlowSpec

extension Step {
  /// An event reaches the running app: taken by the innermost state that names it, or ignored.
  mutating func happen(_ event: Int, fields: [Value], from: Int, isAgain: Bool = false) throws(Stop) {
    let declared = flow.app.events[event]
    var marked = fields
    declared.fields.mark(&marked)
    if isRecording {
      let happening = EventHappening(
        from: from, to: lanes.app, name: declared.name,
        fields: declared.fields.named(marked).filter { !$0.value.isNull }, outcome: .taken, isAgain: isAgain)
      record(.event(happening))
    }
    let line = happened.happenings.count - 1
    let outcome = try offer(event, fields: marked, line: isRecording ? line : nil)
    setOutcome(outcome, line: line)
    if outcome == .ignored, let leaf = snapshot.leaf { reached?.ignored.append(IgnoredEvent(event: event, leaf: leaf)) }
  }

  /// Offers an event to the active states, innermost first; the first that names it handles it.
  mutating func offer(_ event: Int, fields: [Value], line: Int?) throws(Stop) -> EventHappening.Outcome {
    let count = change(.app) { $0.levels.count } ?? 0
    for level in (0..<count).reversed() {
      for index in flow.app.enclosing(leaf(of: .app, level: level)) {
        guard let handler = flow.app.states[index].on.first(where: { $0.event == event }) else { continue }
        frame.roots[Root.event.rawValue] = flow.app.events[event].fields.filled(fields)
        cause = line
        let refs = flow.app.events[event].refs
        let taken = try takeEvent(handler, state: index, level: level, line: line, refs: refs)
        cause = nil
        try settle(.app)
        return taken ? .taken : .ignored
      }
    }
    return .ignored
  }

  private mutating func takeEvent(
    _ handler: EventHandler, state: Int, level: Int, line: Int?, refs: [String]
  ) throws(Stop) -> Bool {
    if let line { happened.happenings[line].refs = refs }
    if try takeFirst(of: handler.transitions, state: state, level: level, as: .app) { return true }
    if let line { happened.happenings[line].refs = [] }
    return false
  }

  /// The app's first wait that is not for an answer takes what started it; a wait that names a device event that
  /// nothing took is offered it once more.
  mutating func offerWhatWaits() throws(Stop) {
    while true {
      if let offered = snapshot.app.offers.first, snapshot.app.isAtRest {
        snapshot.app.offers.removeFirst()
        try happen(offered.event, fields: offered.fields, from: offered.from)
      } else if let unheard = snapshot.app.unheard, unheard.isDue, names(unheard.event) {
        snapshot.app.unheard = nil
        let isOnline = flow.app.events[unheard.event].kind == .deviceOnline
        guard isOnline == snapshot.device.online else { continue }
        try happen(unheard.event, fields: [], from: lanes.device, isAgain: true)
      } else {
        return
      }
    }
  }

  private func names(_ event: Int) -> Bool {
    let levels = levels(of: .app)
    for level in levels.indices {
      for state in flow.app.enclosing(levels[level].leaf) {
        for handler in flow.app.states[state].on where handler.event == event { return true }
      }
    }
    return false
  }
}
