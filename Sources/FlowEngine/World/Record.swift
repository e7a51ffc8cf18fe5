import Expressions
import FlowSpec

/// What happened so far, in order; what guards read and what keys changed stands side by side for all of it.
struct Record: Sendable {
  var happenings: [Happening] = []
  var decisions: [Decision] = []
  var readings: [Value?] = []
  var changes: [Change] = []

  /// What guards have decided up to a point.
  struct Mark {
    var decisions: Int
    var readings: Int
  }

  var mark: Mark { Mark(decisions: decisions.count, readings: readings.count) }

  mutating func reserve() {
    happenings.reserveCapacity(128)
    decisions.reserveCapacity(32)
    readings.reserveCapacity(64)
    changes.reserveCapacity(64)
  }

  /// Forgets what was decided between two points.
  mutating func forget(from start: Mark, to end: Mark) {
    guard start.decisions < end.decisions else { return }
    decisions.removeSubrange(start.decisions..<end.decisions)
    readings.removeSubrange(start.readings..<end.readings)
  }

  /// The happenings, each with its own stretch of what they share.
  var told: [Happening] {
    var told = happenings
    for index in told.indices {
      switch told[index].fact {
      case .set(let lane, var stretch):
        stretch.all = changes
        told[index].fact = .set(lane, stretch)
      case .transition(let taken): told[index].fact = .transition(taken.telling(decisions, readings))
      default: break
      }
    }
    return told
  }
}

extension Record {
  /// One happening that has been told.
  init(_ happening: Happening) {
    self.init()
    happenings = [happening]
    switch happening.fact {
    case .set(_, let stretch): changes = stretch.all
    case .transition(let taken): (decisions, readings) = (taken.decisions.all, taken.values.all)
    default: break
    }
  }
}

extension Step {
  /// Whether a condition holds; where a trace is wanted the lines that decided it are noted.
  mutating func decides(_ condition: Condition) throws(Stop) -> Bool {
    guard isRecording else { return try holds(condition) }
    switch condition {
    case .expression:
      let holds = try holds(condition)
      note(condition, holds: holds)
      return holds
    case .all(let conditions): return try decides(conditions, until: false)
    case .any(let conditions): return try decides(conditions, until: true)
    case .not(let condition): return try !decides(condition)
    }
  }

  /// Looks at conditions in order until one answers `answer`; that one alone has then decided.
  private mutating func decides(_ conditions: [Condition], until answer: Bool) throws(Stop) -> Bool {
    let start = happened.mark
    for condition in conditions {
      let own = happened.mark
      if try decides(condition) == answer {
        happened.forget(from: start, to: own)
        return answer
      }
    }
    return !answer
  }

  private mutating func note(_ condition: Condition, holds: Bool) {
    guard case .expression(let placed) = condition else { return }
    let isAnsweredOutside = !world.outside.services.isEmpty
    for reading in placed.expression.readings {
      var value = reading.evaluate(&frame)
      if let rows = value?.rowCount {
        let isCounted = reading.isTable && placed.expression.counts(reading)
        value = isCounted ? .string(rows == 1 ? "1 row" : "\(rows) rows") : nil
      } else {
        value = value.map { reading.shown($0) }
      }
      // All that a real server has answered: its line shows the members that are read.
      if isAnsweredOutside, reading.name == "response.text" {
        value = value?.veiled(as: Text.unknownSecret)
      } else if isAnsweredOutside, MemberPath(reading.name, below: "response.json") != nil {
        value = value?.looked
      }
      happened.readings.append(value)
    }
    happened.decisions.append(Decision(condition: world.words.secrets.conditions[placed], holds: holds))
  }

  mutating func recordTaken(
    _ transition: Transition, since mark: Record.Mark, state: Int, as actor: Actor, refs: [String]
  ) {
    var all = refs
    let decided = mark.decisions..<happened.decisions.count
    for index in decided {
      for ref in happened.decisions[index].condition.refs where !all.contains(ref) { all.append(ref) }
    }
    let machine = machine(of: actor)
    // What stands on a whole service, or in a model of several, says whose it was here, and on which route.
    var service: Int?
    var source = machine.states[state].name
    if case .exchange(let flight) = actor {
      service = self.service(ofExchange: flight)
      if source.isEmpty { source = routeLine(of: flight) ?? source }
    }
    let goto = if case .state(let index) = transition.target { machine.states[index].name } else { nil as String? }
    let taken = TransitionTaken(
      lane: lane(of: actor), source: source, name: transition.name, target: transition.target, goto: goto,
      service: service, id: transition.id, decisions: Stretch(decided),
      values: Stretch(mark.readings..<happened.readings.count))
    record(.transition(taken), refs: all)
  }
}

extension Value {
  /// How many rows it has by key, which are too much to show; `nil` for none, and for what is no table.
  fileprivate var rowCount: Int? {
    guard case .map(let rows) = self, !rows.isEmpty else { return nil }
    return rows.entries.allSatisfy { if case .map = $0.value { true } else { false } } ? rows.count : nil
  }
}

extension Expression.Reading {
  /// As a trace shows it.
  fileprivate func shown(_ value: Value) -> Value { holdsSecrets ? field.shown(value) : value }

  fileprivate var isTable: Bool { if case .map(_, .object) = field.type { true } else { false } }
}

extension Expression {
  /// Whether how many rows a table has may decide what it comes to: it is counted, or gone through.
  fileprivate func counts(_ table: Reading) -> Bool {
    facts.traversed.contains { table.name == $0.joined(separator: ".") }
  }
}
