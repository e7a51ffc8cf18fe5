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
  let json: [UInt8]
  let before: Range<Int>
  let behind: Range<Int>

  /// `where` is the state or route that the transition stands on; without `goto`, `end` and `reply` it stays there.
  init(lane: Happening.Lane, source: String, name: String?, target: Target, service: Int? = nil, id: Int) {
    self.lane = lane
    self.source = source
    self.name = name
    self.target = target
    self.service = service
    self.id = id
    var end = 1
    json = JSONWriter.behind { line in
      line.member("where", source.isEmpty ? nil : source)
      line.member("name", name)
      end = line.count
      switch target {
      case .stay: break
      case .state(let name): line.member("goto", name)
      case .end(let name): line.member("end", name)
      case .reply: line.flag("reply", true)
      }
    }
    // There is nothing where it says nothing.
    (before, behind) = json.isEmpty ? (0..<0, 0..<0) : (0..<(end > 1 ? end : 0), (end > 1 ? end : 0)..<json.count)
  }
}

/// What a trace says of a line of a guard each time that it decides.
package final class ConditionWords: Sendable {
  struct Reading: Sendable {
    let name: String
    /// What a guard reads of traffic under a secret name, `response.json.pin`, is secret by that name.
    let secret: String?
    /// Where its name stands in `json`.
    let opening: Range<Int>
  }
  package let line: String
  /// Refs of the lets that it uses.
  let refs: [String]
  let readings: [Reading]
  /// What stands before whether it holds, then the names of its readings, each behind a comma.
  let json: [UInt8]
  let opening: Range<Int>

  init(line: String, refs: [String] = [], readings: [String], hidden: SecretMembers.Names = SecretMembers.Names()) {
    self.line = line
    self.refs = refs
    var named: [Reading] = []
    named.reserveCapacity(readings.count)
    var end = 0
    json = JSONWriter.behind(room: 256) { writer in
      writer.beginObject()
      writer.member("when", line)
      writer.name("holds")
      end = writer.count
      for name in readings {
        let start = writer.count
        writer.furtherName(name)
        named.append(Reading(name: name, secret: hidden.name(inReading: name), opening: start + 1..<writer.count))
      }
    }
    opening = 1..<end
    self.readings = named
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
  /// The beginning of a change of it, up to the value that stood there.
  let opening: [UInt8]
  /// Of a change of one of its rows, up to the row's name.
  let rowOpening: [UInt8]

  init(_ name: String, fields: [String] = []) {
    self.name = name
    self.fields = fields
    var end = 0
    let first = JSONWriter.behind { writer in
      writer.beginObject()
      writer.member("path", name)
      end = writer.count - 1
      writer.name("old")
    }
    opening = Array(first.dropFirst())
    var rows: [UInt8] = []
    if !fields.isEmpty {
      rows = Array(opening[..<end])
      // The bracket stands before the end of the string.
      rows[end - 1] = UInt8(ascii: "[")
    }
    rowOpening = rows
  }

  convenience init(_ key: Key) {
    var fields: [String] = []
    if case .table(let row) = key.shape { fields = row.fields.map(\.name) }
    self.init(key.name, fields: fields)
  }
}
