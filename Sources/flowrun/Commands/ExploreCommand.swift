import Expressions
import FlowEngine
import FlowSpec
import JSONSyntax

/// What `flowrun explore FLOW` does.
enum ExploreCommand {
  @Sendable static func perform(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    try console.tellingFailure(asJSON: invocation.has(.jsonExploration)) { () throws(Failure) in
      try tell(invocation, on: console)
    }
  }

  private static func tell(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    var documents = Documents(named: invocation.operands)
    let most = try most(invocation)
    let loaded = try LoadedFlow(invocation.operands[0], documents: &documents, toBe: .explored)
    let startingPoint = try startingPoint(invocation, of: loaded)
    let exploration = explore(
      loaded.flow, from: startingPoint, unexpected: invocation.has(.unexpected), most: most,
      showing: showsProgress(invocation, on: console))
    // On a terminal no word is cut in two at its edge; elsewhere a sentence is a line.
    let width = console.isTerminal(.out) ? console.width(of: .out) : Int.max
    try console.write(
      invocation.has(.jsonExploration)
        ? json(exploration, most: most) : text(exploration, most: most, width: width, console.renderer(.out)))
    return exploration.weaknesses.isEmpty ? .done : .failed
  }

  /// Where the scenario ends that is asked for; `nil` for the first launch.
  private static func startingPoint(_ invocation: Invocation, of loaded: LoadedFlow) throws(Failure) -> StartingPoint? {
    guard let (scenario, outcome) = try loaded.ended(asked: invocation.value(.scenarioExplored)) else { return nil }
    if let own = loaded.otherThan(scenario) {
      throw Failure(
        .usage, "what is found goes on after a scenario of the flow's own folder only",
        help: "\(own) would be the one that it names")
    }
    return StartingPoint(outcome, lineage: try loaded.lineage(of: scenario))
  }

  /// Ctrl-C ends it where it stands.
  private static func explore(
    _ flow: Flow, from startingPoint: StartingPoint?, unexpected: Bool, most: Int, showing isShown: Bool
  ) -> Exploration {
    Signals.untilInterrupted { isInterrupted in
      var line = ProgressLine(isShown: isShown)
      defer { line.remove() }
      return Exploration.of(flow, from: startingPoint, unexpected: unexpected, most: most) { expanded, waiting in
        guard !isInterrupted() else {
          line.remove()
          return false
        }
        line.show { "\(counted(expanded, "snapshot")) gone on from, \(waiting) waiting, \($0) s" }
        return true
      }
    }
  }

  /// What a machine reads is not mixed with it on a terminal.
  private static func showsProgress(_ invocation: Invocation, on console: Console) -> Bool {
    console.isTerminal(.errors) && !(invocation.has(.jsonExploration) && console.isTerminal(.out))
  }

  private static func most(_ invocation: Invocation) throws(Failure) -> Int {
    guard let text = invocation.value(.most) else { return Exploration.usualMost }
    guard let most = Int(digits: text) else {
      throw Failure(.usage, "--most takes a whole number from 1, digits only, up to \(Int.max), not \"\(text)\"")
    }
    return most
  }

  private static func text(
    _ exploration: Exploration, most: Int, width: Int, _ renderer: DiagnosticRenderer
  ) -> String {
    let findings = exploration.weaknesses
    let firstStop = findings.firstIndex { $0.kind == .stop }
    var text = findings.indices.map { index in
      self.text(findings[index], exploration, width, renderer, helps: index == firstStop) + "\n"
    }.joined()
    text += "\(counted(exploration.snapshots, "snapshot")), \(counted(exploration.moves, "move")), "
    if exploration.isComplete {
      text += "all of them"
    } else {
      text += exploration.isStopped ? "stopped by hand" : "stopped at --most \(most)"
      text += ": \(exploration.snapshots - exploration.expanded) not gone on from"
    }
    text += "; " + (findings.isEmpty ? "no findings" : counted(findings.count, "finding"))
    if !exploration.isComplete { text += " so far" }
    if exploration.lacksGoal, !exploration.isComplete { text += ", and no goal was reached" }
    text += "\n"
    if let variety = exploration.varieties.first {
      text += "  What makes it long: "
      text +=
        variety.ahead == nil
        ? "what differs most among snapshots that wait, and on the way to one\n" : "time alone passes\n"
    }
    for variety in exploration.varieties {
      text += lines(
        "\(variety.place) of \(variety.owner): \(variety.finding); \(variety.advice)", indent: 4, width)
    }
    text += notEntered(exploration, width) + lists(exploration, width) + neverTaken(exploration, width)
    return text + exploration.limits.map { lines($0, indent: 2, width) }.joined()
  }

