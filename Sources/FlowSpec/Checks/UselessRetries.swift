import Expressions

extension Check {
  /// Tries that are made again, as they were, where the server has refused: each is refused alike, and counts for who
  /// locks out guesses.
  ///
  /// Who looks into the body may wait for another word in it. What some time may change is told where there is no wait
  /// and a model that has such an answer asks for none: 403 is an answer to who asks too often, too, and 404 to who asks
  /// too early, and each try waits for as long as the answer says.
  static let uselessRetries: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.machine.requests.compactMap { request in
      guard let retry = request.retry, retry.actions.isEmpty, retry.call == nil, let when = retry.when,
        let table = FailureTable(when, online: true), table.looksAtStatusAlone, !request.isMadeAnew,
        let site = when.expressions.first?.site
      else { return nil }
      func isRefusal(_ status: Int64) -> Bool { (try? table.holds(status: status, nil)) == true }
      // A range may reach to these for the sake of others.
      func isNamed(_ status: Int64) -> Bool { isRefusal(status) && when.names(status: status) }
      let atOnce = retry.wait == .zero ? Refusals.forNow : []
      if let status = Refusals.ofWhatIsAsked.first(where: isRefusal) ?? Refusals.forGood.first(where: isNamed) {
        return useless(status, at: site)
      }
      let status = atOnce.first { isNamed($0) && examined.neverSaysWhenToRetry(request, behind: $0) }
      return status.map { useless($0, at: site, orWait: true) }
    }
  }

  private static func useless(_ status: Int64, at site: Site, orWait: Bool = false) -> Diagnostic {
    let wait = orWait ? "add a \"wait\", if that may help, " : ""
    return Diagnostic(
      "useless-retry", severity: .warning, "the same is asked again where the server has refused it", at: site,
      "holds for \(status)",
      help: wait
        + "ask again where it may help, as for response.status in [429, 503] or response.failure, or let \"do\" "
        + "or \"call\" change something between")
  }
}

/// Statuses by which a server refuses what is asked (RFC 9110 §15.5).
private enum Refusals {
  /// Whatever it is, it is wrong, or wrong for who asks.
  static let ofWhatIsAsked: [Int64] = [400, 401, 422]
  /// What is asked for is refused whenever it is.
  static let forGood: [Int64] = [402, 405, 406, 410, 411, 412, 414, 415, 416, 417, 426, 428, 431, 451]
  /// What some time may change: who asks is shut out, or something is not there yet, or in use.
  static let forNow: [Int64] = [403, 404, 409, 413, 423]
}

extension Examined {
  /// Whether the model answers this request with this status, and in no such answer says when to ask again.
  fileprivate func neverSaysWhenToRetry(_ request: RequestSpec, behind status: Int64) -> Bool {
    guard let (model, route) = surelyAsks(request) else { return false }
    let replies = model.replies(of: route).filter { Int64($0.status) == status }
    return !replies.isEmpty && !replies.contains { $0.headers.contains { $0.name == "retry-after" } }
  }
}
