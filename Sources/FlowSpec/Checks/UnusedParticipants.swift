import Expressions
import JSONSyntax

extension Check {
  /// Services that nothing has to do with, and persons behind the first: each would be an empty lane.
  ///
  /// A browser, an inbox or a device may stand there for all flows of a team.
  static let unusedParticipants: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow, examined.model == nil else { return [] }
    let asked = Set(examined.machine.requests.map { flow.participants[flow.services[$0.to].participant].name })
    // Nearly always all of them are asked, and no text is looked at.
    lazy var texts = (examined.others + [examined.document.node.without("participants")]).flatMap(\.texts)
    lazy var words = Words(texts)
    lazy var hosts = Set(texts.flatMap(\.hosts))
    return flow.participants.filter { participant in
      switch participant.kind {
      case .app, .browser, .inbox, .device: false
      case .person: flow.isBystander(participant)
      case .service:
        !asked.contains(participant.name) && !words.has(participant.name)
          && !examined.isAddressed(participant, among: hosts) && !flow.isNamedByModels(participant)
      }
    }.map { participant in
      Diagnostic(
        "unused-participant", severity: .warning, "nothing has to do with \"\(participant.name)\"",
        at: participant.site, "declared here", help: "use it or remove it")
    }
  }
}

extension Flow {
  /// A person of whom no event is; the first opens the app, fills in forms and opens mail.
  fileprivate func isBystander(_ person: Participant) -> Bool {
    participants.first { $0.kind == .person }?.name != person.name
      && !app.events.contains { $0.name.hasPrefix(person.name + ".") }
  }

  /// Whether another model calls a service as its own model does.
  fileprivate func isNamedByModels(_ participant: Participant) -> Bool {
    let service = services.first { participants[$0.participant].name == participant.name }
    guard let own = service?.model else { return false }
    return services.compactMap(\.model).contains { model in
      model.name != own.name
        && (try? JSONParser.parse(model.document.bytes, as: .document))?.texts.contains { $0.has(word: own.name) }
          == true
    }
  }
}

extension Examined {
  /// Whether a service is at one of these hosts, or at one that is worked out.
  fileprivate func isAddressed(_ participant: Participant, among hosts: Set<Substring>) -> Bool {
    guard let declared = document["participants"].entries.first(where: { $0.name == participant.name })?.value else {
      return true
    }
    let addresses = [declared["url"]?.string].compactMap(\.self) + declared["origins"].items.compactMap(\.string)
    return addresses.contains { $0.contains("${") || $0.hosts.contains(where: hosts.contains) }
  }
}

extension String {
  /// What stands behind `//` in it, up to the path, and the text itself, which may be a host alone.
  fileprivate var hosts: [Substring] {
    split(separator: "//").dropFirst().map { $0.prefix { !"/?#".contains($0) } } + [self[...]]
  }
}
