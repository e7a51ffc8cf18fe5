/// A command, as data: `flowrun NAME …`.
struct Command: Sendable {
  let name: String
  /// What follows the name, in the words of the usage line.
  let operands: String
  /// How many operands it takes.
  let count: ClosedRange<Int>
  let summary: String
  /// More about it, for its own help.
  let details: String
  let options: [Option]
  /// Command lines and what they do.
  let examples: [(line: String, meaning: String)]
  let perform: @Sendable (Invocation, Console) throws(Failure) -> ExitCode

  /// In lines that leave room for a word before the first.
  var usage: String {
    let options = options.map { "[\($0.usage)]" }
    var lines = [""]
    for word in ["flowrun", name, operands] + options where !word.isEmpty {
      let line = lines.removeLast()
      let isFull = line.count + word.count > 90
      lines += isFull ? [line, "  \(word)"] : [line.isEmpty ? word : "\(line) \(word)"]
    }
    return lines.joined(separator: "\n")
  }
}

extension Command {
  /// Every command, in the order in which help lists them.
  static let all = [run, test, check, explore, draw, bench, help]

  /// What is meant by what other tools call their commands.
  static let foreign = [
    "accept": "test --accept", "record": "test --accept", "coverage": "test", "lint": "check", "validate": "check",
    "verify": "check", "play": "run --interactive", "interactive": "run --interactive", "simulate": "run",
    "start": "run", "trace": "run", "timeline": "run", "diagram": "draw", "graph": "draw", "render": "draw",
    "benchmark": "bench", "version": "--version",
  ]

  /// The one that a command line without a command's name means.
  static let usual = run

  static let run = Command(
    name: "run", operands: "FLOW", count: 1...1,
    summary: "run a flow, in its simulated world or against real services, and tell what happened",
    details: """
      Without --scenario this runs the scenario "default" of the flow's folder, or, where there is none, lets an
      automatic person do the first thing that is offered. "flowrun FLOW" means the same.

      With --store the next run begins with the store that this one leaves, as an app does that is launched again.
      "default" tells of a first launch: from the second run on the person is automatic, unless a scenario is named.
      Simulated servers and the clock begin anew. A scenario whose "given" says what is stored is refused once the
      file is there. The file is its owner's alone: it holds secrets.

      With --live services are real: the run lives in real time, what it tells appears as it happens, pages of
      live services open in the system's browser. With --answer or --answers the person does these things, in
      order, each as soon as it is offered; what is not given of the fields has its example, and is null in a live
      run. With --answer simulated pages and mails are dealt with as they come; with --answers nothing is done with
      them that is not among the answers. When the answers are used up the run ends at the next goal, or when no
      answer is awaited any more.

      With --config and --config-file the flow's config has other values; the former overrules the latter. Secrets
      belong in a file, since other programs can read a command line: one for its owner alone, or a pipe.

      With --interactive a person at the terminal is asked at each wait: what is offered, with its fields, or that
      nothing happens, the network goes, a request fails, the app is killed and opened again. Questions stand on
      standard error. With --scenario they go on where that scenario ends. With --save what is done is a scenario
      at the end, for "flowrun test" and for others to run; what is typed as a secret is not in it.
      """,
    options: [
      .scenario, .store, .live, .config, .configFile, .answer, .answers, .interactive, .save, .json, .trace,
      .showSecrets,
    ] + Option.ofLiveRuns,
    examples: [
      ("flowrun flows/teos-device.json", "tell what happens on a first launch"),
      ("flowrun flows/teos-device.json --scenario refresh-lost", "the same flow when an answer is lost"),
      ("flowrun flows/teos-device.json --answer user.createsAsset", "the person does this and no more"),
      ("flowrun flows/teos-device.json --interactive", "play it by hand"),
      ("flowrun flows/teos-device.json --interactive --save odd.json", "and save that as a scenario"),
      ("flowrun flows/clueride.json --live auth0=https://id.example", "with a server of one's own"),
      ("flowrun flows/teos-device.json --store wallet.store", "go on with what the last run stored"),
    ],
    perform: RunCommand.perform)

  static let test = Command(
    name: "test", operands: "[PATH…]", count: 0...Int.max,
    summary: "run every scenario and hold its trace against the golden one",
    details: """
      A PATH is a folder, a flow or a scenario; "flows" when there is none. The golden trace of
      flows/f/situation.json is flows/f/situation.trace.jsonl. A flow without scenarios runs automatically, as
      "default". Of a flow that is tested whole it says what no golden reaches: refs of its source, states,
      transitions, replies of the models; routes of a shared model that the flow asks nothing of are for others,
      and where a folder with all flows of a model is tested, what none of them asks for is told with the first.
      Where the variable CI is set, to anything but "false" or "0", nothing is accepted.

      In --json each of "flows" has flow, scenarios (how many there are, those that cannot be read included; 1
      for the run of a flow without any), passed (how many of these), failed (a list: scenario, path, how,
      message, details) and uncovered (null where the flow has errors or was not tested whole). "scenario" is
      null for what is told of the flow itself, such as that one run; "how" is missing (no golden), changed
      (another trace than the golden), failed (the run, or a file), invalid (a document has errors) or orphan
      (a golden without its scenario). Also among failed, and not counted, is what is wrong beside the
      scenarios: an orphan, another document that cannot be read, what stopped the test.
      """,
    options: [.accept, .jsonResults, .junit],
    examples: [
      ("flowrun test", "all of \"flows\""),
      ("flowrun test flows/teos-device.json --accept", "take the traces of one flow as they are now"),
    ],
    perform: TestCommand.perform)

