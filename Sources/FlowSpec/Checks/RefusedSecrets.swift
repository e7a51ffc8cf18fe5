import Expressions

extension Check {
  /// Secrets that a request takes to get new ones, and that stay stored where the server refuses them, whatever comes then
  /// by itself: they are sent again at the next launch, and refused again.
  ///
  /// Where the app rests then, what leads on may clear them all the same.
  static let refusedSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let onward = Onward(machine, pastAnswers: true)
    var left = mostLooks
    return machine.states.indices.compactMap { index in
      let next = machine.states[index].next
      guard case .request(let request) = machine.states[index].activity, request.asksAnew else { return nil }
      let renewing = next.filter { transition in
        transition.actions.secretsSet.contains { $0.value.expressions.contains { !$0.answeredMembers.isEmpty } }
      }
      guard let secret = request.secretsSent(of: machine).first(where: { $0.name != nil })?.secret, !renewing.isEmpty
      else { return nil }
      let refusing = [400, 401].flatMap { next.mayTake(status: $0) }.filter { taken in
        !renewing.contains { $0 === taken }
      }
      guard let first = refusing.first, left > 0 else { return nil }
      left -= 1
      var isCleared = false
      let behind = onward.states(behind: refusing.map { ($0, index) }) { actions in
        if actions.secretsEmptied.contains(secret) { isCleared = true }
        return actions.secretsSet.contains { $0.secret == secret }
      }
      if isCleared || behind.contains(where: { machine.states[$0].isLeft(by: secret) }) { return nil }
      let name = machine.title(of: secret)
      return Diagnostic(
        "refused-secret", severity: .warning,
        "where the server refuses \"\(name)\", it stays stored, and may be sent again at each launch",
        at: first.siteOfChoice,
        "may take a refusal",
        help: "clear it where the server says that it is good no more, as by \"invalid_grant\" (RFC 6749, section 5.2)",
        related: (request.site, "sends it"))
    }
  }

  /// Each goes through all that follows.
  private static let mostLooks = 100
}

extension State {
  /// Whether all that a person does in it to go on clears a secret.
  fileprivate func isLeft(by secret: StoredSecret) -> Bool {
    let leading = on.flatMap(\.transitions).filter { !$0.target.isStay }
    return !leading.isEmpty && leading.allSatisfy { $0.actions.secretsEmptied.contains(secret) }
  }
}
