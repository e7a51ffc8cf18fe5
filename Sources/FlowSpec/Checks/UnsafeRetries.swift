import Expressions

extension Check {
  /// Requests that are sent again where their answer was lost, though the server may have done what they ask: a refresh
  /// token that is used twice signs people out.
  ///
  /// A POST and a PATCH ask for something anew each time (RFC 9110 §9.2.2), but with a header `Idempotency-Key`.
  static let unsafeRetries: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.machine.requests.compactMap { request in
      guard let retry = request.retry, request.asksAnew,
        !request.isToldAgain(despite: retry.actions), let when = retry.when,
        let site = when.expressions.first(where: { $0.expression.facts.references.contains { $0[0] == "response" } })?
          .site,
        FailureTable(when, online: true)?.holds(for: "lost") == true
      else { return nil }
      let kept = request.idempotencyKey == nil ? "" : " of its own for each thing asked for, the same for all its tries"
      return Diagnostic(
        "unsafe-retry", severity: .warning,
        "this \(request.method) is sent again where its answer was lost, and the server may have done it already",
        at: site, "holds for response.failure == 'lost'",
        help: "ask for response.failure == 'unreachable', which was not sent, or send an \"Idempotency-Key\"\(kept)")
    }
  }
}

extension RequestSpec {
  /// Whether each time that it is sent it asks for something more (RFC 9110 §9.2.2).
  var asksAnew: Bool { ["POST", "PATCH"].contains(method) }

  var idempotencyKey: ValueTemplate? { headers.first { $0.name == "idempotency-key" }?.value }

  /// Whether it has a key by which its service knows a further try from something else that is asked for: neither the same
  /// for all nor another for each try, behind these actions.
  func isToldAgain(despite actions: [Action]) -> Bool {
    guard case .template(let placed) = idempotencyKey else { return false }
    let read = placed.template.expressions.flatMap(\.facts.references)
    // Which row and which field of a table is set, only a run knows.
    let isMadeAnew = actions.flatMap(\.assignments).map(\.place).contains { place in
      !place.isOfTable && read.contains { $0.prefix(2) == [place.area.rawValue, place.declared.name] }
    }
    let isOfOne = read.contains { $0.first != "config" && $0.first != "device" }
    return isOfOne && !read.contains(["now"]) && !isMadeAnew
  }
}
