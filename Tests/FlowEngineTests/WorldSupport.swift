import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// A small flow for one sentence of the design: the members that matter, the rest is filled in.
///
/// Participants are `user`, `app`, `browser`, `inbox`, `device`, and a service for each model, at `https://<name>.example`.
struct Sketch {
  /// The members of the flow behind `participants`: `"start": …, "states": …`.
  var flow: String
  /// The members of service documents behind `service`, by participant.
  var services: KeyValuePairs<String, String> = [:]
  /// More members of the participant of that name, with a comma in front.
  var participants: [String: String] = [:]
  /// The scenarios that `given.after` may name.
  var scenarios: [String: String] = [:]

  /// Whether a secret in a URL is refused.
  var refusesSecretsInURLs = false

  /// A sketch shows one thing: judgements on flows as wholes are overruled.
  private var despite: String {
    var codes = [
      "unreachable-state", "no-way-to-goal", "no-way-out", "unanswered-request", "status-without-failure",
      "loop-without-wait",
    ]
    if !refusesSecretsInURLs { codes.append("secret-in-url") }
    return "\"despite\": {" + codes.map { "\"\($0)\": \"a sketch\"" }.joined(separator: ", ") + "}"
  }

  fileprivate var documents: [String: String] {
    let kinds = [
      ("user", "person"), ("app", "app"), ("browser", "browser"), ("inbox", "inbox"), ("device", "device"),
    ]
    var lanes = kinds.map { "\"\($0.0)\": {\"kind\": \"\($0.1)\"\(participants[$0.0] ?? "")}" }
    var all: [String: String] = [:]
    for (name, members) in services {
      let url = participants[name]?.contains("\"url\"") == true ? "" : ", \"url\": \"https://\(name).example\""
      let model = "\"kind\": \"service\"\(url), \"model\": \"\(name).json\"\(participants[name] ?? "")"
      lanes.append("\"\(name)\": {\(model)}")
      all["\(name).json"] = "{\"service\": \"\(name)\", \(despite), \(members)}"
    }
    let head = "\"flow\": \"t\", \(despite), \"participants\": {\(lanes.joined(separator: ",\n"))}"
    all["flow.json"] = "{\(head),\n\(flow)}"
    for (name, members) in scenarios {
      let separator = members.isEmpty ? "" : ", "
      all["\(name).scenario"] = "{\"scenario\": \"\(name)\"\(separator)\(members)}"
    }
    return all
  }
}

/// What the loader found in a sketch that was to be a good one.
struct NotLoaded: Error, CustomStringConvertible {
  let diagnostics: [Diagnostic]
  var description: String { "\n" + DiagnosticRenderer().text(of: diagnostics.filter { $0.severity == .error }) }
}

/// Documents in memory.
struct Shelf: DocumentReader {
  var documents: [String: String]
  mutating func read(_ path: String) -> [UInt8]? { documents[path].map { Array($0.utf8) } }
}

extension Sketch {
  /// The checked flow, or the rendered diagnostics as a failure of the test.
  func load() throws -> Flow {
    var shelf = Shelf(documents: documents)
    return try value(Loading.flow(at: "flow.json", reader: &shelf))
  }

  /// A scenario of these members behind `scenario`.
  func scenario(_ members: String, named name: String = "test", for flow: Flow) throws -> Scenario {
    var copy = self
    copy.scenarios[name] = members
    var shelf = Shelf(documents: copy.documents)
    return try value(Loading.scenario(at: "\(name).scenario", for: flow, reader: &shelf))
  }

  private func value<Loaded>(_ checked: Checked<Loaded>) throws -> Loaded {
    guard let value = checked.value else { throw NotLoaded(diagnostics: checked.diagnostics) }
    return value
  }

  /// Runs the flow as the members of a scenario say; without any the person is automatic.
  func run(_ members: String? = nil) throws -> RunOutcome {
    let flow = try load()
    let chosen = try members.map { try scenario($0, for: flow) }
    var others: [String: Scenario] = [:]
    for (name, text) in scenarios { others[name] = try self.scenario(text, named: name, for: flow) }
    return Running.run(flow, scenario: chosen) { others[$0] }
  }
}

