

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