  /// What is no finding, each under what it is: whether it is meant to be so only its author knows.
  private static func lists(_ exploration: Exploration, _ width: Int) -> String {
    list("No goal and no end can be reached any more, unless the app is killed, from:", exploration.onlyByKill, width) {
      "\"\($0.state ?? "")\", in \(counted($0.snapshots, "snapshot"))"
    }
      + list(
        "Lost where the app is killed there and opened again, with nothing going wrong:", exploration.lostByKill, width
      ) {
        "\"\($0.state ?? "")\", from where it comes to \"\($0.target ?? "")\""
      }
      + list("Left, and there again once the app is killed and opened:", exploration.backAgain, width) {
        let cause = $0.event.map { " by \"\($0)\"" } ?? ""
        return "\"\($0.target ?? "")\", left\(cause) to \"\($0.state ?? "")\""
      }
      + list("Leads to nothing where it comes:", exploration.ignored, width) {
        "\"\($0.event ?? "")\" in \"\($0.state ?? "")\""
      }
  }

  private static func list(
    _ title: String, _ findings: [Finding], _ width: Int, _ words: (Finding) -> String
  ) -> String {
    if findings.isEmpty { return "" }
    return lines(title, indent: 2, width)
      + findings.map { lines(printable(words($0)), indent: 4, width) + ($0.scenario ?? "") }.joined()
  }

  /// Of what was cut short: more looking may enter them.
  private static func notEntered(_ exploration: Exploration, _ width: Int) -> String {
    let names = exploration.notEntered
    if names.isEmpty { return "" }
    return lines("Not entered so far: " + printable(names.joined(separator: ", ")), indent: 2, width)
  }

  /// Of what was cut short the first: there may be many that more looking would take.
  private static func neverTaken(_ exploration: Exploration, _ width: Int) -> String {
    var names = exploration.neverTaken.map(printable)
    if names.isEmpty { return "" }
    if !exploration.isComplete, names.count > mostNotTaken {
      names[mostNotTaken...] = ["and \(counted(names.count - mostNotTaken, "other")), which --json names"]
    }
    let title = exploration.isComplete ? "Never taken by any of these moves:" : "Not taken so far:"
    return ([lines(title, indent: 2, width)] + names.map { lines($0, indent: 4, width) }).joined()
  }

  private static let mostNotTaken = 10

  private static func lines(_ text: String, indent: Int, _ width: Int) -> String {
    wrapped(text, width: width - indent).map { String(repeating: " ", count: indent) + $0 + "\n" }.joined()
  }

  /// What helps against all of a kind is said with the first.
  private static func text(
    _ finding: Finding, _ exploration: Exploration, _ width: Int, _ renderer: DiagnosticRenderer, helps: Bool
  ) -> String {
    var text = lines("\(finding.kind.rawValue): \(printable(sentence(finding, exploration)))", indent: 0, width)
    if helps, let help = finding.help { text += lines("= help: \(help)", indent: 2, width) }
    if let diagnostic = finding.diagnostic { text += "\n" + renderer.text(of: [diagnostic]) }
    guard finding.kind != .neverEntered, !finding.isOfWholeFlow else { return text }
    guard let scenario = finding.scenario else {
      text += "no scenario was found that comes there: the shortest way has \(counted(finding.moves, "move"))\n"
      return text + finding.way.map { lines(printable($0), indent: 4, width) }.joined()
    }
    return text + scenario
  }

