import Expressions

extension Check {
  /// Revocations all of which name other tokens where the app has a refresh token: that stays good, and whoever has it gets
  /// new ones (RFC 7009, section 2.1).
  static let unrevokedSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let refreshing = machine.states.compactMap { state in
      if case .request(let request) = state.activity, request.grants("refresh_token") {
        (fields: request.bodyFields, next: state.next)
      } else {
        nil
      }
    }
    let read = refreshing.flatMap(\.fields).filter { $0.name == "refresh_token" }.flatMap(\.value.expressions)
      .flatMap(\.facts.references)
    guard let refresh = read.first(where: { $0.first == "store" && $0.count == 2 }) else { return [] }
    let revoking = machine.requests.filter(\.revokes).compactMap { request in
      request.bodyFields.first { $0.name == "token" }?.value
    }
    let given = Set(refreshing.flatMap(\.next).flatMap(\.actions).flatMap(\.assignments).map(\.place.reference))
    let sources = examined.sources(of: revoking)
    guard !sources.contains(refresh), !sources.isDisjoint(with: given), let site = revoking.first?.site else {
      return []
    }
    return [
      Diagnostic(
        "weak-grant", severity: .warning, "\"\(refresh[1])\" is never revoked: whoever has it gets new tokens with it",
        at: site, "is never \"\(refresh[1])\"",
        help: "revoke the refresh token, with which go the others (RFC 7009, section 2.1)")
    ]
  }
}

extension RequestSpec {
  /// Whether it revokes a token, by what it sends or by its address; who asks about one sends the same (RFC 7662).
  var revokes: Bool {
    let address = Visit(self).templates.map { $0.template.source.lowercased() }
    return !address.contains { $0.contains("introspect") } && (namesToken || isAtRevocation)
  }
}

extension Examined {
  /// The keys of which values are made, and those of which these are in turn.
  fileprivate func sources(of values: [ValueTemplate]) -> Set<[String]> {
    let given = Dictionary(grouping: actions.flatMap(\.assignments), by: \.place.reference)
    var (found, pending) = (Set<[String]>(), values)
    while let value = pending.popLast() {
      for reference in value.expressions.flatMap(\.facts.references) {
        let key = Array(reference.prefix(2))
        guard ["store", "memory"].contains(key[0]), found.insert(key).inserted else { continue }
        pending += (given[key] ?? []).map(\.value)
      }
    }
    return found
  }
}
