import Expressions

extension Check {
  /// Tries that are made again, as they were, where the server has refused: each is refused alike, and counts for who
  /// locks out guesses.
  ///
  /// Who looks into the body may wait for another word in it; 403 is an answer to who asks too often, too.
  static let uselessRetries: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.machine.requests.compactMap { request in
      guard let retry = request.retry, retry.actions.isEmpty, retry.call == nil, let when = retry.when,
        let table = FailureTable(when, online: true), table.looksAtStatusAlone, !request.isMadeAnew,
        let status = [400, 401, 422].first(where: { (try? table.holds(status: $0, nil)) == true }),
        let site = when.expressions.first?.site
      else { return nil }
      return Diagnostic(
        "useless-retry", severity: .warning, "the same is asked again where the server has refused it", at: site,
        "holds for \(status)",
        help: "ask again where it may help, as for response.status in [429, 503] or response.failure, or let \"do\" or "
          + "\"call\" change something between")
    }
  }
}
