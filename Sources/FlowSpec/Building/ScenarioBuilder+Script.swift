import Expressions
import JSONSyntax

extension ScenarioBuilder {
  mutating func step(_ declaration: Declaration) -> Scenario.Step? {
    for (companion, owners) in [("with", ["event", "submit"]), ("link", ["open mail"]), ("nth", ["open mail"])] {
      guard !declaration.isDamaged, let entry = declaration.entry(companion), !owners.contains(where: declaration.has)
      else { continue }
      compilation.findings.error(
        "conflicting-members", "\"\(companion)\" belongs to \(owners.map { "\"\($0)\"" }.joined(separator: " and "))",
        at: entry.nameSite, "has no meaning here", help: "leave it out, or move it to such a step")
    }
    let opposites = ["offline": "online", "online": "offline"]
    for name in ["offline", "online", "launch", "kill", "relaunch"] {
      guard let word = declaration[name], word.flag == false else { continue }
      compilation.findings.error(
        "wrong-type", "\"\(name)\" takes true", at: word.site, "says nothing",
        help: opposites[name].map { "write {\"\($0)\": true}" } ?? "leave the step out")
    }
    return stepKind(declaration).map { kind in
      Scenario.Step(kind: kind, site: declaration.site, linkSite: declaration["link"]?.site)
    }
  }

  private mutating func stepKind(_ declaration: Declaration) -> Scenario.Step.Kind? {
    if let event = declaration["event"] { return self.event(event, with: declaration["with"]) }
    checkOffer(declaration)
    if let form = declaration["submit"]?.string {
      return .submit(form: form, with: filledIn(declaration["with"], of: form))
    }
    if let link = declaration["follow"]?.string { return .follow(link: link) }
    if let mail = declaration["open mail"]?.string {
      return .openMail(mail, nth: number(declaration["nth"]), link: declaration["link"]?.string)
    }
    if declaration.has("close") { return .closeBrowser }
    if declaration.has("offline") { return .offline }
    if declaration.has("online") { return .online }
    if declaration.has("launch") { return .launch }
    if let address = declaration["arrive"] {
      return arrival(at: address).map { .arrive($0) }
    }
    if let span = declaration["advance"]?.duration { return .advance(span) }
    if let kill = declaration["kill"] { return .kill(keeping: keptWrites(kill)) }
    if let fault = declaration["fault"] { return self.fault(fault).map { .fault($0) } }
    return declaration["relaunch"].map { .relaunch(after: pause($0)) }
  }

  /// Which addresses are the app's is known in a run; here is told what is none at all.
  private mutating func arrival(at address: Declaration) -> PlacedTemplate? {
    guard let placed = compilation.template(address, in: standing) else { return nil }
    let start = if case .literal(let text)? = placed.template.parts.first { text } else { "" }
    let scheme = start.prefix { !":/?#".contains($0) }
    let isOpen = scheme.endIndex == start.endIndex && !placed.template.isLiteral
    guard !isOpen, !isScheme(scheme) || start[scheme.endIndex...].first != ":" else { return placed }
    compilation.findings.error(
      "wrong-url", "this is no address that could be opened", at: placed.site, "no scheme",
      help: "write a whole address: it begins with a scheme, as app:/back does")
    return placed
  }

  /// Which of several mails is opened, the oldest as 1; `nil` where nothing is said.
  private func number(_ nth: Declaration?) -> Int? { nth?.whole.map { Int(clamping: max(1, $0)) } }

  /// After how many durable writes the kill strikes; `nil` at rest.
  private func keptWrites(_ kill: Declaration) -> Int? {
    kill.kind == .kill ? kill["keeping"]?.whole.map { Int(clamping: max(0, $0)) } : nil
  }

  /// How long the app is not running.
  private func pause(_ relaunch: Declaration) -> Duration {
    guard relaunch.kind == .relaunch, let after = relaunch["after"]?.duration else { return .zero }
    return after
  }

  private mutating func event(_ declaration: Declaration, with: Declaration?) -> Scenario.Step.Kind? {
    guard let name = declaration.string else { return nil }
    if let help = Self.stepInstead(of: name) {
      compilation.findings.error(
        "wrong-event", "\"\(name)\" is not a person's to do", at: declaration.site, "happens by itself", help: help,
        strange: name)
      return nil
    }
    guard let index = eventIndices[name] else {
      let events = flow.app.events.map(\.name)
      compilation.unknown(
        "event", name, at: declaration.site, among: events, "\"\(name)\" is no event of the flow",
        help: events.first { $0.hasSuffix(".\(name)") }.map { "did you mean \"\($0)\"?" },
        entitled: flow.app.events.first { $0.title == name }?.name)
      return nil
    }
    let values = compilation.values(of: with.entries, for: flow.app.events[index].fields, standing: standing)
    return .event(index, with: values.map(\.value))
  }

  /// Which step brings an event that is no person's, whether or not the flow names it; `nil` for the others.
  private static func stepInstead(of event: String) -> String? {
    switch event {
    case "device.online": "write {\"online\": true}"
    case "device.offline": "write {\"offline\": true}"
    case "browser.closed": "write {\"close\": \"browser\"}"
    case "browser.redirected": "it happens when a page redirects"
    default: event.hasPrefix("link.") ? "write {\"open mail\": …}" : nil
    }
  }
}
