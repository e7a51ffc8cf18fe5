import FlowSpec
import JSONSyntax
import Testing

@testable import Expressions
@testable import FlowEngine

/// A person, an app, a server and a browser, and what may happen between them, made by hand.
enum Sample {
  static let person = 0
  static let app = 1
  static let server = 2
  static let browser = 3

  static let header = TraceHeader(
    flow: "sample", title: "A sample", scenario: "first", started: "2026-01-01T09:00:00Z",
    participants: [
      .init(name: "user", title: "User", kind: "person"), .init(name: "app", title: "App", kind: "app"),
      .init(name: "server", title: "Server", kind: "service"),
      .init(name: "browser", title: "Browser", kind: "browser"),
    ])

  static func instant(_ milliseconds: Int64) -> Timestamp {
    let start = Timestamp(seconds: 1_767_258_000)
    let instant = start.flatMap { $0.advanced(by: .milliseconds(milliseconds)) }
    guard let instant else { preconditionFailure("The sample's clock stays within CEL's years.") }
    return instant
  }

  static func happening(_ fact: Happening.Fact, at milliseconds: Int64 = 0, refs: [String] = []) -> Happening {
    Happening(at: instant(milliseconds), refs: refs, fact: fact)
  }

  static func bytes(_ happenings: [Happening], display: AliasTable.Display = .aliases) -> [UInt8] {
    let words = TraceWords(
      header: header, titles: ["user.begins": "The person begins", "sign": "sign with the key"], screenTitles: [:],
      secrets: SecretMembers())
    var writer = TraceWriter(
      words, scenario: header.scenario, situation: nil, start: instant(0),
      bases: [Text("https://server.example")], display: display)
    for happening in happenings { writer.write(happening) }
    return writer.taken()
  }

  /// The lines behind the header.
  static func lines(_ happenings: [Happening], display: AliasTable.Display = .aliases) -> [String] {
    let text = String(decoding: bytes(happenings, display: display), as: UTF8.self)
    return text.split(separator: "\n").dropFirst().map { String($0) }
  }

  static func secret(_ text: String, _ name: String = "token") -> Text { Text(text).marked(secret: name) }

  static func named(_ name: String, _ value: Value) -> NamedValue { NamedValue(name: name, value: value) }

  static func request(
    _ path: [Text] = [Text("token")], number: Int = 1, attempt: Int = 1,
    _ change: (inout Request.Parts) -> Void = { _ in }
  ) -> Happening.Fact {
    var parts = Request.Parts(method: "POST", service: 0, path: path)
    change(&parts)
    return .request(RequestSent(from: app, to: server, number: number, attempt: attempt, request: Request(parts)))
  }

  static func answer(
    _ status: Int = 200, reply: String? = "issued", fate: AnswerArrived.Fate = .taken, reason: String? = nil,
    _ change: (inout Response.Parts) -> Void = { _ in }
  ) -> Happening.Fact {
    var parts = Response.Parts(status: status)
    change(&parts)
    var arrived = AnswerArrived(
      from: server, to: app, number: 1, answer: .response(Response(parts)), fate: fate, reply: reply)
    arrived.reason = reason
    return .answer(arrived)
  }

  static func lost(reason: String?) -> Happening.Fact {
    .answer(
      AnswerArrived(from: server, to: app, number: 1, answer: .failure(.lost, reason: reason), fate: .taken, reply: nil)
    )
  }

  static func state(_ name: String, title: String? = nil, isGoal: Bool = false) -> Happening.Fact {
    .state(StateEntered(lane: app, name: name, title: title, isGoal: isGoal))
  }

  static func transition(
    _ name: String?, from source: String = "refreshing", to target: String = "ready", reading: Value = .int(200)
  ) -> Happening.Fact {
    let condition = ShownCondition("response.status == 200", readings: [("response.status", nil)])
    let decision = Decision(condition: condition, holds: true)
    return .transition(
      TransitionTaken(
        lane: app, source: source, name: name, target: .state(0), goto: target, id: 0, decisions: [decision],
        values: [reading]))
  }

  static func ended(_ how: Ended.How = .goal(state: "ready")) -> Happening.Fact { .ended(Ended(lane: app, how: how)) }
}

extension AliasTable {
  mutating func shown(_ text: Text) -> String { written { table, line in table.write(text, to: &line) } }

  mutating func shownInURL(_ text: Text) -> String {
    written { table, line in
      line.raw("\"")
      table.writePart(text, in: .query, to: &line)
      line.raw("\"")
    }
  }

  private mutating func written(_ write: (inout AliasTable, inout JSONLine) -> Void) -> String {
    var lines = JSONLines()
    lines.add(1) { _, line in write(&self, &line) }
    guard let node = try? JSONParser.parse(lines.taken(), as: .body), case .string(let text) = node.kind else {
      return ""
    }
    return text
  }
}

extension Request.Parts {
  /// The body as a form.
  var form: [NamedValue] {
    get { if case .form(let fields)? = body { fields } else { [] } }
    set { body = .form(newValue) }
  }
}