  private static func sentence(_ finding: Finding, _ exploration: Exploration) -> String {
    let place = finding.state.map { "in \"\($0)\"" } ?? "with the app not running"
    switch finding.kind {
    case .runError: return "an error while running, \(place)"
    case .noWayToGoal where finding.isOfWholeFlow:
      return exploration.startingPoint.map { "no goal and no end is reached behind \"\($0)\", whatever happens" }
        ?? "no goal and no end is ever reached, whatever happens; run the flow to see how far it comes"
    case .noWayToGoal: return "\(place) no goal and no end can be reached any more" + rest(of: finding)
    case .stop:
      return "the app is left \(place), which is no goal and no rest" + (finding.timer.map { "; \($0)" } ?? "")
    case .onlyByKill: return "\(place) no goal and no end can be reached any more, unless the app is killed"
    case .lostByKill:
      return "killed \(place) and opened again, the app comes to \"\(finding.target ?? "")\", which is no goal"
    case .backAgain:
      let cause = finding.event.map { "where \"\($0)\" leads" } ?? "where a first launch comes to, too"
      return "killed \(place), \(cause), and opened again, the app is in \"\(finding.target ?? "")\" once more"
    case .ignored: return "\"\(finding.event ?? "")\" leads to nothing \(place)"
    case .neverEntered: return "\"\(finding.state ?? "")\" is never entered"
    }
  }

  /// What still comes where no goal does.
  private static func rest(of finding: Finding) -> String {
    let again = finding.state == nil ? ", also when it is opened again" : ""
    var names = finding.statesAhead.filter { $0 != finding.state }.map { "\"\($0)\"" }
    if names.isEmpty { return again }
    if names.count > 5 { names[4...] = ["\(names.count - 4) others"] }
    let last = names.removeLast()
    let all = names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
    return again + "; it comes to no state but " + all
  }

  private static func json(_ exploration: Exploration, most: Int) -> String {
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    if let startingPoint = exploration.startingPoint { writer.member("after", startingPoint) }
    for (name, number) in [
      ("snapshots", exploration.snapshots), ("expanded", exploration.expanded), ("moves", exploration.moves),
      ("most", most),
    ] {
      writer.member(name, number)
    }
    writer.name("unexpected")
    writer.bool(exploration.triedUnexpected)
    writer.name("complete")
    writer.bool(exploration.isComplete)
    writer.name("stoppedByHand")
    writer.bool(exploration.isStopped)
    writer.member("varieties", exploration.varieties) { write($0, to: &$1) }
    writer.member("onlyByKill", exploration.onlyByKill) { write($0, exploration, to: &$1) }
    writer.member("lostByKill", exploration.lostByKill) { write($0, exploration, to: &$1) }
    writer.member("backAgain", exploration.backAgain) { write($0, exploration, to: &$1) }
    writer.member("ignored", exploration.ignored) { write($0, exploration, to: &$1) }
    writer.member("notEntered", exploration.notEntered) { $1.string($0) }
    writer.member("neverTaken", exploration.neverTaken) { $1.string($0) }
    writer.member("limits", exploration.limits) { $1.string($0) }
    writer.member("findings", exploration.weaknesses) { write($0, exploration, to: &$1) }
    writer.endObject()
    return writer.text + "\n"
  }

  private static func write(_ variety: Variety, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("of", variety.owner)
    writer.member("key", variety.place)
    writer.member("advice", variety.advice)
    writer.member("values", variety.values)
    writer.endObject()
  }

  private static func write(_ finding: Finding, _ exploration: Exploration, to writer: inout JSONWriter) {
    writer.beginObject()
    let texts = [
      ("kind", finding.kind.rawValue), ("message", finding.diagnostic?.message ?? sentence(finding, exploration)),
      ("state", finding.state), ("target", finding.target), ("event", finding.event),
      ("code", finding.diagnostic?.code), ("scenario", finding.scenario),
    ]
    for (name, text) in texts { if let text { writer.member(name, text) } }
    if let site = finding.diagnostic?.labels.first?.site {
      let (line, column) = DiagnosticRenderer.position(of: site)
      writer.member("file", site.document.path)
      writer.member("line", line)
      writer.member("column", column)
    }
    if let help = finding.diagnostic?.help ?? finding.help { writer.member("help", help) }
    if finding.snapshots > 0 || finding.kind == .neverEntered { writer.member("snapshots", finding.snapshots) }
    writer.member("moves", finding.moves)
    if !finding.way.isEmpty { writer.member("way", finding.way) { $1.string($0) } }
    writer.endObject()
  }
}

extension Finding {
  /// What an author does about it, where the kind alone tells.
  fileprivate var help: String? {
    switch kind {
    case .stop:
      "mark the state \"rest\": true if the person may leave the app there; if not, let it lead on at once, for an app "
        + "may be left wherever it waits"
    case .noWayToGoal where !isOfWholeFlow:
      "let it lead on, as by an event or a timer; where the flow is meant to be over there, let the state be an \"end\""
    default: nil
    }
  }
}
