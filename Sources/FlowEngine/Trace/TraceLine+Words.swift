import Expressions
import JSONSyntax

extension TraceLine {
  /// What happened, for people, without who did it; on one line.
  package var words: String {
    switch kind {
    case .launched: from == to ? "starts" : "opens the app"
    case .resumed: "goes on where \"\(text("after") ?? "")\" ended"
    case .killed: killedWords
    case .choice: text("choice") ?? ""
    case .state: "is in: \(text("title") ?? text("state") ?? "")" + (self["goal"]?.bool == true ? " (the goal)" : "")
    case .transition: transitionWords
    case .event: eventWords
    case .request: requestWords
    case .answer: answerWords
    case .perform: (text("title") ?? text("perform") ?? "") + fields("with")
    case .result: resultWords(of: text("perform") ?? "")
    case .page: pageWords
    case .submit: "submits \"\(text("form") ?? "")\"" + fields("with")
    case .follow: "follows \"\(text("link") ?? "")\""
    case .mail: mailWords
    case .openMail: "opens the mail \"\(text("mail") ?? "")\""
    case .set: setWords
    case .emit: "tells its listeners: \(text("emit") ?? "")" + fields("with")
    case .show: "shows \"\(text("title") ?? text("show") ?? "")\"" + fields("with")
    case .open: "opens \(withoutQuery(self["url"]?.words ?? ""))"
    case .close: text("reason").map { "counts as closed: \($0)" } ?? "closes the browser"
    case .clock: "time passes: \(durationWords)"
    case .fault: "fault: \(text("fault") ?? "")"
    case .ended where text("how") == "error": "the run stops by an error"
    case .ended: refs.isEmpty ? "the run stops" : "the run ends as its scenario says"
    }
  }

  private var killedWords: String {
    switch self["keeping"]?.int {
    case nil: return "is killed"
    case 0: return "is killed, before anything of its step is stored"
    case 1: return "is killed, when one change of its step is stored"
    case let kept?: return "is killed, when \(kept) changes of its step are stored"
    }
  }

  private var mailWords: String {
    "mail \"\(text("mail") ?? "")\"" + (self["address"].map { " to \($0.words)" } ?? "")
      + (self["subject"].map { ": \($0.words)" } ?? "") + (self["text"].map { " (text: \($0.words))" } ?? "")
  }

  private var transitionWords: String {
    if let name = text("name") { return "decides: \(name)" }
    let guards = self["decided"]?.elements.compactMap { $0["holds"]?.bool == true ? $0["when"]?.text : nil } ?? []
    let target = text("goto").map { "on to \($0)" } ?? text("end").map { "ends with \($0)" } ?? "goes on"
    return guards.isEmpty ? target : "decides: \(guards.joined(separator: " and "))"
  }

  private var eventWords: String {
    let words = (text("title") ?? builtInEventWords ?? text("event") ?? "") + fields("with")
    switch text("outcome") {
    // The network comes and goes, whether anybody looks or not; where it comes again, a state here names it.
    case "ignored" where text("event")?.hasPrefix("device.") == true && self["again"]?.bool != true: return words
    case "ignored": return words + ", which nothing takes here"
    case "kept": return words + ", kept for the next wait that names it"
    default: return words
    }
  }

  /// Events that no flow has to give a title.
  private var builtInEventWords: String? {
    switch text("event") {
    case "browser.redirected": "comes back to the app"
    case "browser.closed": "is closed"
    case "device.online": "is online"
    case "device.offline": "is offline"
    case let name? where name.hasPrefix("link."): "comes by the link \"\(name.dropFirst(5))\""
    default: nil
    }
  }

  /// The device's answer to what it was asked for.
  func resultWords(of capability: String) -> String {
    if let failure = text("failure") { return "failed (\(failure)): \(capability)" }
    return "done: \(capability)" + fields("with")
  }

  private var requestWords: String {
    let request = text("request") ?? ""
    guard let attempt = self["attempt"]?.int else { return request }
    return "\(request) (try \(attempt))"
  }

  private var answerWords: String {
    var words =
      switch text("failure") {
      case "unreachable": "cannot be reached"
      case "lost": isLate ? "no answer came in time" : "no answer came"
      case let other?: other
      case nil: self["status"]?.words ?? ""
      }
    if let reason = text("reason"), !isLate { words += ": \(reason)" }
    if let reply = text("reply") { words += " \(reply)" }
    if let address = text("redirect") { words += ", on to \(withoutQuery(address))" }
    if let page = text("page") { words += ", page \"\(page)\"" }
    return self["dropped"] == nil ? words : words + ", which nobody waits for any more"
  }

  private var isLate: Bool { text("reason") == Answer.Failure.late }

  private var pageWords: String {
    let forms = (self["forms"]?.texts ?? []).map { "form \"\($0)\"" }
    let links = (self["links"]?.texts ?? []).map { "link \"\($0)\"" }
    let offered = (forms + links).joined(separator: ", ")
    let title = "page \"\(self["page"]?.words ?? "")\""
    let text = self["text"].flatMap { $0.words.isEmpty ? nil : ": \($0.words)" } ?? ""
    return title + text + (offered.isEmpty ? "" : " (\(offered))")
  }

  private var setWords: String {
    let changes = self["changes"]?.elements ?? []
    let words = [("sets", false), ("clears", true)].compactMap { verb, isCleared -> String? in
      // A table that was cleared is empty, and what has an "initial" other than that was set to it.
      let paths = changes.filter { ["null", "{}", "[]"].contains($0["new"]?.json) == isCleared }
        .compactMap { $0["path"]?.words }
      return paths.isEmpty ? nil : "\(verb) \(paths.joined(separator: ", "))"
    }
    return words.isEmpty ? "keeps everything as it is" : words.joined(separator: " and ")
  }

  private var durationWords: String {
    secondsPassed.map { elapsedWords(Int(($0 * 1000).rounded())) } ?? text("by") ?? ""
  }

  /// How much time a line of the clock lets pass; `nil` in any other, and where that is more than can be.
  package var secondsPassed: Double? {
    guard let text = text("by"), text.hasSuffix("s"), let seconds = Double(celText: String(text.dropLast()))
    else { return nil }
    return seconds.magnitude < 1e12 ? seconds : nil
  }

  private func fields(_ name: String) -> String {
    let fields = (self[name]?.members ?? []).map { "\($0.name): \($0.value.words)" }
    return fields.isEmpty ? "" : " (\(fields.joined(separator: ", ")))"
  }
}

/// A query says much to a server and little to a person.
private func withoutQuery(_ address: String) -> String {
  guard let mark = address.firstIndex(of: "?") else { return address }
  return "\(address[..<mark])?…"
}