extension World {
  /// What could happen now if answers came in any order, and people and time came between them: more than any run tries;
  /// what nobody waits for any more alone, as long as there is any.
  func inAnyOrder(in snapshot: Snapshot) -> [Choice] {
    if let orphan = indexOfSentOrphan(in: snapshot) { return deliveries(of: snapshot.flights[orphan], in: snapshot) }
    var all = snapshot.flights.filter(\.isSent).flatMap { deliveries(of: $0, in: snapshot) }
    all += performances(in: snapshot) + personChoices(in: snapshot)
    if nextDue(in: snapshot) != nil { all.append(.tick(timers: true)) }
    if snapshot.browser.tab != nil { all.append(.closeBrowser) }
    return all + [snapshot.device.online ? .offline : .online, snapshot.app.isRunning ? .kill : .launch]
  }

  private func deliveries(of flight: Flight, in snapshot: Snapshot) -> [Choice] {
    let number = flight.number
    if flight.isCutOff(by: snapshot.device) { return [.unreachable(flight: number)] }
    // Whether a reply comes that stands behind a wait of the service, nobody can promise.
    let sometimes = SometimesNames(flow).names(of: flight).filter { name in
      let outcome = take(.deliver(flight: number, reply: name, .arrives), in: snapshot, recording: false)
      return outcome.failure == nil && !outcome.snapshot.exchanges.contains { $0.wanted == name }
    }
    return ([nil] + sometimes).map { .deliver(flight: number, reply: $0, .arrives) }
      + [.unreachable(flight: number), .deliver(flight: number, reply: nil, .lost)]
  }
}

/// Runs a sketch and compares what happened with the expected lines; a run that does not succeed ends with the line
/// `problem <code>` for each problem, and the place it points at.
func checkStory(
  _ sketch: Sketch, _ scenario: String? = nil, expects expected: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let outcome = try sketch.run(scenario)
  let story = Story(try sketch.load()).lines(of: outcome)
  let wanted = expected.split(separator: "\n").map(String.init)
  #expect(
    story == wanted, "\n\(story.joined(separator: "\n"))\n— instead of —\n\(expected)", sourceLocation: sourceLocation)
}

/// Runs a sketch and checks that these lines happen in this order, and of the problems no others; `masking` shows secrets
/// by name.
///
/// Whatever else may happen beside them, but for lines that begin with the words of one of `never`.
func checkStory(
  _ sketch: Sketch, _ scenario: String? = nil, has expected: String, never: [String] = [], masking: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let outcome = try sketch.run(scenario)
  let story = Story(try sketch.load(), masking: masking).lines(of: outcome)
  let wanted = expected.split(separator: "\n").map(String.init)
  var rest = story[...]
  for line in wanted {
    let index = rest.firstIndex(of: line)
    #expect(
      index != nil, "\"\(line)\" is missing in\n\(story.joined(separator: "\n"))", sourceLocation: sourceLocation)
    if let index { rest = rest[(index + 1)...] }
  }
  let unwanted = story.filter { line in
    line.hasPrefix("problem ") && !wanted.contains(line) || never.contains { "\(line) ".hasPrefix("\($0) ") }
  }
  #expect(unwanted == [], "of\n\(story.joined(separator: "\n"))", sourceLocation: sourceLocation)
}

/// Runs a sketch that comes to exactly one problem, of this code, at a place that begins like this.
func checkProblem(
  _ sketch: Sketch, _ scenario: String? = nil, is code: String, at place: String, says words: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let outcome = try sketch.run(scenario)
  let problems = Story(try sketch.load()).problems(of: outcome)
  #expect(problems == ["problem \(code) at \(place)"], sourceLocation: sourceLocation)
  let told = outcome.problems.map { "\($0.message); \($0.help ?? "")" }.joined()
  #expect(words.isEmpty || told.contains(words), "\(told)", sourceLocation: sourceLocation)
}
