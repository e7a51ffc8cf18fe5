import Expressions

extension Check {
  /// Refresh tokens that are sent as what says who asks, to others than who renews them: whoever gets hold of one there gets
  /// new tokens with it (RFC 6749, section 1.5; RFC 6750).
  static let refreshTokensShown: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let renewing = machine.requests.filter { $0.grants("refresh_token") }.flatMap { request in
      request.secretsSent(of: machine).filter { $0.name == "refresh_token" }.map(\.secret)
    }
    if renewing.isEmpty { return [] }
    return machine.requests.compactMap { request in
      guard let bearer = request.bearer, !request.grants("refresh_token"),
        let shown = request.secretsSent(of: machine).first(where: { $0.name == nil && renewing.contains($0.secret) }),
        shown.site == bearer.site
      else { return nil }
      return Diagnostic(
        "weak-grant", severity: .warning,
        "a refresh token is shown as if it were an access token: whoever gets hold of it there gets new tokens with it",
        at: shown.site, "is what renews them",
        help: "send the access token here, and the refresh token to who issues it alone (RFC 6749, section 1.5)")
    }
  }
}
