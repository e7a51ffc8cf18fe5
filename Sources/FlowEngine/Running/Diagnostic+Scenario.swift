import Expressions
import FlowSpec

/// What can go wrong between a scenario and the run that it describes, in words.
extension Diagnostic {
  /// `links` are those of the mail that it opens, `nil` where that is not there.
  package static func notOffered(
    _ step: Scenario.Step, in flow: Flow, choices: [String], links: [String]?, isRunning: Bool = true,
    timer: String? = nil
  ) -> Diagnostic {
    if case .openMail(let mail, _, let link?) = step.kind, let links, !links.contains(link) {
      let help = choice(for: link, among: links) ?? "it has none: leave \"link\" out"
      return Diagnostic(
        "step-not-offered", "The mail \"\(mail)\" that is there has no link \"\(link)\"",
        at: step.linkSite ?? step.site, "not in this mail", help: help + (timer.map { "; \($0)" } ?? ""))
    }
    let name = step.words(in: flow)
    // What events are called is known before the run.
    let names = choices.filter { !$0.hasPrefix("event ") }
    let meant = name.flatMap { nearestName(to: $0, among: names) }.map { "did you mean \"\($0)\"? " } ?? ""
    let offered =
      choices.isEmpty
      ? "nothing is offered to the person here" : "offered now: \(choices.listed)"
    return Diagnostic(
      "step-not-offered",
      "The step\(name.map { " \"\($0)\"" } ?? "") is not offered to the person, and no answer that is awaited can bring it",
      at: step.site, "not offered",
      help: meant + offered + (isRunning ? "" : "; the app does not run: launch it first")
        + (timer.map { "; \($0)" } ?? ""))
  }

  static func foreignAddress(_ own: [String], site: Site) -> Diagnostic {
    Diagnostic(
      "foreign-address", "The address is none of the app's redirect URIs, and no link of it matches", at: site,
      "does not lead to the app",
      help: own.isEmpty ? "give the app \"redirectUris\" or \"links\"" : "those are \(own.listed)")
  }

  package static func alreadyRunning(_ step: Scenario.Step) -> Diagnostic {
    Diagnostic(
      "already-running", "The app is running already", at: step.site, "launched here",
      help: "kill it first, or use \"relaunch\"")
  }

  package static func beyondCalendar(_ site: Site) -> Diagnostic {
    Diagnostic("beyond-calendar", "The clock would leave the years 1 to 9999", at: site, "too far")
  }

  static func killNeverStruck(
    _ kill: (keeping: Int, site: Site), before next: (name: String, site: Site)? = nil
  ) -> Diagnostic {
    let keeping = kill.keeping
    let (step, makes, asks) =
      next.map { ("step before the \($0.name)", "has made", "asked") } ?? ("later step", "makes", "asks")
    let writes =
      keeping == 0
      ? "a durable write"
      : "more than \(keeping) durable write\(keeping == 1 ? "" : "s"), or \(makes) \(keeping) and then \(asks) for something"
    let rest = keeping == 0 ? "" : "; to kill the app behind a step that writes no more, put {\"kill\": true} behind it"
    let wait = next.map { "; where an answer is held up, add {\"advance\": \"10s\"} before the \($0.name)" } ?? ""
    return Diagnostic(
      "kill-never-struck", "No \(step) \(makes) \(writes), so the kill never struck", at: kill.site,
      "waits for such a step",
      help: "put it before the step in which it is to strike, or let it keep fewer writes\(rest)\(wait)",
      related: next.map { ($0.site, "the app is running still") })
  }

  static func faultNeverStruck(_ counted: FaultCounter.Counted, timer: String?, in flow: Flow) -> Diagnostic {
    let fault = counted.fault
    let lead =
      counted.other.map { "it was asked by \"\(flow.participants[$0].name)\": name that as \"from\"" }
      ?? "the run never comes to it: let the script lead there"
    let timer = counted.tries == 0 && counted.other != nil ? nil : timer
    let nth =
      counted.unsentTry == nil
      ? "count its tries in the trace, and set \"nth\""
      : "let the script go online before, or set \"nth\": tries without a network count, too"
    return Diagnostic(
      "fault-never-struck", "This fault never struck: \(fault.words(in: flow))", at: fault.site,
      counted.unsentTry.map { "try \($0) had no network, so it was not sent" } ?? "no such try in the run",
      help: [timer, counted.tries == 0 ? timer == nil ? lead : nil : nth].compactMap(\.self).joined(separator: "; or ")
    )
  }

  static func twoFaults(_ faults: [Scenario.Fault]) -> Diagnostic {
    Diagnostic(
      code: "two-faults", message: "Two faults strike one try",
      labels: faults.map { Label(site: $0.site, text: "strikes the same try") },
      help: "give them different \"nth\"; a reply that is lost has a \"delay\" beyond the time-out")
  }

  /// `routine` is the sub-flow where the run stopped in a state that is called like the flow's own.
  static func anotherEnd(
    _ how: Ended.How, timer: String?, expected: (name: String, site: Site), namesakeIn routine: String?
  ) -> Diagnostic {
    let namesake = routine.map {
      "it stopped in \"\(expected.name)\" of the sub-flow \"\($0)\", and the flow's own is meant; "
        + "to name the sub-flow's, call one of them otherwise"
    }
    return Diagnostic(
      "another-end", "The run was to end in \"\(expected.name)\", and \(how.words)", at: expected.site, "expected here",
      help: how.helpWhenKilled ?? namesake ?? timer)
  }

  static func stoppedElsewhere(_ how: Ended.How, timer: String?, site: Site) -> Diagnostic {
    Diagnostic(
      code: "stopped-elsewhere", message: "The run has not succeeded: it \(how.words)",
      labels: [Label(site: site, text: "")],
      help: how.helpWhenKilled
        ?? (timer.map { "\($0); else " } ?? "")
        + "mark the state \"goal\" or \"rest\" if a person may leave the app there, or say \"ends\" in the scenario")
  }

  static func endless(_ flow: Flow) -> Diagnostic {
    Diagnostic(
      "endless-run", "The automatic run made \(Driver.mostAutomaticChoices) choices and reached no goal and no end",
      at: Site(document: flow.document, range: 0..<0), "", help: "write a scenario with a script")
  }

  static func tooLong(_ flow: Flow, _ scenario: Scenario?, isAdvancing: Bool) -> Diagnostic {
    let steps = scenario?.script?.count ?? 0
    let help =
      isAdvancing
      ? "let less time pass, or let timers fire less often"
      : "requests follow one another, though no step lets time pass: let their circle wait for an event, or for time with \"after\""
    return Diagnostic(
      "endless-run",
      "The run took more than \(Driver.mostChoices) choices, or told of more than \(Driver.mostHappenings) happenings",
      at: scenario?.nameSite ?? Site(document: flow.document, range: 0..<0), "too long",
      help: steps > Driver.mostChoices / 2 ? "make the script shorter: it has \(steps) steps" : help)
  }

  static func tooMuchSet(_ flow: Flow, _ scenario: Scenario?) -> Diagnostic {
    Diagnostic(
      "endless-run", "The run set its keys to more than \(Driver.mostSet >> 20) MB of values in all",
      at: scenario?.nameSite ?? Site(document: flow.document, range: 0..<0), "too much",
      help: "let the values that are set at each step stay small")
  }

  static func earlierFailed(_ name: String, scenario: Scenario) -> Diagnostic {
    Diagnostic(
      "earlier-scenario-failed", "Scenario \"\(name)\", from which this one starts, does not succeed",
      at: scenario.siteOfAfter, "fails before this one begins", help: "run that one first and mend it")
  }

  static func startsEarlier(_ given: Scenario.Given, end: Timestamp) -> Diagnostic {
    Diagnostic(
      code: "starts-earlier", message: "\"now\" lies before the end of the scenario from which this one starts",
      labels: given.nowSite.map { [Label(site: $0, text: "too early")] } ?? [],
      help: "that is at \(end.text): give a later \"now\", or leave it out")
  }
}

