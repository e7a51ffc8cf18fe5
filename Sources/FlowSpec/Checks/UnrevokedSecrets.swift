import Expressions

extension Check {
  /// Revocations that name the access token where the app has a refresh token: that stays good, and whoever has it gets new
  /// ones (RFC 7009, section 2.1).
  static let unrevokedSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let refreshing = machine.requests.filter { $0.grants("refresh_token") }.flatMap(\.bodyFields)
      .filter { $0.name == "refresh_token" }.flatMap(\.value.expressions).flatMap(\.facts.references)
    guard let refresh = refreshing.first(where: { $0.first == "store" && $0.count == 2 }) else { return [] }
    return machine.requests.compactMap { request in
      guard request.revokes, let token = request.bodyFields.first(where: { $0.name == "token" })?.value,
        let site = token.site
      else { return nil }
      let sources = examined.sources(of: token)
      guard !sources.isEmpty, !sources.contains(refresh), sources.contains(where: { $0.first == "store" }) else {
        return nil
      }
      let name = refresh[1]
      return Diagnostic(
        "weak-grant", severity: .warning, "\"\(name)\" is never revoked: whoever has it gets new tokens with it",
        at: site,
        "is never \"\(name)\"", help: "revoke the refresh token, with which go the others (RFC 7009, section 2.1)")
    }
  }
}

extension RequestSpec {
  /// Whether it revokes a token, by what it sends or by its address.
  fileprivate var revokes: Bool {
    namesToken || Visit(self).templates.contains { $0.template.source.lowercased().contains("revo") }
  }
}

extension Examined {
  /// The keys of which a value is made, and those of which these are in turn.
  fileprivate func sources(of value: ValueTemplate) -> Set<[String]> {
    var (found, pending) = (Set<[String]>(), [value])
    while let value = pending.popLast() {
      for reference in value.expressions.flatMap(\.facts.references) {
        let key = Array(reference.prefix(2))
        guard ["store", "memory"].contains(key[0]), found.insert(key).inserted else { continue }
        pending += actions.flatMap(\.assignments).filter { $0.place.reference == key }.map(\.value)
      }
    }
    return found
  }
}
