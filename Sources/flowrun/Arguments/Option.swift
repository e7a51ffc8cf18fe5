/// An option of the command line, as data: parsing, help and nearest names come from it.
struct Option: Sendable {
  /// With its dashes: `--scenario`.
  let name: String
  /// What its value is called in help; `nil` for a switch.
  let value: String?
  let summary: String
  /// Whether it may be given several times; the order counts.
  let isRepeatable: Bool

  init(_ name: String, _ value: String? = nil, _ summary: String, isRepeatable: Bool = false) {
    (self.name, self.value, self.summary, self.isRepeatable) = (name, value, summary, isRepeatable)
  }

  /// As it is written, with the name of its value.
  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

extension Option {
  static let scenario = Option("--scenario", "NAME|FILE", "the situation to run; \"default\" when there is one")
  static let json = Option("--json", nil, "print the trace as JSON Lines instead of the timeline")
  static let trace = Option("--trace", "FILE", "write the trace to a file as well")
  static let store = Option("--store", "FILE", "keep the app's store in a file, and begin with what is there")
  static let showSecrets = Option("--show-secrets", nil, "show secrets of a simulated run; on a terminal only")
  static let accept = Option("--accept", nil, "make these traces the golden ones, and list what changed")
  static let jsonResults = Option("--json", nil, "print one JSON object: what passed, what failed, what is not covered")
  static let junit = Option("--junit", "FILE", "write the results to a file as CI servers read them")
  static let most = Option("--most", "N", "stop when there are so many snapshots; 1000000 unless given")
  static let scenarioExplored = Option(
    "--scenario", "NAME|FILE", "begin where this scenario ends; otherwise at the first launch")
  static let unexpected = Option(
    "--unexpected", nil, "give the app answers, too, that no model gives")
  static let jsonExploration = Option(
    "--json", nil, "print one JSON object: counts and findings, or why there are none")
  static let jsonFigures = Option(
    "--json", nil, "print one JSON object: a number for each figure, or why there are none")
  static let strict = Option("--strict", nil, "end with 65 for a warning, too; remarks do not count")
  static let jsonFindings = Option("--json", nil, "print what was found as a JSON array, for editors")

  static let asDiagram = Option(
    "--as", "DIAGRAM", "states (the flow's states; usual) or sequence (who tells whom what in a run)")
  static let scenarioDrawn = Option(
    "--scenario", "NAME|FILE", "the situation whose run is drawn; \"default\" when there is one")
  static let format = Option("--format", "FORMAT", "mermaid, the only one so far")

  static let color = Option("--color", "WHEN", "auto, always or never; auto heeds NO_COLOR")
  static let help = Option("--help", nil, "say how it is used")
  static let version = Option("--version", nil, "say which version this is")
  /// Those that every command takes.
  static let everywhere = [color, help, version]
  /// What is meant by what other tools call their options.
  static let foreign = [
    "--update": "--accept", "--record": "--accept", "--bless": "--accept", "--max": "--most", "--limit": "--most",
    "--reporter": "--junit",
  ]
}

extension Int {
  /// A whole number from 1, in digits alone; `nil` for anything else.
  init?(digits: some StringProtocol) {
    guard digits.first != "+", let number = Int(digits), number > 0 else { return nil }
    self = number
  }
}

/// The options of a run that is not the flow's simulated world alone, or not led by its scenario.
extension Option {
  static let live = Option(
    "--live", "NAME[=URL]", "let this service be real, at the flow's url or at another", isRepeatable: true)
  static let config = Option(
    "--config", "NAME=VALUE", "a value in place of one of the flow's config", isRepeatable: true)
  static let configFile = Option(
    "--config-file", "FILE", "config values as a JSON object, for secrets: not on the command line")
  static let answer = Option(
    "--answer", "EVENT[={…}]", "what the person does next, with fields as a JSON object", isRepeatable: true)
  static let answers = Option("--answers", "FILE", "what the person does, as in a scenario's script")
  static let interactive = Option("--interactive", nil, "ask at the terminal what happens next")
  static let save = Option("--save", "FILE", "save what is done by hand as a scenario, in a new file")
  static let certificateAuthority = Option(
    "--ca", "FILE", "trust the certificate authorities of this PEM file, not the system's")
  static let mostBody = Option("--max-body", "BYTES", "the largest body to accept; 8MiB unless given")
  static let connectTimeout = Option("--connect-timeout", "DURATION", "how long connecting may take; 10s unless given")
  static let browser = Option("--browser", "COMMAND", "open pages with this command, not with the system's browser")
  static let browserWait = Option(
    "--browser-wait", "DURATION", "after so long a page counts as closed; 5m unless given")

  /// Those that say something about live services only.
  static let ofLiveRuns = [certificateAuthority, mostBody, connectTimeout, browser, browserWait]
}