  static let check = Command(
    name: "check", operands: "[PATH…]", count: 0...Int.max,
    summary: "find what is wrong in flows, services and scenarios without running them",
    details: """
      A PATH is a folder or a document; "flows" when there is none. In --json lines and columns count from 1,
      columns in characters as people see them: an é is one, however many bytes or code points it has. Each finding
      has code, severity (error, warning or remark), file, line, column, endLine, endColumn, message and help.
      Behind something that is hidden in its line a finding has the place where that begins, since how long it is
      would be told otherwise, and ends with that line.
      """,
    options: [.strict, .jsonFindings],
    examples: [
      ("flowrun check", "all of \"flows\""),
      ("flowrun check flows/teos-device.json --json", "one flow with its scenarios, for an editor"),
      ("flowrun check --strict", "all of \"flows\", for a CI server that lets no warning pass"),
    ],
    perform: CheckCommand.perform)

  static let explore = Command(
    name: "explore", operands: "FLOW", count: 1...1,
    summary: "try everything that can happen, and find where the app gets stuck",
    details: """
      From the first launch, or where a scenario ends, every move in every snapshot that can be reached, breadth
      first: replies, lost and late answers, what the person and the network can do, a kill at every durable
      write, time that passes. It finds snapshots from which no goal and no end can be reached any more, errors of
      a run, stops outside goal and rest, and states that are never entered, each but the last with a scenario
      that "flowrun run" replays, where one can say it. It also lists, and counts as no findings, where the app
      has to be killed before a goal can be reached again, goals that a kill and a new launch lose or bring back,
      events that lead to nothing where they come, which transitions were never taken and, where it comes to its
      end, which replies.
      Ctrl-C ends it where it stands, and what was found so far is told. Where it is cut short, by that or by
      --most, the automatic run is made too, and told where it ends with an error, unless it only goes on for ever.

      With --scenario settings, device and what is stored are those in which that scenario ends; its faults do not
      go on. What lies before is not looked for: no state is told as never entered, no transition as never taken.

      With --unexpected what the app awaits from a service may be another answer than its model's, too: 200 or 503
      with a page, 204, 200 with null, and each answer of the model with one header left out or with another
      text, or one member of its JSON left out or of another type, or a number as text, below zero or far too
      large; of what is no GET also where the model has acted. The app's links and redirect URIs come with
      nothing in their query, too, as anybody may send them.

      In --json there are snapshots, expanded, moves, most, unexpected, complete, stoppedByHand, varieties,
      onlyByKill, lostByKill, backAgain, ignored, notEntered, neverTaken, limits and findings, and with --scenario
      "after", its name; a finding has kind, message and moves, and where there is one, snapshots, state, target,
      event, code, scenario (the text of a file) or way (its moves), file, line, column and help. Where nothing
      can be explored, there are error, help and diagnostics instead.
      """,
    options: [.scenarioExplored, .unexpected, .most, .jsonExploration],
    examples: [
      ("flowrun explore flows/teos-device.json", "all of a flow, up to the usual bound"),
      ("flowrun explore flows/teos-device.json --scenario refresh-lost", "what can come once that has happened"),
      ("flowrun explore flows/teos-device.json --unexpected", "with answers that no model gives"),
      ("flowrun explore flows/teos-device.json --most 5000000 --json", "further, for a machine"),
    ],
    perform: ExploreCommand.perform)

  static let draw = Command(
    name: "draw", operands: "FLOW|TRACE", count: 1...1,
    summary: "draw a flow's states, or the sequence of messages of a run",
    details: """
      What is written is a Mermaid diagram, which GitHub, GitLab and many wikis show. With --as sequence the
      scenario is run as "flowrun run" does it, and its trace is drawn; a TRACE file (.jsonl) is drawn as it is;
      of a live run what takes less than a second is no note.
      """,
    options: [.asDiagram, .scenarioDrawn, .format],
    examples: [
      ("flowrun draw flows/teos-device.json", "states, events and guards"),
      ("flowrun draw flows/teos-device.json --as sequence --scenario refresh-lost", "who tells whom what"),
    ],
    perform: DrawCommand.perform)

  static let bench = Command(
    name: "bench", operands: "FLOW", count: 1...1,
    summary: "measure how fast a flow is loaded, run and explored",
    details: """
      Each figure is the median of five rounds in one process. A run is automatic, from the start to its end; a
      trace is encoded as JSON Lines and thrown away. Exploration stops at 300000 snapshots; those count whose moves
      were all tried. Times say something only of a release build, beside others from the same machine.
      """,
    options: [.jsonFigures],
    examples: [("flowrun bench flows/teos-device.json --json", "the figures of one flow, for a machine")],
    perform: BenchCommand.perform)

  static let help = Command(
    name: "help", operands: "[COMMAND]", count: 0...1,
    summary: "say how a command is used",
    details: "", options: [],
    examples: [("flowrun help test", "what \"flowrun test\" does")],
    perform: HelpCommand.perform)

  /// `nil` when there is none of this name.
  static func named(_ name: String) -> Command? { all.first { $0.name == name } }
}
