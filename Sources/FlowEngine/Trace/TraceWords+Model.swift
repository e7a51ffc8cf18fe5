import Expressions
import FlowSpec
import JSONSyntax

/// What a trace says of a state each time that it is entered.
package final class StateWords: Sendable {
  package let lane: Happening.Lane
  package let name: String
  package let title: String?
  /// The sub-flow it belongs to, `nil` for the flow itself.
  package let subflow: String?
  package let isGoal: Bool
  let members: [UInt8]

  init(lane: Happening.Lane, name: String, title: String?, subflow: String? = nil, isGoal: Bool) {
    self.lane = lane
    self.name = name
    self.title = title
    self.subflow = subflow
    self.isGoal = isGoal
    members = JSONWriter.behind { line in
      line.member("state", name)
      line.member("title", title)
      line.member("flow", subflow)
      line.flag("goal", isGoal)
    }
  }
}

/// What a trace says of a transition each time that it is taken.
package final class TransitionWords: Sendable {
  package enum Target: Sendable {
    case stay
    case state(String)
    case end(String)
    case reply
  }
  package let lane: Happening.Lane
  /// The state (or route) it stands on.
  package let source: String
  package let name: String?
  package let target: Target
  /// For coverage: machine (`nil` the app, else an index into `Flow.services`) and `Transition.id`.
  package let service: Int?
  package let id: Int
  /// What stands before its decisions, and behind them.
  let before: [UInt8]
  let behind: [UInt8]

  /// `where` is the state or route that the transition stands on; without `goto`, `end` and `reply` it stays there.
  init(lane: Happening.Lane, source: String, name: String?, target: Target, service: Int? = nil, id: Int) {
    self.lane = lane
    self.source = source
    self.name = name
    self.target = target
    self.service = service
    self.id = id
    before = JSONWriter.behind { line in
      line.member("where", source.isEmpty ? nil : source)
      line.member("name", name)
    }
    behind = JSONWriter.behind { line in
      switch target {
      case .stay: break
      case .state(let name): line.member("goto", name)
      case .end(let name): line.member("end", name)
      case .reply: line.flag("reply", true)
      }
    }
  }
}

/// What a trace says of a line of a guard each time that it decides.
package final class ConditionWords: Sendable {
  struct Reading: Sendable {
    let name: String
    /// What a guard reads of traffic under a secret name, `response.json.pin`, is secret by that name.
    let secret: String?
    /// Before its value; behind another it has a comma.
    let opening: [UInt8]
  }
  package let line: String
  /// Refs of the lets that it uses.
  let refs: [String]
  let readings: [Reading]
  /// What stands before whether it holds.
  let opening: [UInt8]

  init(line: String, refs: [String] = [], readings: [String], hidden: SecretMembers.Names = SecretMembers.Names()) {
    self.line = line
    self.refs = refs
    self.readings = readings.map { name in
      Reading(name: name, secret: hidden.name(inReading: name), opening: JSONWriter.behind { $0.name(name) })
    }
    opening = JSONWriter.behind { writer in
      writer.beginObject()
      writer.member("when", line)
      writer.name("holds")
    }
  }

  convenience init(_ placed: PlacedExpression, hidden: SecretMembers.Names) {
    self.init(
      line: placed.expression.source, refs: placed.refs, readings: placed.expression.readings.map(\.name),
      hidden: hidden)
  }
}

/// What a trace says of a key each time that it changes.
package final class KeyWords: Sendable {
  let name: String
  /// Of a row, where it is a table.
  let fields: [String]
  /// The beginning of a change of it, up to the value that stood there; behind another it has a comma.
  let opening: [UInt8]
  /// Of a change of one of its rows, up to the row's name.
  let rowOpening: [UInt8]

  init(_ name: String, fields: [String] = []) {
    self.name = name
    self.fields = fields
    let path = JSONWriter.behind { writer in
      writer.beginObject()
      writer.member("path", name)
    }
    opening = path + Array(",\"old\":".utf8)
    rowOpening = path.dropLast() + Array("[".utf8)
  }

  convenience init(_ key: Key) {
    var fields: [String] = []
    if case .table(let row) = key.shape { fields = row.fields.map(\.name) }
    self.init(key.name, fields: fields)
  }
}
