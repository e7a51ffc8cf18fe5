import Expressions

extension Check {
  /// Requests that are sent again where their answer was lost, though the server may have done what they ask: a refresh
  /// token that is used twice signs people out.
  ///
  /// A POST and a PATCH ask for something anew each time (RFC 9110 §9.2.2), but with a header `Idempotency-Key`.
  static let unsafeRetries: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.machine.requests.compactMap { request in
      guard let retry = request.retry, ["POST", "PATCH"].contains(request.method),
        !request.headers.contains(where: { $0.name == "idempotency-key" }), let when = retry.when,
        let site = when.expressions.first(where: { $0.expression.facts.references.contains { $0[0] == "response" } })?
          .site,
        FailureTable(when, online: true)?.holds(for: "lost") == true
      else { return nil }
      return Diagnostic(
        "unsafe-retry", severity: .warning,
        "this \(request.method) is sent again where its answer was lost, and the server may have done it already",
        at: site, "holds for response.failure == 'lost'",
        help: "ask for response.failure == 'unreachable', which was not sent, or send an \"Idempotency-Key\"")
    }
  }
}
