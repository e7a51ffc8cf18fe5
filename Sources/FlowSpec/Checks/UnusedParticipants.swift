import Expressions
import JSONSyntax

extension Check {
  /// Participants that nothing has to do with: each would be an empty lane.
  static let unusedParticipants: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow, examined.model == nil else { return [] }
    let others = examined.others
    let words = (others + [examined.document.node.without("participants")]).reduce(into: Words()) { $0.add($1.texts) }
    return flow.participants.filter { participant in
      switch participant.kind {
      case .app: false
      case .person: flow.isBystander(participant)
      case .device: flow.capabilities.isEmpty && !words.has("device")
      case .browser: flow.needsNoBrowser && !words.has("browser") && examined.actions.opens.isEmpty
      case .inbox: flow.links.isEmpty && flow.services.allSatisfy { $0.model?.mails.isEmpty ?? false }
      case .service: !words.has(participant.name) && !examined.isAddressed(participant, among: others)
      }
    }.map { participant in
      Diagnostic(
        "unused-participant", severity: .warning, "nothing has to do with \"\(participant.name)\"",
        at: participant.site, "declared here", help: "use it or remove it")
    }
  }
}

extension Flow {
  /// One of several persons, of whom no event is.
  fileprivate func isBystander(_ person: Participant) -> Bool {
    participants.count { $0.kind == .person } > 1 && !app.events.contains { $0.name.hasPrefix(person.name + ".") }
  }

  fileprivate var needsNoBrowser: Bool {
    redirectURIs.isEmpty && !services.contains { $0.model?.mails.contains { !$0.links.isEmpty } ?? true }
  }
}

extension Examined {
  /// Whether an address of a service stands in one of these documents, or is worked out.
  fileprivate func isAddressed(_ participant: Participant, among documents: [JSONNode]) -> Bool {
    guard let declared = document["participants"].entries.first(where: { $0.name == participant.name })?.value else {
      return true
    }
    let addresses = [declared["url"]?.string].compactMap(\.self) + declared["origins"].items.compactMap(\.string)
    let texts = (documents + [document.node.without("participants")]).flatMap(\.texts)
    return addresses.contains { address in
      let host = address.split(separator: "/").dropFirst().first ?? ""
      return host.isEmpty || address.contains("${") || texts.contains { $0.contains(host) }
    }
  }
}
