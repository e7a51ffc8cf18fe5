import Expressions

extension Check {
  /// What is made of the `expires_in` of an answer so that a token counts as good for longer than its server says, or for
  /// so much shorter that seconds were taken for something else (RFC 6749, section 5.1).
  ///
  /// It is worked out for answers that say an hour and a minute; what reads anything else than that, the time and `config`
  /// is left alone.
  static let strangeExpiries: @Sendable (Examined) -> [Diagnostic] = { examined in
    let assignments = examined.actions.flatMap(\.assignments).filter { assignment in
      assignment.value.expressions.contains { $0.reads("expires_in", below: "response") }
    }
    if assignments.isEmpty { return [] }
    let scope = examined.scopeOfAnswers
    return assignments.compactMap { assignment in
      guard case .template(let placed) = assignment.value, placed.template.isAlone,
        let (message, label) = examined.strangeness(of: placed.template.expressions[0], in: scope)
      else { return nil }
      return Diagnostic(
        "strange-expiry", severity: .warning, "\"expires_in\" is in seconds from now: \(message)", at: placed.site,
        label,
        help: "set it to now + seconds(int(response.json.expires_in)), or to a little less (RFC 6749, section 5.1)")
    }
  }
}

extension Examined {
  fileprivate func strangeness(of expression: Expression, in scope: Scope) -> (message: String, label: String)? {
    let member = MemberPath([.member("expires_in")])
    guard expression.answeredMembers.allSatisfy({ $0 == member }),
      let ofHour = span(of: expression.source, behind: 3600, in: scope),
      let ofMinute = span(of: expression.source, behind: 60, in: scope)
    else { return nil }
    let label = "is \(ofHour.text) where it says 3600"
    if ofHour > .seconds(3600) {
      return ("the token still counts as good when the server takes it no more", label)
    }
    // Who renews early takes off a part of it, and who is careful takes no more than so much.
    guard ofHour * 20 < .seconds(3600), ofMinute * 20 < .seconds(60) else { return nil }
    return ("the token counts as expired at once", label)
  }

  /// What comes of an expression behind an answer that says so many seconds, as the time from then; `nil` where it gives
  /// none.
  private func span(of source: String, behind seconds: Int64, in scope: Scope) -> Duration? {
    var json = ValueMap()
    json["expires_in"] = .int(seconds)
    return span(of: source, in: scope, frame(ofAnswer: 200, json: json))
  }
}