extension Ended.How {
  /// Behind "it": where the run stopped.
  package var words: String {
    switch self {
    case .goal(let state): "ended at goal \"\(state)\""
    case .end(let name): "ended at end \"\(name)\""
    case .rest(let state): "rests in \"\(state)\""
    case .stuck(let state): "stopped in \"\(state)\", which is no goal and no rest"
    case .stopped: "ended with the app not running"
    case .error(let message): "ended with an error: \(message)"
    }
  }

  /// A killed app is in no state that could be expected, or marked.
  fileprivate var helpWhenKilled: String? {
    self == .stopped ? "the app was killed: end the script with {\"launch\": true}" : nil
  }
}

extension Scenario {
  /// Where it says from which scenario it starts; its beginning when it does not.
  var siteOfAfter: Site { given.afterSite ?? Site(document: document, range: 0..<0) }
}

extension Scenario.Step {
  /// As `World.describe` words its choice; `nil` where it is not the person's, so that it is always possible.
  fileprivate func words(in flow: Flow) -> String? {
    switch kind {
    case .event(let event, _): "event \(flow.app.events[event].name)"
    case .submit(let form, _): "submit \(form)"
    case .follow(let link): "follow \(link)"
    case .openMail(let mail, let nth, _): "open mail \(mail)" + (nth.map { " (\"nth\" \($0))" } ?? "")
    case .closeBrowser: "close browser"
    default: nil
    }
  }
}
